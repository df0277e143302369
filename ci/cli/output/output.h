#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "reporter/render.h"
#include "schema/error.h"

namespace perf {

/// The output for GitHub Actions; empty parts are not written.
struct GithubRenderings {
  /// Markdown of at most so many bytes, for the page of the job.
  std::function<std::string(std::size_t limit)> summary{};
  /// Workflow commands, a line each.
  std::function<std::string()> annotations{};
  /// NAME=VALUE, a line each.
  std::function<std::string()> outputs{};
};

/// A result in each format; empty if it has no such format.
struct Renderings {
  std::function<std::string(bool color)> terminal;
  std::function<std::string()> json;
  std::function<std::string()> markdown{};
  std::function<std::string()> html{};
  std::function<std::string()> junit{};
  std::function<std::string()> openmetrics{};
  std::function<std::vector<Picture>()> plots{};
  GithubRenderings github{};
};

/// The renderings of a record that has a page (reporter/pages.h), at a terminal and as JSON.
template <typename Record>
Renderings renderings_of(const Record& record, std::string (*json)(const Record&)) {
  return {[&record](bool color) { return render_terminal(record, color); },
          [&record, json] { return json(record); }};
}
/// The same with Markdown, HTML, and the summary of a GitHub job.
template <typename Record>
Renderings page_renderings_of(const Record& record, std::string (*json)(const Record&)) {
  Renderings renderings = renderings_of(record, json);
  renderings.markdown = [&record] { return render_markdown(record); };
  renderings.html = [&record] { return render_html(record); };
  renderings.github.summary = [&record](std::size_t limit) {
    return render_github_summary(record, limit);
  };
  return renderings;
}

/// A format with a file of its own, or standard output.
struct OutputFormat {
  const char* option;
  const char* title;  ///< in the help
  std::string Options::*file;
  std::function<std::string()> Renderings::*text;
};

/// All of them, for options, checks and writing.
inline constexpr std::array<OutputFormat, 5> kOutputFormats{{
    {"--markdown", "Markdown", &Options::markdown, &Renderings::markdown},
    {"--json", "JSON", &Options::json, &Renderings::json},
    {"--html", "one HTML page", &Options::html, &Renderings::html},
    {"--junit", "JUnit XML", &Options::junit, &Renderings::junit},
    {"--openmetrics", "OpenMetrics", &Options::openmetrics, &Renderings::openmetrics},
}};

/// Checks before measuring that the reports can be written: no two share standard output or a file,
/// and folders exist, are writable and are not links out of the repository. Throws UsageError.
void check_outputs(const Options& options);

/// Throws UsageError if the path of a folder has a link from a repository's working tree to outside
/// of it, or into .git: anybody who can push can create such a link. `subject`: the option.
void refuse_links_out(const std::filesystem::path& folder, const std::string& subject);

/// The files and folders of the reports and pictures.
std::vector<std::filesystem::path> output_places(const Options& options);

/// Writes all requested reports: files whole or not at all, the terminal report to standard output
/// unless another one goes there, and the output for GitHub Actions. Continues after an error, and
/// returns all errors.
std::vector<Error> write_outputs(const Renderings& renderings, const Options& options);

/// For GitHub Actions, Gitea and Forgejo: appends the summary to the file of GITHUB_STEP_SUMMARY
/// and the outputs to that of GITHUB_OUTPUT, with a note if neither is set, and prints the
/// annotations, on standard error if a report has standard output. Adds errors to `errors` and
/// continues.
void write_for_github(const GithubRenderings& renderings, bool standard_output_is_taken,
                      std::vector<Error>& errors);

/// Calls `write`, and adds its Error to `errors`.
void attempt(const std::function<void()>& write, std::vector<Error>& errors);

/// Writes `text` to a file (through a temporary one beside it) or, for `-`, to standard output,
/// where a closed pipe is not an error. Throws Error.
void write_text(const std::string& file, const std::string& text);

/// Whether a file is appended to: a pipe, a device, or a file in /dev or /proc (/dev/stdout may be
/// any link). All others are replaced, whole or not at all, links included: they may come from a
/// commit.
bool is_written_into(const std::string& file);

/// The lines of print_error, without control characters and of limited length.
std::string error_text(const Error& error);

/// Prints an error and its hint to standard error; names and texts of strangers stay text. Where a
/// write met the limit on the size of files, that is what to try first.
void print_error(const Error& error);

}  // namespace perf

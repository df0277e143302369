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

/// What GitHub Actions is told of a result; empty where a command has no such part.
struct GithubRenderings {
  /// Markdown of at most so many bytes, for the page of the job.
  std::function<std::string(std::size_t limit)> summary{};
  /// Workflow commands, a line each.
  std::function<std::string()> annotations{};
  /// NAME=VALUE, a line each.
  std::function<std::string()> outputs{};
};

/// How a result is written down, in each format; empty where it has none.
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

/// The renderings of a record that is shown at a terminal and as JSON. Without `terminal`: of one
/// that can be laid out (reporter/pages.h).
template <typename Record>
Renderings renderings_of(const Record& record, std::string (*json)(const Record&),
                         std::string (*terminal)(const Record&, bool) = render_terminal<Record>) {
  return {[&record, terminal](bool color) { return terminal(record, color); },
          [&record, json] { return json(record); }};
}
/// Those of one that is also a page, and the summary of a GitHub job.
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

/// A format that goes to a file of its own, or to standard output.
struct OutputFormat {
  const char* option;
  const char* title;  ///< as help calls it
  std::string Options::*file;
  std::function<std::string()> Renderings::*text;
};

/// Every one of them: options, checks and writing go by this list.
inline constexpr std::array<OutputFormat, 5> kOutputFormats{{
    {"--markdown", "Markdown", &Options::markdown, &Renderings::markdown},
    {"--json", "JSON", &Options::json, &Renderings::json},
    {"--html", "one HTML page", &Options::html, &Renderings::html},
    {"--junit", "JUnit XML", &Options::junit, &Renderings::junit},
    {"--openmetrics", "OpenMetrics", &Options::openmetrics, &Renderings::openmetrics},
}};

/// Refuses, before anything is measured, what could not be written afterwards: two reports on
/// standard output or in one file, or a file or pictures in a folder that does not exist, may not
/// be written, or is a link out of the repository. Throws UsageError.
void check_outputs(const Options& options);

/// Refuses a folder to write to whose path goes through a link that lies in a repository's working
/// tree and leads out of it: whoever may push can bring such a link under any name. Where nothing
/// is there yet, nothing is refused. `subject`: what was asked for. Throws UsageError.
void refuse_links_out(const std::filesystem::path& folder, const std::string& subject);

/// The files and folders that the reports and pictures go to.
std::vector<std::filesystem::path> output_places(const Options& options);

/// Writes every report that was asked for: files whole or not at all, the terminal's report on
/// standard output unless another one took its place, and what GitHub Actions wants to know. One
/// that cannot be written keeps none of the others back; answers what went wrong.
std::vector<Error> write_outputs(const Renderings& renderings, const Options& options);

/// Tells GitHub Actions (and what speaks its language: Gitea, Forgejo) of a result: the summary is
/// added to the file of GITHUB_STEP_SUMMARY, outputs to that of GITHUB_OUTPUT, and the annotations
/// are printed, on standard error where standard output belongs to a report. Where neither variable
/// is set this is no such job: that is said, and the annotations are printed all the same. One
/// that cannot be written keeps none of the others back; what went wrong is added to `errors`.
void tell_github(const GithubRenderings& renderings, bool standard_output_is_taken,
                 std::vector<Error>& errors);

/// Runs a piece of the writing. What goes wrong is added to `errors`, and keeps no other piece
/// back.
void attempt(const std::function<void()>& write, std::vector<Error>& errors);

/// Writes `text` to a file (through a temporary one beside it) or, for `-`, to standard output,
/// where a reader who has left is no error. Throws Error.
void write_text(const std::string& file, const std::string& text);

/// Whether a file is a pipe, a device, or named as one of the system's: /dev/stdout may be a link
/// to anything. Such a file is written into (a pipe's reader is waited for until a signal asks to
/// stop); any other is replaced, whole or not at all, and so is any other link: a tree may have
/// brought it.
bool is_written_into(const std::string& file);

/// What print_error prints: lines that are text only, each with its end, none longer than a screen
/// of them can bear.
std::string error_text(const Error& error);

/// Prints an error and its hint to standard error; names and texts of strangers stay text. Where a
/// write met the limit on the size of files, that is what to try first.
void print_error(const Error& error);

}  // namespace perf

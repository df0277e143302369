#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "reporter/render.h"

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
/// that can be laid out (reporter/layout.h).
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

}  // namespace perf

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ci/cli/judge/judge.h"
#include "reporter/text/sentences.h"
#include "schema/formats/foreign.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// The user states that all files are of one machine, or of machines alike; the facts in the files
/// must match as well.
void name_machine(const std::string& name, Environment& environment) {
  if (!name.empty()) {
    environment.fingerprint =
        "environment=" + name + "\n" + formats::facts_text(environment.machine);
  }
}

void append_number(double value, std::string& text) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// One warning for all that have the values of `file`.
void warn_of_same(const std::string& file, const std::string& again,
                  std::vector<Warning>& warnings) {
  const auto said = std::ranges::find_if(warnings, [&file](const Warning& warning) {
    return warning.kind == WarningKind::same_session && warning.about.at("file") == file;
  });
  if (said != warnings.end()) {
    ++said->figures["more"];
  } else {
    warnings.push_back({WarningKind::same_session, {}, {{"file", file}, {"again", again}}});
  }
}

}  // namespace

std::string values_text(const SampleSet& session) {
  std::vector<std::string> texts;
  for (const SampleSeries& series : session.series) {
    if (series.exact) {
      continue;
    }
    std::string& text = texts.emplace_back(series.name + '\0' + series.metric.name + '\0');
    for (const auto& [name, value] : series.params) {
      text += name + '=' + to_text(value) + '\0';
    }
    for (const double value : series.values) {
      append_number(value, text);
    }
    if (series.values.empty() && series.summary) {
      append_number(series.summary->median, text);
      append_number(series.summary->mean, text);
    }
  }
  std::ranges::sort(texts);  // the order of the benchmarks may differ
  return joined(texts, "\n");
}

std::vector<SampleSet> side_of_files(const std::vector<std::string>& paths, const Options& options,
                                     ProgressView& view, std::vector<Warning>& warnings) {
  std::vector<SampleSet> sessions;
  std::map<std::string, std::string> seen;  // values -> file
  for (const std::string& path : paths) {
    for (SampleSet& one : read_sessions_of(path)) {
      for (const Warning& warning : one.warnings) {
        const bool is_of_folder = warning.kind == WarningKind::files_passed_over;
        view.say("warning: " + (is_of_folder ? "" : one.source + ": ") +
                 reporter::sentence(warning));
      }
      const std::string values = values_text(one);
      const auto [known, is_new] = seen.emplace(values, one.source);
      if (!is_new && !values.empty()) {
        warn_of_same(known->second, one.source, warnings);
        continue;
      }
      name_machine(options.environment, one.environment);
      sessions.push_back(std::move(one));
    }
  }
  return sessions;
}

}  // namespace perf

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ci/cli/judge/judge.h"
#include "collector/machine/environment.h"
#include "collector/process/captured_text.h"
#include "reporter/text/sentences.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// The user names the machine of another tool's file, as for `import`. Facts of the machine must
/// not contradict each other (comparable_sessions).
void name_machine(const std::string& name, SampleSet& session) {
  if (!name.empty() && !session.of_workloads) {
    session.environment.fingerprint = fingerprint_of({{"name", to_one_line(name)}});
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

/// Whether each series of `part` is the beginning of the same one of `whole`, with so many values
/// that this is no chance: the file was copied while it grew.
bool is_beginning(const SampleSet& part, const SampleSet& whole) {
  constexpr std::size_t kFewest = 3;
  std::size_t values = 0;
  for (const SampleSeries& one : part.series) {
    if (one.exact) {
      continue;
    }
    const auto same = std::ranges::find_if(whole.series, [&one](const SampleSeries& other) {
      return other.name == one.name && other.metric.name == one.metric.name &&
             other.params == one.params;
    });
    if (same == whole.series.end() || same->values.size() < one.values.size() ||
        !std::equal(one.values.begin(), one.values.end(), same->values.begin())) {
      return false;
    }
    values += one.values.size();
  }
  return values >= kFewest;
}

/// Leaves of sessions that contain each other the whole one.
void leave_out_beginnings(std::vector<SampleSet>& sessions, std::vector<Warning>& warnings) {
  for (std::size_t i = 0; i < sessions.size();) {
    const auto whole = std::ranges::find_if(sessions, [&](const SampleSet& other) {
      return &other != &sessions[i] && is_beginning(sessions[i], other);
    });
    if (whole == sessions.end()) {
      ++i;
      continue;
    }
    warn_of_same(whole->source, sessions[i].source, warnings);
    sessions.erase(sessions.begin() + static_cast<std::ptrdiff_t>(i));
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
      name_machine(options.environment, one);
      sessions.push_back(std::move(one));
    }
  }
  leave_out_beginnings(sessions, warnings);
  return sessions;
}

}  // namespace perf

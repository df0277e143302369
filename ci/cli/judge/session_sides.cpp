#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "ci/cli/judge/judge.h"
#include "collector/machine/environment.h"
#include "collector/process/captured_text.h"
#include "reporter/text/sentences.h"
#include "schema/formats/foreign.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// Values by series. Statistics stand for values that a file does not have; exact counts,
/// which unlike sessions share, are left out.
using SeriesValues = std::map<std::string, std::vector<double>>;

SeriesValues series_values(const SampleSet& session) {
  SeriesValues all;
  for (const SampleSeries& series : session.series) {
    if (series.exact) {
      continue;
    }
    std::string name = series.name + '\0' + series.metric.name + '\0' + series.metric.unit;
    for (const auto& [param, value] : series.params) {
      name += '\0' + param + '=' + to_text(value);
    }
    std::vector<double>& values = all[name] = series.values;
    if (values.empty() && series.summary) {
      values = {series.summary->median, series.summary->mean};
    }
  }
  return all;
}

/// Whether `some` are values that `others` begin with, and so many that this is no chance: the file
/// was given twice, or copied while it grew.
bool repeats(const SeriesValues& some, const SeriesValues& others) {
  constexpr std::size_t kFewest = 3;
  std::size_t count = 0;
  for (const auto& [name, values] : some) {
    const auto same = others.find(name);
    if (same == others.end() || same->second.size() < values.size() ||
        !std::equal(values.begin(), values.end(), same->second.begin())) {
      return false;
    }
    count += values.size();
  }
  return count >= kFewest || (count > 0 && some == others);
}

SeriesValues in_order(SeriesValues all) {
  for (auto& [name, values] : all) {
    std::ranges::sort(values);
  }
  return all;
}

/// Whether these, in order, are the same values, and so many different ones that this is no chance:
/// one file has those of the other in another order.
bool are_shuffled(const SeriesValues& some, const SeriesValues& others) {
  constexpr std::size_t kFewest = 4;  // beside the first of each series
  if (some != others) {
    return false;
  }
  std::size_t count = 0;
  for (const auto& [name, values] : some) {
    for (std::size_t i = 1; i < values.size(); ++i) {
      count += values[i] != values[i - 1] ? 1 : 0;
    }
  }
  return count >= kFewest;
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

/// Leaves of equal sessions the first, and of others the one that has all values.
void leave_out_repeated(std::vector<SampleSet>& sessions, std::vector<Warning>& warnings) {
  const std::vector<SeriesValues> values = mapped(sessions, series_values);
  const std::vector<SeriesValues> sorted = mapped(values, in_order);
  const auto has_only = [&](std::size_t some, std::size_t others) {
    return repeats(values[some], values[others]) || are_shuffled(sorted[some], sorted[others]);
  };
  std::vector<SampleSet> kept;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    std::size_t whole = 0;
    while (whole < sessions.size() &&
           (whole == i || !has_only(i, whole) || (whole > i && has_only(whole, i)))) {
      ++whole;
    }
    if (whole < sessions.size()) {
      warn_of_same(sessions[whole].source, sessions[i].source, warnings);
    } else {
      kept.push_back(sessions[i]);
    }
  }
  sessions = std::move(kept);
}

}  // namespace

std::vector<SampleSet> side_of_files(const std::vector<std::string>& paths, bool beside_stored,
                                     const Options& options, ProgressView& view,
                                     std::vector<Warning>& warnings) {
  std::vector<SampleSet> sessions;
  for (const std::string& path : paths) {
    for (ImportedSession& session : read_sessions(path)) {
      SampleSet& one = session.samples;
      for (const Warning& warning : one.warnings) {
        const bool is_of_folder = warning.kind == WarningKind::files_passed_over;
        view.say("warning: " + (is_of_folder ? "" : one.source + ": ") +
                 reporter::sentence(warning));
      }
      if (!options.environment.empty() && !one.of_workloads) {  // as for `import`; facts must agree
        one.environment.fingerprint = fingerprint_of({{"name", to_one_line(options.environment)}});
      }
      if (beside_stored && !one.of_workloads) {
        formats::name_as_imported(one);
      }
      sessions.push_back(std::move(one));
    }
  }
  leave_out_repeated(sessions, warnings);
  return sessions;
}

void warn_of_common_sessions(const JudgedSides& sides, std::vector<Warning>& warnings) {
  const std::vector<SeriesValues> base = mapped(sides.base, series_values);
  int common = 0;
  for (const SampleSet& one : sides.head) {
    const SeriesValues values = series_values(one);
    const auto same = std::ranges::find_if(base, [&](const SeriesValues& other) {
      return values == other || are_shuffled(in_order(values), in_order(other));
    });
    if (same == base.end() || same->empty() || common++ > 0) {
      continue;
    }
    const SampleSet& other = sides.base[static_cast<std::size_t>(same - base.begin())];
    warnings.push_back(
        {WarningKind::same_on_both_sides, {}, {{"base", other.source}, {"head", one.source}}});
  }
  if (common > 1) {
    warnings.back().figures["more"] = common - 1;
  }
}

}  // namespace perf

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/trend/internal.h"
#include "schema/revision.h"
#include "schema/selection.h"

namespace perf {
namespace {

void add_points(const std::vector<RecordedValue>& values, MeasuredSeries& measured) {
  std::vector<double> of_commit, tails, medians;
  const bool has_tails = std::ranges::any_of(values, [](auto& one) { return one.tail > 0; });
  for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    of_commit.clear();
    tails.clear();
    while (end < values.size() && values[end].commit == values[begin].commit) {
      if (values[end].tail > 0) {
        tails.push_back(values[end].tail);
      }
      of_commit.push_back(values[end++].value);
    }
    if (has_tails) {
      measured.tails.push_back(tails.empty() ? 0 : static_cast<float>(median_in_place(tails)));
    }
    const double value = median_in_place(of_commit);
    measured.series.points.push_back(
        {values[begin].commit, static_cast<std::uint32_t>(of_commit.size()), value});
    measured.origins.push_back({values[end - 1].run, values[end - 1].declaration});
    medians.push_back(value);
  }
  measured.series.are_ratios = suited_scale(medians) == Scale::log;
}

/// By fingerprint and host: how much it differs in each series where it does.
using OddHosts = std::map<std::pair<std::string, std::string>, std::vector<double>>;

/// The values of a series that odd hosts measured, apart, and the others' under "".
std::map<std::string, std::vector<RecordedValue>> values_by_host(
    const RecordedSeries& series, const std::vector<RecordedRun>& runs,
    const std::vector<OddHost>& odd) {
  std::map<std::string, std::vector<RecordedValue>> values;
  for (const OddHost& one : odd) {
    values[one.host];
  }
  for (const RecordedValue& value : series.values) {
    const auto apart = values.find(host_of(runs, value));
    (apart == values.end() ? values[""] : apart->second).push_back(value);
  }
  return values;
}

std::vector<Warning> warnings_of(const OddHosts& odd) {
  std::vector<Warning> warnings;
  for (const auto& [where, changes] : odd) {
    warnings.push_back(
        {WarningKind::hosts_differ,
         {{"change", median(changes)}, {"series", static_cast<double>(changes.size())}},
         {{"host", short_oid(where.second)}, {"fingerprint", short_oid(where.first)}}});
  }
  return warnings;
}

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

/// At a position; kNowhere: none yet.
std::uint32_t& at(std::vector<std::uint32_t>& numbers, std::uint32_t position) {
  if (position >= numbers.size()) {
    numbers.resize(position + std::size_t{1}, kNowhere);
  }
  return numbers[position];
}

/// Makes a line of series, some after the others.
class LineMaker {
 public:
  LineMaker(const RecordedHistory& recorded, const SearchSome& search)
      : recorded_(recorded), search_(search), is_known_(recorded.environments.size()) {}

  void add(std::span<const RecordedSeries> some, const std::vector<ProgramAt>& programs) {
    const std::size_t known = line_.series.size();
    for (const RecordedSeries& one : some) {
      note_environments(one);
      add(one);
    }
    const std::span<MeasuredSeries> added = std::span(line_.series).subspan(known);
    std::ranges::for_each(added, [this](const MeasuredSeries& one) { note_commits(one); });
    if (search_) {
      search_(added, programs);
    }
  }

  MeasuredLine finished() {
    std::ranges::stable_sort(line_.series, {}, [](const MeasuredSeries& measured) {
      const TrendSeries& series = measured.series;
      return std::tie(series.key, series.entry, series.metric.unit, series.metric.better);
    });
    number_commits();
    line_.warnings = warnings_of(odd_);
    return std::move(line_);
  }

 private:
  void add(const RecordedSeries& one) {
    const std::vector<OddHost> hosts =
        one.anchor.empty() ? odd_hosts(one, recorded_.runs) : std::vector<OddHost>();
    for (const OddHost& host : hosts) {
      odd_[{one.fingerprint, host.host}].push_back(host.change);
    }
    if (!hosts.empty()) {
      for (const auto& [host, values] : values_by_host(one, recorded_.runs, hosts)) {
        add_series(one, host, values);
      }
    } else if (!one.values.empty()) {
      add_series(one, "", one.values);
    }
  }

  void add_series(const RecordedSeries& one, const std::string& host,
                  const std::vector<RecordedValue>& values) {
    MeasuredSeries& measured = line_.series.emplace_back();
    measured.series.entry = one.workload;
    measured.series.metric = one.metric;
    measured.series.judge = one.judge;
    measured.series.key = {one.name,    one.params, one.metric.name, one.fingerprint, one.anchor,
                           one.outside, host};
    add_points(values, measured);
  }

  void note_environments(const RecordedSeries& one) {
    for (const RecordedValue& value : one.values) {
      const std::uint32_t environment =
          value.run < recorded_.runs.size() ? recorded_.runs[value.run].environment : kNowhere;
      if (environment < is_known_.size() && !is_known_[environment]) {
        is_known_[environment] = true;
        line_.environments.push_back(environment);
      }
    }
  }

  void note_commits(const MeasuredSeries& measured) {
    std::vector<std::uint32_t>* const runs =
        measured.series.key.anchor.empty() ? &runs_[measured.series.key.fingerprint] : nullptr;
    for (std::size_t i = 0; i < measured.origins.size(); ++i) {
      const std::uint32_t position = measured.series.points[i].commit;
      at(index_, position) = 0;
      if (runs != nullptr) {
        const std::uint32_t run = measured.origins[i].run;
        std::uint32_t& last = at(*runs, position);
        last = run < recorded_.runs.size() ? run : std::min(last, kNowhere - 1);
      }
    }
  }

  /// From positions on the line to indices into the measured ones.
  void number_commits() {
    for (std::uint32_t position = 0; position < index_.size(); ++position) {
      if (index_[position] != kNowhere) {
        index_[position] = static_cast<std::uint32_t>(line_.positions.size());
        line_.positions.push_back(position);
      }
    }
    const auto number = [this](std::uint32_t& commit) { commit = index_[commit]; };
    for (MeasuredSeries& measured : line_.series) {
      for_each_commit(measured.series, number);
      for (auto& [which, step] : measured.moved) {
        number(step.commit);
        number(step.previous);
      }
    }
    for (const auto& [fingerprint, runs] : runs_) {
      std::vector<MachineCommit>& commits = line_.machines[fingerprint];
      for (std::uint32_t position = 0; position < runs.size(); ++position) {
        if (runs[position] != kNowhere) {
          commits.push_back({index_[position], runs[position]});
        }
      }
    }
  }

  const RecordedHistory& recorded_;
  const SearchSome& search_;
  MeasuredLine line_;
  OddHosts odd_;
  std::vector<bool> is_known_;          ///< of each environment
  std::vector<std::uint32_t> index_{};  ///< of measured commits, by position; kNowhere: of none
  std::map<std::string, std::vector<std::uint32_t>> runs_{};  ///< of machines, by position
};

}  // namespace

MeasuredLine measured_line(const RecordedHistory& recorded, const MoreSeries& more,
                           const SearchSome& search) {
  LineMaker maker(recorded, search);
  maker.add(recorded.series, recorded.programs);
  for (SomeSeries some; more && !(some = more()).series.empty();) {
    maker.add(some.series, some.programs);
  }
  return maker.finished();
}

}  // namespace perf

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "analyzer/judge/internal.h"
#include "analyzer/samples/samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/text/glob.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

void add_side(const std::vector<SampleSet>& sets, const Policy& policy,
              std::vector<SessionValue> MetricSessions::*side, SeriesByKey& all) {
  for (const SampleSet& set : sets) {
    for (const SampleSeries& series : set.series) {
      if (!is_shown(policy, series.metric.name)) {
        continue;
      }
      const auto [found, is_first] = all.try_emplace(
          {series.name, set.of_workloads ? Params{} : series.params, series.metric.name});
      MetricSessions& one = found->second;
      if (is_first) {
        one.metric = series.metric;
        one.params = series.params;
      }
      if (!series.version.empty()) {
        (side == &MetricSessions::base ? one.base_version : one.head_version) = series.version;
      }
      one.params_differ |= one.params != series.params;
      one.unlike |= !(one.metric == series.metric);
      if (series.steps_needed > 0 && (!one.too_few || series.steps < one.too_few->steps)) {
        const bool at_base = side == &MetricSessions::base;
        one.too_few = {series.steps, series.steps_needed, at_base ? Side::base : Side::head};
      }
      one.judged |= series.judge || !policy.metrics.empty();
      const double value =
          series.values.empty() && series.summary ? series.summary->median : median(series.values);
      (one.*side).push_back({&set, &series, value});
    }
  }
}

/// Whether these lack what the others have: all of them, or the names of asv's parameters, which
/// its results do not have (asv_params), but not the values.
bool lack_names(const Params& some, const Params& others) {
  constexpr std::string_view kNumbered = "param";
  std::multiset<std::string> values, other_values;
  bool are_numbered = true;
  for (const auto& [name, value] : some) {
    are_numbered &= name.starts_with(kNumbered) && parsed<int>(name.substr(kNumbered.size()));
    values.insert(to_text(value));
  }
  for (const auto& [name, value] : others) {
    other_values.insert(to_text(value));
  }
  return some.empty() || (are_numbered && values == other_values);
}

bool has_metric(const SampleSet& set, const std::string& name, const std::string& metric) {
  return std::ranges::any_of(set.series, [&](const SampleSeries& one) {
    return one.name == name && one.metric.name == metric;
  });
}

}  // namespace

void add_quantiles(const Policy& policy, std::vector<SampleSet>& sessions) {
  for (SampleSet& set : sessions) {
    std::vector<SampleSeries> derived;
    for (const SampleSeries& series : set.series) {
      if (set.of_workloads || !(series.metric == kStepTime)) {
        continue;
      }
      for (const auto& [metric, quantile] : step_quantiles(policy, series.name)) {
        if (has_metric(set, series.name, metric)) {
          continue;
        }
        SampleSeries& one = derived.emplace_back();
        one.name = series.name;
        one.params = series.params;
        one.metric = {metric, kStepTime.unit, kStepTime.better};
        one.judge = true;
        if (const std::optional<double> value = quantile.of(series.values)) {
          one.values = {*value};
        } else {
          one.summary = series.summary;
        }
        if (series.values.size() < quantile.steps_needed()) {
          one.steps = series.values.size();
          one.steps_needed = quantile.steps_needed();
        }
      }
    }
    std::ranges::move(derived, std::back_inserter(set.series));
  }
}

void complete_params(std::vector<SampleSet>& base, std::vector<SampleSet>& head) {
  std::map<std::string, std::set<Params>> all;
  std::set<std::string> several;  // names of several benchmarks in one file
  for (const auto* side : {&base, &head}) {
    for (const SampleSet& set : *side) {
      std::map<std::string, std::set<Params>> here;
      for (const SampleSeries& series : set.series) {
        here[series.name].insert(series.params);
      }
      for (const auto* reasons : {&set.failures, &set.skipped}) {
        for (const auto& [benchmark, why] : *reasons) {
          here[benchmark.name].insert(benchmark.params);
        }
      }
      for (auto& [name, params] : here) {
        if (params.size() > 1 || set.of_workloads) {
          several.insert(name);
        }
        all[name].merge(params);
      }
    }
  }
  const auto complete = [&](const std::string& name, Params& params) {
    const std::set<Params>& known = all.at(name);
    if (known.size() == 2 && !several.contains(name)) {
      const Params& others = params == *known.begin() ? *known.rbegin() : *known.begin();
      params = lack_names(params, others) ? others : params;
    }
  };
  for (auto* side : {&base, &head}) {
    for (SampleSet& set : *side) {
      for (SampleSeries& series : set.series) {
        complete(series.name, series.params);
      }
      for (auto* reasons : {&set.failures, &set.skipped}) {
        for (const auto& [benchmark, why] : std::exchange(*reasons, {})) {
          BenchmarkId id = benchmark;
          complete(id.name, id.params);
          reasons->insert({id, why});
        }
      }
    }
  }
}

SeriesByKey series_by_key(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                          const Policy& policy) {
  SeriesByKey all;
  add_side(head, policy, &MetricSessions::head,
           all);  // where they disagree, head's definition counts
  add_side(base, policy, &MetricSessions::base, all);
  return all;
}

BenchmarkId benchmark_of(const SessionKey& key) {
  return {std::get<0>(key), std::get<1>(key)};
}

bool matches_entry(std::string_view glob, std::string_view benchmark) {
  for (std::size_t end = benchmark.find('/'); end != benchmark.npos;
       end = benchmark.find('/', end + 1)) {
    if (glob_match(glob, benchmark.substr(0, end))) {
      return true;
    }
  }
  return glob_match(glob, benchmark);
}

void keep_chosen(const std::vector<std::string>& globs, SeriesByKey& all) {
  std::erase_if(all, [&](const auto& entry) {
    return !globs.empty() && std::ranges::none_of(globs, [&](const std::string& glob) {
      return matches_entry(glob, std::get<0>(entry.first));
    });
  });
}

std::string name_among(const SeriesByKey& all, const SessionKey& key) {
  const auto& [name, params, metric] = key;
  std::set<Params> there;
  for (auto one = all.lower_bound({name, {}, ""});
       one != all.end() && std::get<0>(one->first) == name; ++one) {
    there.insert(std::get<1>(one->first));
  }
  std::string full = name;
  if (there.size() > 1) {
    for (const auto& [param, value] : params) {
      full += " " + param + "=" + to_text(value);
    }
  }
  return full;
}

int count_judged(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                 const Policy& policy, const std::vector<std::string>& globs) {
  SeriesByKey all = series_by_key(base, head, policy);
  keep_chosen(globs, all);
  return static_cast<int>(std::ranges::count_if(all, [](const auto& entry) {
    return entry.second.judged && !entry.second.base.empty() && !entry.second.head.empty();
  }));
}

}  // namespace perf

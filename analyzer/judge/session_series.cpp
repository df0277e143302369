#include <algorithm>
#include <iterator>
#include <set>

#include "analyzer/judge/internal.h"
#include "analyzer/samples/samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/text/glob.h"
#include "schema/text/lists.h"
#include "schema/text/nearest_name.h"
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

Params without_settings(Params params) {
  std::erase_if(params, [](const auto& param) { return formats::is_setting(param.first); });
  return params;
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
  return (some.empty() && !without_settings(others).empty()) ||
         (are_numbered && values == other_values);
}

std::string text_of(const Params& params, const std::string& name) {
  const auto found = params.find(name);
  return found == params.end() ? "not given" : to_text(found->second);
}

/// Whether a glob matches a benchmark, or its entry in the config: a file does not tell where the
/// name of the entry ends.
bool matches_entry(std::string_view glob, std::string_view benchmark) {
  for (std::size_t end = benchmark.find('/'); end != benchmark.npos;
       end = benchmark.find('/', end + 1)) {
    if (glob_match(glob, benchmark.substr(0, end))) {
      return true;
    }
  }
  return glob_match(glob, benchmark);
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

std::vector<Warning> complete_params(std::vector<SampleSet>& base, std::vector<SampleSet>& head) {
  std::map<std::string, std::set<Params>> at_base, at_head;
  std::set<std::string> several;  // names of several benchmarks in one file
  for (const auto* side : {&base, &head}) {
    for (const SampleSet& set : *side) {
      std::map<std::string, std::set<Params>> here;
      for (const BenchmarkId& benchmark : benchmarks_of(set)) {
        here[benchmark.name].insert(benchmark.params);
      }
      for (auto& [name, params] : here) {
        if (params.size() > 1 || set.of_workloads) {
          several.insert(name);
        }
        (side == &base ? at_base : at_head)[name].merge(params);
      }
    }
  }
  std::map<std::string, Unlike> unlike_settings;
  const auto complete = [&](BenchmarkId benchmark) {
    const std::set<Params>&some = at_base[benchmark.name], &others = at_head[benchmark.name];
    std::set<Params> known = some;
    known.insert(others.begin(), others.end());
    if (known.size() != 2 || several.contains(benchmark.name)) {
      return benchmark;
    }
    const Params& other = benchmark.params == *known.begin() ? *known.rbegin() : *known.begin();
    const Params same = without_settings(other);
    if (lack_names(benchmark.params, other)) {
      benchmark.params = other;
    } else if (some.size() == 1 && others.size() == 1 &&
               without_settings(benchmark.params) == same) {
      for (const std::string& name : keys_of(*some.begin(), *others.begin())) {
        const std::string of_base = text_of(*some.begin(), name),
                          of_head = text_of(*others.begin(), name);
        if (of_base != of_head) {
          unlike_settings.try_emplace(name, Unlike{name, of_base, of_head});
        }
      }
      benchmark.params = same;
    }
    return benchmark;
  };
  for (auto* side : {&base, &head}) {
    for (SampleSet& set : *side) {
      rename_benchmarks(set, complete);
    }
  }
  return mapped(unlike_settings, [](const auto& one) {
    return Warning{WarningKind::unlike_settings, {}, one.second.about()};
  });
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

void keep_chosen(const std::vector<std::string>& globs, SeriesByKey& all) {
  std::set<std::string_view> names;
  for (const auto& [key, series] : all) {
    names.insert(std::get<0>(key));
  }
  for (const std::string& glob : globs) {
    if (std::ranges::none_of(names, [&](auto name) { return matches_entry(glob, name); })) {
      throw UsageError("no benchmark matches", glob,
                       instead_of(glob, {names.begin(), names.end()}));
    }
  }
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

}  // namespace perf

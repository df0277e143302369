#include <algorithm>

#include "analyzer/samples/samples.h"

namespace perf {
namespace {

bool names_a_program(std::string_view key) {
  return is_one_of(key, {"implementation", "framework", "library", "engine", "runtime"});
}

bool names_precision(std::string_view key) {
  return is_one_of(key, {"dtype", "precision", "weights"});
}

bool names_means(std::string_view key) {
  return is_one_of(key, {"threads", "blas_threads", "device"});
}

template <class Map>
std::vector<Unlike> unlike_values(const Map& base, const Map& head) {
  std::vector<Unlike> all;
  for (const auto& [name, at_base] : base) {
    const auto at_head = head.find(name);
    if (at_head != head.end() && !same_value(at_base, at_head->second)) {
      all.push_back({name, to_text(at_base), to_text(at_head->second)});
    }
  }
  return all;
}

std::optional<double> tokens_per_step(const std::vector<const Invocation*>& invocations) {
  return invocations.empty() || invocations.front()->blocks.size() != 1
             ? std::nullopt
             : invocations.front()->blocks.front().tokens_per_step;
}

bool all_name_program_or_means(const std::set<std::string>& keys) {
  return std::ranges::all_of(keys, names_program_or_means);
}

// The first statement by which the sides computed something else.
std::optional<Unlike> unlike_work(const WorkloadSamples& samples) {
  const Stated base = stated_by(samples.base), head = stated_by(samples.head);
  for (const Unlike& param : unlike(base.params, head.params)) {
    if (!names_program_or_means(param.name)) {
      return param;
    }
  }
  for (const Unlike& fact : unlike(base.facts, head.facts)) {
    if (names_precision(fact.name)) {
      return fact;
    }
  }
  return unlike_tokens(samples);
}

}  // namespace

std::vector<Unlike> unlike(const Params& base, const Params& head) {
  return unlike_values(base, head);
}

std::vector<Unlike> unlike(const std::map<std::string, std::string>& base,
                           const std::map<std::string, std::string>& head) {
  return unlike_values(base, head);
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

std::set<std::string> keys_of(const Params& a, const Params& b) {
  std::set<std::string> keys;
  for (const Params* params : {&a, &b}) {
    for (const auto& [key, value] : *params) {
      keys.insert(key);
    }
  }
  return keys;
}

Stated stated_by(const std::vector<const Invocation*>& invocations) {
  Stated stated;
  for (const Invocation* invocation : invocations) {
    for (const Block& block : invocation->blocks) {
      stated.params.insert(block.params.begin(), block.params.end());
      stated.facts.insert(block.facts.begin(), block.facts.end());
    }
  }
  return stated;
}

std::set<std::string> keys_set_apart(const PlannedWorkload& planned) {
  std::set<std::string> keys;
  if (!planned.base_params) {
    return keys;
  }
  const Params &base = *planned.base_params, &head = planned.workload.params;
  for (const std::string& key : keys_of(base, head)) {
    if (!base.contains(key) || !head.contains(key) || !same_value(base.at(key), head.at(key))) {
      keys.insert(key);
    }
  }
  return keys;
}

bool accounts_for(const std::string& key, const std::string& fact) {
  return key == fact || ((key == "backend" || key == "blas") && fact.starts_with("blas")) ||
         (names_a_program(key) && !names_means(fact) && !names_precision(fact));
}

bool names_program_or_means(std::string_view key) {
  return names_a_program(key) || names_means(key) ||
         is_one_of(key, {"backend", "blas", "blas_core", "compiler", "flags", "simd"});
}

std::optional<Unlike> why_not_same_work(const WorkloadSamples& samples) {
  const std::set<std::string> keys = keys_set_apart(*samples.planned);
  return keys.empty() || !all_name_program_or_means(keys) ? std::nullopt : unlike_work(samples);
}

bool same_work_but_for(const WorkloadSamples& samples, const std::set<std::string>& named) {
  const Stated base = stated_by(samples.base), head = stated_by(samples.head);
  const std::set<std::string> apart = keys_set_apart(*samples.planned);
  const auto may_differ = [&](const std::string& key) {
    const auto at_base = base.params.find(key), at_head = head.params.find(key);
    const bool ran_alike = at_base != base.params.end() && at_head != head.params.end() &&
                           same_value(at_base->second, at_head->second);
    return ran_alike || names_program_or_means(key) || named.contains(key);
  };
  return apart.empty() || (std::ranges::all_of(apart, may_differ) &&
                           (!all_name_program_or_means(named) || !unlike_work(samples)));
}

std::optional<Unlike> unlike_tokens(const WorkloadSamples& samples) {
  const std::optional<double> at_base = tokens_per_step(samples.base),
                              at_head = tokens_per_step(samples.head);
  return at_base && at_head && *at_base != *at_head
             ? std::optional(Unlike{"tokens_per_step", to_text(*at_base), to_text(*at_head)})
             : std::nullopt;
}

}  // namespace perf

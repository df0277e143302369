#include "analyzer/samples/same_work.h"

#include <algorithm>
#include <array>
#include <optional>

namespace perf {
namespace {

template <std::size_t count>
bool is_one_of(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool names_a_program(std::string_view key) {
  constexpr std::array<std::string_view, 5> names{"implementation", "framework", "library",
                                                  "engine", "runtime"};
  return is_one_of(names, key);
}

bool names_precision(std::string_view key) {
  constexpr std::array<std::string_view, 3> names{"dtype", "precision", "weights"};
  return is_one_of(names, key);
}

bool names_means(std::string_view key) {
  constexpr std::array<std::string_view, 3> names{"threads", "blas_threads", "device"};
  return is_one_of(names, key);
}

std::optional<double> tokens_per_step(const std::vector<const Invocation*>& invocations) {
  return invocations.empty() || invocations.front()->blocks.size() != 1
             ? std::nullopt
             : invocations.front()->blocks.front().tokens_per_step;
}

bool all_say_who_or_how(const std::set<std::string>& keys) {
  return std::all_of(keys.begin(), keys.end(), says_who_or_how);
}

// The first thing by which both sides say that they computed something else.
std::optional<Unlike> unlike_work(const WorkloadSamples& samples) {
  const Said base = said_by(samples.base), head = said_by(samples.head);
  for (const auto& [key, at_base] : base.params) {
    const auto at_head = head.params.find(key);
    if (at_head != head.params.end() && !says_who_or_how(key) &&
        !same_value(at_base, at_head->second)) {
      return Unlike{key, to_text(at_base), to_text(at_head->second)};
    }
  }
  for (const auto& [fact, at_base] : base.facts) {
    const auto at_head = head.facts.find(fact);
    if (names_precision(fact) && at_head != head.facts.end() && at_head->second != at_base) {
      return Unlike{fact, at_base, at_head->second};
    }
  }
  return unlike_tokens(samples);
}

}  // namespace

Said said_by(const std::vector<const Invocation*>& invocations) {
  Said said;
  for (const Invocation* invocation : invocations) {
    for (const Block& block : invocation->blocks) {
      said.params.insert(block.params.begin(), block.params.end());
      said.facts.insert(block.facts.begin(), block.facts.end());
    }
  }
  return said;
}

std::set<std::string> keys_set_apart(const PlannedWorkload& planned) {
  std::set<std::string> keys;
  if (!planned.base_params) {
    return keys;
  }
  const Params &base = *planned.base_params, &head = planned.workload.params;
  for (const auto& [key, value] : head) {
    const auto at_base = base.find(key);
    if (at_base == base.end() || !same_value(at_base->second, value)) {
      keys.insert(key);
    }
  }
  for (const auto& [key, value] : base) {
    if (head.count(key) == 0) {
      keys.insert(key);
    }
  }
  return keys;
}

bool accounts_for(const std::string& key, const std::string& fact) {
  return key == fact || ((key == "backend" || key == "blas") && fact.rfind("blas", 0) == 0) ||
         (names_a_program(key) && !names_means(fact) && !names_precision(fact));
}

bool says_who_or_how(std::string_view key) {
  constexpr std::array<std::string_view, 6> names{"backend",  "blas",  "blas_core",
                                                  "compiler", "flags", "simd"};
  return names_a_program(key) || names_means(key) || is_one_of(names, key);
}

std::optional<Unlike> why_not_same_work(const WorkloadSamples& samples) {
  const std::set<std::string> keys = keys_set_apart(*samples.planned);
  return keys.empty() || !all_say_who_or_how(keys) ? std::nullopt : unlike_work(samples);
}

bool same_work_but_for(const WorkloadSamples& samples, const std::set<std::string>& named) {
  const Said base = said_by(samples.base), head = said_by(samples.head);
  const std::set<std::string> apart = keys_set_apart(*samples.planned);
  const auto may_differ = [&](const std::string& key) {
    const auto at_base = base.params.find(key), at_head = head.params.find(key);
    const bool ran_alike = at_base != base.params.end() && at_head != head.params.end() &&
                           same_value(at_base->second, at_head->second);
    return ran_alike || says_who_or_how(key) || named.count(key) > 0;
  };
  return apart.empty() || (std::all_of(apart.begin(), apart.end(), may_differ) &&
                           (!all_say_who_or_how(named) || !unlike_work(samples)));
}

std::optional<Unlike> unlike_tokens(const WorkloadSamples& samples) {
  const std::optional<double> at_base = tokens_per_step(samples.base),
                              at_head = tokens_per_step(samples.head);
  return at_base && at_head && *at_base != *at_head
             ? std::optional(Unlike{"tokens_per_step", to_text(*at_base), to_text(*at_head)})
             : std::nullopt;
}

}  // namespace perf

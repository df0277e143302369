#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "collector/plan/config_source.h"
#include "schema/text/lists.h"
#include "schema/text/units.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

constexpr std::size_t kShown = 6;

bool has_workload(const Config& config, const std::string& name) {
  return std::ranges::any_of(
      config.workloads, [&](const ConfiguredWorkload& one) { return one.workload.name == name; });
}

/// "10m", "1ms".
std::string short_text(double seconds) {
  return seconds < 1 ? std::to_string(std::llround(seconds * 1e3)) + "ms" : duration_text(seconds);
}

/// The workload whose own rules these are; for those of its children too.
std::string workload_of(const ThresholdRule& rule) {
  const std::string& glob = rule.workload_glob;
  return glob.ends_with("/*") ? glob.substr(0, glob.size() - 2) : glob;
}

/// The last threshold for each workload and metric.
std::map<std::string, double> thresholds_of(const Config& config, const Policy& policy) {
  std::map<std::string, double> thresholds;
  for (const ThresholdRule& rule : policy.thresholds) {
    if (rule.workload_glob.ends_with("/*") && has_workload(config, workload_of(rule))) {
      continue;  // is shown with that of the workload
    }
    const std::string space = rule.workload_glob.empty() || rule.metric.empty() ? "" : " ";
    thresholds[rule.workload_glob + space + rule.metric] = rule.threshold;
  }
  return thresholds;
}

/// "threshold 10 % -> 900 %", for people.
class Changes {
 public:
  void add(const std::string& what, const std::string& base, const std::string& head) {
    if (base != head) {
      texts_.push_back(what + " " + base + " -> " + head);
    }
  }
  void add(std::string text) { texts_.push_back(std::move(text)); }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_{};
};

void add_thresholds(const std::map<std::string, double>& at_base,
                    const std::map<std::string, double>& at_head, Changes& changes) {
  for (const auto& [of, threshold] : at_base) {
    const auto found = at_head.find(of);
    changes.add("threshold of " + of, percentage_text(threshold),
                found == at_head.end() ? "none" : percentage_text(found->second));
  }
  for (const auto& [of, threshold] : at_head) {
    if (!at_base.contains(of)) {
      changes.add("threshold of " + of, "none", percentage_text(threshold));
    }
  }
}

/// The targets of base, and those whose names only head has.
std::vector<Target> targets_of(const Config& base, const Config& head, Changes& changes) {
  std::vector<Target> targets = base.targets;
  for (const Target& target : base.targets) {
    const auto found = std::ranges::find(head.targets, target.name, &Target::name);
    if (found == head.targets.end()) {
      changes.add("target " + target.name + " removed");
    } else if (*found != target) {
      changes.add("target " + target.name + " changed");
    }
  }
  std::ranges::copy_if(head.targets, std::back_inserter(targets), [&](const Target& target) {
    return std::ranges::find(base.targets, target.name, &Target::name) == base.targets.end();
  });
  return targets;
}

/// Inputs that base's config names count at head too. Where it names none, head's do not: without
/// them a workload that cannot be traced is measured.
void add_inputs(const Config& base, Config& head) {
  for (const ConfiguredWorkload& before : base.workloads) {
    for (ConfiguredWorkload& entry : head.workloads) {
      if (entry.workload.name != before.workload.name) {
        continue;
      }
      std::vector<std::string>& inputs = entry.workload.inputs;
      if (before.workload.inputs.empty()) {
        inputs.clear();
      }
      std::ranges::copy_if(
          before.workload.inputs, std::back_inserter(inputs),
          [&](const std::string& glob) { return std::ranges::find(inputs, glob) == inputs.end(); });
    }
  }
}

/// The workloads that head's config runs in another way; its way applies to both sides.
std::vector<std::string> run_otherwise(const Config& base, const Config& head,
                                       const std::string& size) {
  std::vector<std::string> names;
  const std::vector<Workload> before = workloads_of_size(base, size);
  for (const Workload& workload : workloads_of_size(head, size)) {
    const auto found = std::ranges::find(before, workload.name, &Workload::name);
    if (found != before.end() &&
        (way_of_running(*found) != way_of_running(workload) || found->params != workload.params)) {
      names.push_back(workload.name);
    }
  }
  return names;
}

}  // namespace

std::vector<Warning> judge_by(const Config& base, const std::string& size, Config& head) {
  Changes changes;
  Policy policy = base.policy, of_head = head.policy;
  std::erase_if(of_head.thresholds, [&](const ThresholdRule& rule) {
    const std::string name = workload_of(rule);
    const bool is_of_new = has_workload(head, name) && !has_workload(base, name);
    if (is_of_new) {
      policy.thresholds.push_back(rule);
    }
    return is_of_new;
  });
  changes.add("threshold", percentage_text(policy.threshold), percentage_text(of_head.threshold));
  changes.add("alpha", percentage_text(policy.alpha), percentage_text(of_head.alpha));
  changes.add("budget", short_text(policy.budget), short_text(of_head.budget));
  add_thresholds(thresholds_of(base, base.policy), thresholds_of(head, of_head), changes);
  head.targets = targets_of(base, head, changes);
  head.policy = std::move(policy);
  add_inputs(base, head);

  std::vector<Warning> warnings;
  if (!changes.texts().empty()) {
    warnings.push_back(
        {WarningKind::policy_of_base, {}, {{"changes", some_of(changes.texts(), kShown)}}});
  }
  if (const std::vector<std::string> names = run_otherwise(base, head, size); !names.empty()) {
    warnings.push_back({WarningKind::run_otherwise, {}, {{"workloads", some_of(names, kShown)}}});
  }
  return warnings;
}

}  // namespace perf

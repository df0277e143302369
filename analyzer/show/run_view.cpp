#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/samples/series.h"
#include "analyzer/show/views.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/child_name.h"

namespace perf {
namespace {

std::string why_apart(const Invocation& invocation, const Plan& plan) {
  const bool is_control = std::any_of(
      plan.workloads.begin(), plan.workloads.end(), [&invocation](const PlannedWorkload& planned) {
        return planned.workload.name == invocation.workload && !planned.control_of.empty();
      });
  return invocation.counted            ? "counted"
         : invocation.layout_seed != 0 ? "relinked"
         : is_control                  ? "control"
                                       : "";
}

std::optional<double> step_time_of(const Block& block) {
  if (block.pruned) {
    return block.pruned->timed > 0 ? std::optional(block.pruned->median) : std::nullopt;
  }
  const std::vector<double> steps = timed_steps(block);
  return steps.empty() ? std::nullopt : std::optional(median(steps));
}

void describe_steps(const Invocation& invocation, ShownProcess& shown) {
  shown.blocks = static_cast<int>(invocation.blocks.size());
  for (const Block& block : invocation.blocks) {
    shown.pruned |= block.pruned.has_value();
    shown.steps += block.pruned ? block.pruned->timed : static_cast<int>(timed_steps(block).size());
  }
  if (shown.blocks == 1) {
    shown.step_time = step_time_of(invocation.blocks.front());
  }
}

ShownProcess shown_process(const Invocation& invocation, const Plan& plan) {
  ShownProcess shown;
  shown.start_order = invocation.start_order;
  shown.workload = invocation.workload;
  shown.side = invocation.side;
  shown.pair = invocation.pair;
  shown.attempt = invocation.attempt;
  shown.paired = invocation.paired;
  shown.apart = why_apart(invocation, plan);
  const ProcessResult& process = invocation.process;
  shown.exit_code = process.exit_code;
  shown.signal = process.signal;
  shown.timed_out = process.timed_out;
  shown.failure = invocation.failure;
  shown.wall = process.wall;
  shown.peak_rss = process.peak_rss;
  describe_steps(invocation, shown);
  if (!invocation.ok()) {
    shown.stdout_text = process.stdout_text;
    shown.stderr_text = process.stderr_text;
  }
  return shown;
}

/// What the processes of one side said of one workload.
struct Said {
  int processes = 0;
  std::vector<double> step_times, peaks;
};

/// Workload and side, base first.
using SaidBy = std::map<std::pair<std::string, bool>, Said>;

void add_blocks(const Invocation& invocation, bool several, SaidBy& said) {
  std::set<std::string> taken;
  for (const Block& block : invocation.blocks) {
    const std::string& entry = invocation.workload;
    Said& one = said[{several ? child_name(entry, block.workload, taken) : entry,
                      invocation.side == Side::head}];
    ++one.processes;
    if (const std::optional<double> seconds = step_time_of(block)) {
      one.step_times.push_back(*seconds);
    }
    if (invocation.process.peak_rss) {
      one.peaks.push_back(static_cast<double>(*invocation.process.peak_rss));
    }
  }
}

std::vector<ShownMedian> medians_of(const Plan& plan, const History& history) {
  std::set<std::string> several;
  for (const Invocation& invocation : history.invocations) {
    if (invocation.blocks.size() > 1) {
      several.insert(invocation.workload);
    }
  }
  SaidBy said;
  for (const Invocation& invocation : history.invocations) {
    if (invocation.ok() && why_apart(invocation, plan).empty()) {
      add_blocks(invocation, several.count(invocation.workload) > 0, said);
    }
  }
  const auto middle = [](const std::vector<double>& values) {
    return values.empty() ? std::nullopt : std::optional(median(values));
  };
  std::vector<ShownMedian> medians;
  for (const auto& [key, one] : said) {
    medians.push_back({key.first, key.second ? Side::head : Side::base, one.processes,
                       middle(one.step_times), middle(one.peaks)});
  }
  return medians;
}

}  // namespace

RunView run_view(const ListedRun& run, const Plan& plan, const Policy& policy,
                 const History& history) {
  RunView view{run, plan, policy, history.measured, {}, medians_of(plan, history)};
  for (const Invocation& invocation : history.invocations) {
    view.processes.push_back(shown_process(invocation, plan));
  }
  return view;
}

}  // namespace perf

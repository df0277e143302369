#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "ci/cli/init/proposal.h"
#include "ci/cli/run/signals.h"
#include "collector/build/build_cache.h"
#include "collector/build/build_excerpt.h"
#include "collector/git/repository.h"
#include "collector/machine/environment.h"
#include "collector/process/workload_runner.h"
#include "reporter/text/quantity.h"
#include "schema/config.h"
#include "schema/error.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

using Workloads = std::vector<ProposedWorkload>;
using Command = std::vector<std::string>;

struct Trial {
  Proposal& proposal;
  const Repository& repository;
  ProgressView& progress;
  std::string oid, machine;
  Workloads kept{};
  std::map<Command, Checkout> failures{};                       ///< by the command
  std::vector<std::pair<std::string, std::string>> left_out{};  ///< why, and the names of all
  std::string lacked{};  ///< by the machine, as a remedy; empty: nothing
};

/// Builds the config of these workloads alone.
Checkout build(const Workloads& workloads, Trial& trial, Config& config) {
  trial.proposal.workloads = workloads;
  config = read_config(render_config(trial.proposal), "the config");
  const Command command = config.build ? config.build->command : Command{};
  if (const auto failure = trial.failures.find(command); failure != trial.failures.end()) {
    return failure->second;
  }
  const auto say = [&](const std::string& line) { trial.progress.say(line); };
  Checkout checkout = build_revision(trial.repository, counted(std::ssize(workloads), "workload"),
                                     {trial.oid, config.build, trial.machine},
                                     build_cache_folder(environment_variable),
                                     {trial.repository.process(), say, is_interrupted, false});
  if (failed(checkout)) {  // its log alone is of use, and others may follow
    std::error_code ignored;
    std::filesystem::remove_all(checkout.directory, ignored);
    checkout.hold.reset();
    trial.failures.emplace(command, checkout);
  }
  return checkout;
}

void leave_out(const ProposedWorkload& workload, const std::string& why, const std::string& more,
               Trial& trial) {
  const auto known =
      std::ranges::find(trial.left_out, why, &std::pair<std::string, std::string>::first);
  if (known == trial.left_out.end()) {
    trial.progress.say(workload.name + " left out: " + why + more);
    trial.left_out.emplace_back(why, workload.name);
  } else {
    trial.progress.say(workload.name + " left out for the same reason");
    known->second += ", " + workload.name;
  }
}

void run_once(const ProposedWorkload& proposed, const Workload& workload, const Checkout& checkout,
              Trial& trial) {
  Invocation invocation;
  invocation.workload = workload.name;
  invocation.steps_wanted = 1;
  const Invocation ran =
      WorkloadRunner(trial.repository.process()).run(workload, checkout.directory, invocation);
  if (is_interrupted()) {
    return;
  }
  if (!ran.ok()) {
    return leave_out(proposed, ran.failure, "; " + what_to_try(workload, checkout.directory),
                     trial);
  }
  trial.progress.say(proposed.name + " works, took " + reporter::elapsed(ran.process.wall));
  trial.kept.push_back(proposed);
}

/// A failure of the machine is named as such, and remembered.
std::string why_not_built(const Checkout& checkout, Trial& trial) {
  const std::string line = main_line(checkout.excerpt);
  trial.lacked = checkout.starved ? checkout.remedy : trial.lacked;
  return (checkout.starved ? "the machine lacked resources: it " : "") + checkout.failure +
         (line.empty() ? "" : ": " + line);
}

/// What does not build together is halved until it is known which does not.
void try_group(const Workloads& group, Trial& trial) {
  Config config;
  const Checkout checkout = build(group, trial, config);
  if (failed(checkout) && group.size() > 1) {
    const auto middle = group.begin() + std::ssize(group) / 2;
    try_group({group.begin(), middle}, trial);
    return try_group({middle, group.end()}, trial);
  }
  for (std::size_t i = 0; i < group.size() && !is_interrupted(); ++i) {
    if (failed(checkout)) {
      leave_out(group[i], why_not_built(checkout, trial),
                "; see " + checkout.log.string() +
                    (checkout.remedy.empty() ? "" : "; hint: " + checkout.remedy),
                trial);
    } else {
      run_once(group[i], config.workloads[i].workload, checkout, trial);
    }
  }
}

/// All that are left have to work with one build. If only the machine lacks what that takes, none
/// of them is to blame.
void build_together(Trial& trial) {
  for (Config config; !trial.kept.empty() && !is_interrupted(); trial.kept.pop_back()) {
    const Checkout checkout = build(trial.kept, trial, config);
    if (!failed(checkout)) {
      return;
    }
    const std::string why = why_not_built(checkout, trial);
    if (checkout.starved) {
      trial.proposal.notes.push_back("each works alone, but together: " + why + "; " +
                                     checkout.remedy);
      return;
    }
    leave_out(trial.kept.back(), "fails together with the others: " + why, "", trial);
  }
}

}  // namespace

void try_out(Proposal& proposal, const Repository& repository, ProgressView& progress) {
  proposal.tried = true;
  const std::size_t found = proposal.workloads.size();
  Trial trial{proposal, repository, progress, snapshot(repository).oid,
              probe_environment(this_machine(repository.process())).fingerprint};
  try_group(Workloads(proposal.workloads), trial);
  build_together(trial);
  prune_builds(build_cache_folder(environment_variable), repository.common_dir());
  for (const auto& [why, names] : trial.left_out) {
    proposal.left_out.push_back(names + ": " + why);
  }
  if (trial.kept.empty() && !is_interrupted()) {
    throw Error("no workload could be built and run", counted(found, "workload"),
                (trial.lacked.empty() ? "fix the problems above" : trial.lacked) +
                    ", or write the config untried: perf-compare init");
  }
  proposal.workloads = std::move(trial.kept);
}

}  // namespace perf

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/rows/layout_effect.h"
#include "analyzer/samples/samples.h"
#include "ci/cli/output/explain.h"
#include "ci/cli/run/signals.h"
#include "collector/build/build_cache.h"
#include "collector/layout/hot_code.h"
#include "collector/process/process.h"
#include "schema/error.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// A build that has not moved its code by the second seed does not honour it.
constexpr int kSeedsToMove = 2;

/// A flagged row whose hot code is the same at base and head.
struct Suspect {
  Comparison* row = nullptr;
  std::size_t workload = 0;
  HotPlaces places;
  bool moved = false;  ///< by a layout seed
};

/// What a process is given beyond the deadline, in seconds, so that it is known to be past by the
/// time the process is ended for it.
constexpr double kGrace = 0.1;

RunProcess run_until(const RunProcess& run_process, double deadline) {
  return [run_process, deadline](ProcessRequest request) {
    const double left = std::max(deadline - monotonic_seconds(), 0.0) + kGrace;
    request.timeout = request.timeout > 0 ? std::min(request.timeout, left) : left;
    return run_process(request);
  };
}

/// Both sides of a run, built with a layout seed. The destructor removes them from the run and the
/// cache, except a failed build, whose failure names the log.
class RelinkedBuilds {
 public:
  /// Builds, into the run's checkouts. What is not done by the deadline, by monotonic_seconds(), is
  /// ended and counts as interrupted. Throws Error where the cache cannot be written.
  RelinkedBuilds(Run& run, std::uint64_t seed, double deadline)
      : run_(run), folder_(build_cache_folder(environment_variable)) {
    run_.planned.layout_seed = seed;
    run_.checkouts = prepare(run_.planned, *run_.context.repository, folder_,
                             {run_until(run_.context.run_process, deadline), {}, [deadline] {
                                return is_interrupted() || monotonic_seconds() >= deadline;
                              }});
  }
  ~RelinkedBuilds() {
    const Plan& plan = run_.planned.plan;
    const bool keep_base = failed(run_.checkouts.base), keep_head = failed(run_.checkouts.head);
    run_.checkouts = {};
    if (!keep_base) {
      discard(plan.base->oid, run_.planned.base_build);
    }
    if (!keep_head) {
      discard(plan.head.oid, run_.planned.head_build);
    }
  }
  RelinkedBuilds(const RelinkedBuilds&) = delete;
  RelinkedBuilds& operator=(const RelinkedBuilds&) = delete;

  bool usable() const {
    return run_.checkouts.base.failure.empty() && run_.checkouts.head.failure.empty();
  }
  /// Which side could not be built, and why; empty where both are, or were interrupted.
  std::string failure() const {
    if (failed(run_.checkouts.head)) {
      return "head " + failure_line(run_.checkouts.head);
    }
    return failed(run_.checkouts.base) ? "base " + failure_line(run_.checkouts.base) : "";
  }

 private:
  void discard(const std::string& oid, const std::optional<BuildCommand>& build) const {
    try {
      discard_build({oid, build, run_.planned.plan.environment.fingerprint,
                     run_.planned.layout_seed, run_.planned.outside, run_.planned.counts},
                    folder_);
    } catch (const Error&) {
      // It stays in the cache until that is pruned.
    }
  }

  Run& run_;
  std::filesystem::path folder_;
};

/// What can be compared without a profile: all functions of whatever is linked in the checkouts,
/// where both sides have the workload's own program at the same place. The program alone would not
/// do: it may spend its time in a shared library of its own, or in another program.
HotPlaces own_functions(const Run& run, std::size_t workload,
                        const std::set<std::filesystem::path>& linked_at_base,
                        const std::set<std::filesystem::path>& linked_at_head) {
  const Workload& planned = run.planned.plan.workloads[workload].workload;
  const auto base = own_program(planned, run.checkouts.base.directory);
  const auto head = own_program(planned, run.checkouts.head.directory);
  HotPlaces places;
  if (base && base == head) {
    places[*base];
    for (const auto* linked : {&linked_at_base, &linked_at_head}) {
      for (const std::filesystem::path& file : *linked) {
        places[file];
      }
    }
  }
  return places;
}

HotCode compare(const Run& run, const HotPlaces& places) {
  return compare_hot_code(run.context.run_process, places, run.checkouts.base.directory,
                          run.checkouts.head.directory);
}

/// By the profiles of both sides.
HotCode compare_sampled(const Run& run, Profiling& profiling, const Comparison& row,
                        std::size_t workload) {
  const Profile& base = profiling.of(workload, Side::base);
  const Profile& head = profiling.of(workload, Side::head);
  const std::string& problem = base.problem.empty() ? head.problem : base.problem;
  if (!problem.empty()) {
    return {HotCode::Same::unknown, "the hot code is unknown: " + problem, {}};
  }
  const std::filesystem::path& base_folder = run.checkouts.base.directory;
  const std::filesystem::path& head_folder = run.checkouts.head.directory;
  HotPlaces places = hot_places(base, base_folder);
  for (const auto& [file, symbols] : hot_places(head, head_folder)) {
    places[file].insert(symbols.begin(), symbols.end());
  }
  if (!can_explain(row, share_of(places, base, base_folder), share_of(places, head, head_folder))) {
    return {HotCode::Same::unknown,
            "the time went elsewhere than into hot functions of the checkout",
            {}};
  }
  return compare(run, places);
}

/// Where nothing is linked on a side, as with scripts, nothing can be hot there, and sampling it
/// would take longer than all the rest.
HotCode hot_code_of(const Run& run, Profiling& profiling, const Comparison& row,
                    std::size_t workload) {
  const auto base = linked_files(run.checkouts.base.directory),
             head = linked_files(run.checkouts.head.directory);
  if (base.empty() || head.empty()) {
    return {HotCode::Same::unknown, "no program or library is linked in the checkouts", {}};
  }
  const HotCode all = compare(run, own_functions(run, workload, base, head));
  return all.same == HotCode::Same::identical ? all
                                              : compare_sampled(run, profiling, row, workload);
}

std::vector<Suspect> find_suspects(const Run& run, Profiling& profiling, Report& report) {
  std::vector<Suspect> suspects;
  for (Comparison& row : report.comparisons) {
    const std::optional<std::size_t> workload = workload_of(row.workload, run.planned.plan);
    if (!is_flagged_time(row) || !workload || is_interrupted()) {
      continue;
    }
    HotCode hot = hot_code_of(run, profiling, row, *workload);
    if (hot.same == HotCode::Same::identical) {
      suspects.push_back({&row, *workload, std::move(hot.places)});
    } else if (run.context.options.verbose) {
      run.progress->say(row.workload + ": not checked for a layout effect: " + hot.reason);
    }
  }
  return suspects;
}

void note_moves(const Run& run, const Run& relinked, std::vector<Suspect>& suspects) {
  for (Suspect& suspect : suspects) {
    suspect.moved =
        suspect.moved || is_moved(run.context.run_process, suspect.places,
                                  run.checkouts.head.directory, relinked.checkouts.head.directory);
  }
}

/// One pair of each suspect's workload.
void measure_pairs(Run& relinked, const std::vector<Suspect>& suspects, std::uint64_t seed,
                   double budget) {
  std::set<std::size_t> done;
  for (const Suspect& suspect : suspects) {
    if (!done.insert(suspect.workload).second) {
      continue;
    }
    bool asked = false;
    measure(relinked, [&](const Standing& at) -> std::optional<Demand> {
      return std::exchange(asked, true) ? std::nullopt
                                        : layout_demand(*suspect.row, *at.plan, *at.measurements,
                                                        relinked.policy, seed, budget);
    });
  }
}

void announce_relinking(const Run& run, const std::vector<Suspect>& suspects, int builds) {
  std::string names =
      joined(suspects, ", ", [](const Suspect& suspect) { return suspect.row->workload; });
  run.progress->say("the hot code of " + names + " is the same at base and head: linking both " +
                    std::to_string(builds) + " times again, to detect a layout effect");
}

/// If the build did not move the code, a layout effect is only suspected.
void drop_unmoved(std::vector<Suspect>& suspects) {
  const auto stays = [](const Suspect& suspect) { return !suspect.moved; };
  for (Suspect& suspect : suspects) {
    if (stays(suspect)) {
      suspect.row->layout = LayoutEffect{kLayoutEffectSuspected, {}, {}, 0};
    }
  }
  std::erase_if(suspects, stays);
}

/// Links both sides anew with up to this many seeds and measures the suspects in them; answers why
/// there are no more pairs than there are, for a row that would need more.
std::string measure_relinked(const Run& run, int wanted, double deadline,
                             std::vector<Suspect>& suspects, Run& relinked) {
  std::string too_late = "both could not be linked anew often enough within the budget";
  double expected = run.build_seconds;  // s for what is still to be done
  double longest = 0;                   // s that one seed took
  for (int seed = 1; seed <= wanted && !is_interrupted(); ++seed) {
    const double began = monotonic_seconds();
    if (began >= deadline || began + expected > deadline) {
      return too_late;
    }
    const RelinkedBuilds builds(relinked, static_cast<std::uint64_t>(seed), deadline);
    if (!builds.usable()) {
      return builds.failure().empty() ? too_late : "linked anew, " + builds.failure();
    }
    if (seed <= kSeedsToMove) {
      note_moves(run, relinked, suspects);
    }
    if (seed == kSeedsToMove) {
      drop_unmoved(suspects);
    }
    measure_pairs(relinked, suspects, static_cast<std::uint64_t>(seed),
                  deadline - monotonic_seconds());
    if (suspects.empty() || relinked.measurements.budget_spent) {
      return too_late;
    }
    longest = std::max(longest, monotonic_seconds() - began);
    expected = longest * (wanted - seed);
  }
  return "too few pairs of builds that were linked anew could be measured";
}

/// Writes the result into the row; `otherwise`: why there are too few pairs.
void label(const Run& relinked, const Suspect& suspect, const std::string& otherwise) {
  Comparison& row = *suspect.row;
  const std::vector<double> differences =
      layout_differences(row, relinked.planned.plan, relinked.measurements, relinked.policy);
  if (const std::optional<LayoutEffect> effect =
          layout_effect(row, differences, relinked.policy.alpha)) {
    if (effect->label.empty()) {
      row.notes.push_back(layout_note(*effect));
    } else {
      row.layout = effect;
    }
  } else if (!is_interrupted()) {
    row.notes.push_back({WarningKind::layout_not_tested, {}, {{"why", otherwise}}});
  }
}

}  // namespace

void label_layout_effects(const Run& run, Profiling& profiling, double budget, Report& report) {
  const auto& [base, head] = run.checkouts;
  if (!base.failure.empty() || !head.failure.empty() || base.directory == head.directory) {
    return;
  }
  const double deadline = monotonic_seconds() + budget;
  std::vector<Suspect> suspects = find_suspects(run, profiling, report);
  if (suspects.empty()) {
    return;
  }
  int wanted = 0;
  for (const Suspect& suspect : suspects) {
    wanted = std::max(wanted, layout_pairs(*suspect.row));
  }
  announce_relinking(run, suspects, wanted);
  Run relinked = run;
  relinked.shows_rows = false;
  relinked.measurements.budget_spent = false;
  const std::string otherwise = measure_relinked(run, wanted, deadline, suspects, relinked);
  for (const Suspect& suspect : suspects) {
    label(relinked, suspect, otherwise);
  }
  report.measured = relinked.measurements.measured;
}

}  // namespace perf

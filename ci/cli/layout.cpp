#include "ci/cli/layout.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/rows/layout_effect.h"
#include "analyzer/samples/planned_workload.h"
#include "ci/cli/interruption.h"
#include "ci/cli/relinked_builds.h"
#include "collector/layout/hot_code.h"
#include "collector/layout/linked_files.h"
#include "collector/process/monotonic.h"

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

/// What can be compared without a profile: all functions of whatever is linked in the checkouts,
/// where both sides have the workload's own program at the same place. The program alone would not
/// do: it may spend its time in a shared library of its own, or in another program.
HotPlaces own_functions(const Explanation& with, std::size_t workload) {
  const Workload& planned = with.run.plan.workloads[workload].workload;
  const auto base = own_program(planned, with.checkouts.base.directory);
  const auto head = own_program(planned, with.checkouts.head.directory);
  HotPlaces places;
  if (base && base == head) {
    places[*base];
    for (const Checkout* side : {&with.checkouts.base, &with.checkouts.head}) {
      for (const std::filesystem::path& file : linked_files(side->directory)) {
        places[file];
      }
    }
  }
  return places;
}

HotCode compare(const Explanation& with, const HotPlaces& places) {
  return compare_hot_code(with.session.run_process, places, with.checkouts.base.directory,
                          with.checkouts.head.directory);
}

HotCode no_telling(const std::string& reason) {
  HotCode code;
  code.reason = reason;
  return code;
}

/// By the profiles of both sides.
HotCode compare_sampled(const Explanation& with, Profiling& profiling, const Comparison& row,
                        std::size_t workload) {
  const Profile& base = profiling.of(workload, Side::base);
  const Profile& head = profiling.of(workload, Side::head);
  const std::string& problem = base.problem.empty() ? head.problem : base.problem;
  if (!problem.empty()) {
    return no_telling("which code is hot is not known: " + problem);
  }
  const std::filesystem::path& base_folder = with.checkouts.base.directory;
  const std::filesystem::path& head_folder = with.checkouts.head.directory;
  HotPlaces places = hot_places(base, base_folder);
  for (const auto& [file, symbols] : hot_places(head, head_folder)) {
    places[file].insert(symbols.begin(), symbols.end());
  }
  if (!can_explain(row, share_of(places, base, base_folder), share_of(places, head, head_folder))) {
    return no_telling("the time went elsewhere than into hot functions of the checkout");
  }
  return compare(with, places);
}

HotCode hot_code_of(const Explanation& with, Profiling& profiling, const Comparison& row,
                    std::size_t workload) {
  const HotCode all = compare(with, own_functions(with, workload));
  return all.same == HotCode::Same::identical ? all
                                              : compare_sampled(with, profiling, row, workload);
}

std::vector<Suspect> find_suspects(const Explanation& with, Profiling& profiling, Report& report) {
  std::vector<Suspect> suspects;
  for (Comparison& row : report.comparisons) {
    const std::optional<std::size_t> workload = workload_of(row, with.run.plan);
    if (!is_flagged_time(row) || !workload || interruption() != 0) {
      continue;
    }
    HotCode hot = hot_code_of(with, profiling, row, *workload);
    if (hot.same == HotCode::Same::identical) {
      suspects.push_back({&row, *workload, std::move(hot.places)});
    } else if (with.session.options.verbose) {
      with.progress.say(row.workload + ": no layout effect to look for: " + hot.reason);
    }
  }
  return suspects;
}

void note_moves(const Explanation& with, const Checkouts& relinked,
                std::vector<Suspect>& suspects) {
  for (Suspect& suspect : suspects) {
    suspect.moved =
        suspect.moved || is_moved(with.session.run_process, suspect.places,
                                  with.checkouts.head.directory, relinked.head.directory);
  }
}

/// One pair of each suspect's workload.
void measure_pairs(const Explanation& with, const Checkouts& relinked,
                   const std::vector<Suspect>& suspects, std::uint64_t seed, double budget,
                   History& history) {
  std::set<std::size_t> done;
  for (const Suspect& suspect : suspects) {
    if (!done.insert(suspect.workload).second) {
      continue;
    }
    bool asked = false;
    const auto once = [&](const History&) -> std::optional<Demand> {
      if (asked) {
        return std::nullopt;
      }
      asked = true;
      return layout_demand(*suspect.row, with.run.plan, history, with.policy, seed, budget);
    };
    measure(with.session, with.run.plan, relinked, with.runner, with.progress, once, history);
  }
}

void say_what_is_tried(const Explanation& with, const std::vector<Suspect>& suspects, int builds) {
  std::string names;
  for (const Suspect& suspect : suspects) {
    names += (names.empty() ? "" : ", ") + suspect.row->workload;
  }
  with.progress.say("the hot code of " + names + " is the same at base and head: linking both " +
                    std::to_string(builds) + " times anew, to tell a layout effect");
}

/// Those whose code the build has not moved when asked to are only suspected, and tried no more.
void drop_unmoved(std::vector<Suspect>& suspects) {
  const auto stays = [](const Suspect& suspect) { return !suspect.moved; };
  for (Suspect& suspect : suspects) {
    if (stays(suspect)) {
      suspect.row->layout = LayoutEffect{kLayoutEffectSuspected, {}, {}, 0};
    }
  }
  suspects.erase(std::remove_if(suspects.begin(), suspects.end(), stays), suspects.end());
}

/// Links both sides anew with up to this many seeds and measures the suspects in them; answers why
/// there are no more pairs than there are, for a row that would need more.
std::string measure_relinked(const Explanation& with, int wanted, double deadline,
                             std::vector<Suspect>& suspects, History& history) {
  std::string too_late = "both could not be linked anew often enough within the budget";
  double expected = with.build_seconds;  // s for what is still to be done
  double longest = 0;                    // s that one seed took
  for (int seed = 1; seed <= wanted && interruption() == 0; ++seed) {
    const double began = monotonic_seconds();
    if (began >= deadline || began + expected > deadline) {
      return too_late;
    }
    const RelinkedBuilds builds(with.session, with.run, static_cast<std::uint64_t>(seed), deadline);
    if (!builds.failure().empty()) {
      return "linked anew, " + builds.failure();
    }
    if (!builds.usable()) {
      return too_late;
    }
    if (seed <= kSeedsToMove) {
      note_moves(with, builds.checkouts(), suspects);
    }
    if (seed == kSeedsToMove) {
      drop_unmoved(suspects);
    }
    measure_pairs(with, builds.checkouts(), suspects, static_cast<std::uint64_t>(seed),
                  deadline - monotonic_seconds(), history);
    if (suspects.empty() || history.budget_spent) {
      return too_late;
    }
    longest = std::max(longest, monotonic_seconds() - began);
    expected = longest * (wanted - seed);
  }
  return "too few pairs of builds that were linked anew could be measured";
}

/// Writes what came of it into the row; `otherwise`: why there are too few pairs.
void label(const Explanation& with, const History& history, const Suspect& suspect,
           const std::string& otherwise) {
  Comparison& row = *suspect.row;
  const std::vector<double> differences =
      layout_differences(row, with.run.plan, history, with.policy);
  if (const std::optional<LayoutEffect> effect =
          layout_effect(row, differences, with.policy.alpha)) {
    if (effect->label.empty()) {
      row.notes.push_back("the hot code is the same at base and head, but " + layout_note(*effect));
    } else {
      row.layout = effect;
    }
  } else if (interruption() == 0) {
    row.notes.push_back("may be a layout effect: the hot code is the same at base and head, but " +
                        otherwise);
  }
}

}  // namespace

void label_layout_effects(const Explanation& with, Profiling& profiling, const History& history,
                          double budget, Report& report) {
  const Checkouts& plain = with.checkouts;
  if (!plain.base.failure.empty() || !plain.head.failure.empty() ||
      plain.base.directory == plain.head.directory) {
    return;
  }
  const double deadline = monotonic_seconds() + budget;
  std::vector<Suspect> suspects = find_suspects(with, profiling, report);
  if (suspects.empty()) {
    return;
  }
  int wanted = 0;
  for (const Suspect& suspect : suspects) {
    wanted = std::max(wanted, layout_pairs(*suspect.row));
  }
  say_what_is_tried(with, suspects, wanted);
  History relinked = history;
  relinked.budget_spent = false;
  const std::string otherwise = measure_relinked(with, wanted, deadline, suspects, relinked);
  for (const Suspect& suspect : suspects) {
    label(with, relinked, suspect, otherwise);
  }
  report.measured = relinked.measured;
}

}  // namespace perf

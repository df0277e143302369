#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "analyzer/rule/early_looks.h"
#include "analyzer/samples/samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/readings.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

struct Attempt {
  const Invocation* base = nullptr;
  const Invocation* head = nullptr;
  const Invocation* before = nullptr;  ///< the process that ran before both

  bool good() const { return base && head && base->ok() && head->ok(); }
  bool base_failed() const { return base && !base->ok(); }
  bool head_failed() const { return head && !head->ok(); }
  bool failed() const { return base_failed() || head_failed(); }
};

using Attempts = std::map<int, Attempt>;  // by attempt number

SideFailure failure_of(const Invocation& failed) {
  return {failed.failure, failed.side};
}

/// Without the command that repeats it.
std::string without_command(const std::string& why) {
  return why.substr(0, why.find(std::string("; ") + kToReproduce));
}

SideFailure failure_of(const Attempt& attempt) {
  SideFailure failure = failure_of(attempt.head_failed() ? *attempt.head : *attempt.base);
  if (attempt.head_failed() && attempt.base_failed()) {
    failure.at_base = attempt.base->failure;
  }
  return failure;
}

/// A message without what differs between two checkouts and two processes: the folders of paths,
/// lines of files ("a.rs:10:5"), and numbers of four or more digits, hexadecimal ones included.
/// Exit statuses are shorter.
std::string without_places(const std::string& message) {
  constexpr std::string_view kAround = " '\"`:;,()[]{}<>=";
  constexpr std::string_view kDigits = "0123456789abcdef", kDecimal = "0123456789";
  constexpr std::size_t kPlace = 4;
  std::string kept;
  for (std::size_t i = 0; i < message.size();) {
    std::size_t end = message.find_first_not_of(kDigits, i);
    const std::string_view run = std::string_view(message).substr(i, end - i);
    if (run.size() >= kPlace && run.find_first_of(kDecimal) != run.npos) {
      i += run.size();
    } else if (message[i] == ':' && kept.find('.', kept.find_last_of(kAround) + 1) != kept.npos) {
      i = std::min(message.find_first_not_of(kDecimal, i + 1), message.size());
    } else if (message[i] == '/') {
      kept.resize(kept.find_last_of(kAround) + 1);  // npos + 1 is 0
      ++i;
    } else {
      kept += message[i++];
    }
  }
  return kept;
}

// The last failed attempt decides whose failure it was.
void settle(const Attempt& attempt, WorkloadSamples& samples) {
  if (samples.fate == Fate::failed) {
    return;
  }
  samples.reason = failure_of(attempt);
  if (attempt.head_failed()) {
    samples.fate = Fate::failed;
  } else {
    samples.fate = samples.planned->of_base ? Fate::failed : Fate::alone;
    samples.base_failed = true;
  }
}

/// Whether it failed, and only because others used the GPU.
bool is_lost_to_others(const Attempt& attempt) {
  return attempt.failed() &&
         std::ranges::all_of(std::array{attempt.base, attempt.head}, [](auto* one) {
           return !one || one->ok() || one->is_lost_to_others();
         });
}

void count_run(const Invocation& invocation, CheckResult& runs) {
  const bool at_base = invocation.side == Side::base;
  ++(at_base ? runs.base_runs : runs.head_runs);
  (at_base ? runs.base_failed : runs.head_failed) += invocation.ok() ? 0 : 1;
}

PairPlace place_of(const Attempt& pair, const std::string& base_oid) {
  PairPlace place{pair.base->start_order < pair.head->start_order, {}};
  if (const Invocation* before = pair.before) {  // both sides of a control arm run base
    place.after_base =
        pair.base->oid == pair.head->oid ? before->side == Side::base : before->oid == base_oid;
  }
  return place;
}

void sort_out_pairs(const std::map<int, Attempts>& pairs, const std::string& base_oid, bool ended,
                    WorkloadSamples& samples) {
  std::vector<std::vector<Attempt>> lost;  // the failed attempts of each
  for (const auto& [number, attempts] : pairs) {
    std::vector<Attempt> failed;
    const Attempt* good = nullptr;
    for (const auto& [order, attempt] : attempts) {
      if (attempt.failed()) {
        failed.push_back(attempt);
      } else if (!good && attempt.good()) {
        good = &attempt;
      }
    }
    if (!good) {
      lost.push_back(failed);
      continue;
    }
    samples.pairs.push_back({number, good->base, good->head, place_of(*good, base_oid)});
    for (const Attempt& attempt : failed) {
      samples.retries.push_back(failure_of(attempt));
    }
  }
  for (std::vector<Attempt>& failed : lost) {
    if (static_cast<int>(failed.size()) >= kSharedAttempts && is_lost_to_others(failed.back())) {
      samples.lost_to_others = failure_of(failed.back()).why;
    }
    std::erase_if(failed, is_lost_to_others);
  }
  samples.given_up =
      static_cast<int>(lost.size()) >= kLostPairsToGiveUp || !samples.lost_to_others.empty();
  const bool first_failure_counts = samples.given_up || (ended && samples.pairs.empty());
  for (const std::vector<Attempt>& failed : lost) {
    if (failed.size() >= 2 || (failed.size() == 1 && first_failure_counts)) {
      settle(failed.back(), samples);
    }
  }
}

/// The invocations of head alone, by the pair that they would have been of.
using Alone = std::map<int, std::vector<const Invocation*>>;

/// A first pair that filled caches is no evidence: it tells how fast they are filled. That of a
/// cheap workload counts, beside many others, unless a compiler filled its cache.
void set_warmup_apart(WorkloadSamples& samples) {
  std::vector<GoodPair>& pairs = samples.pairs;
  const NewFiles& files = samples.planned->new_files;
  if (files.count > 0 && !pairs.empty() && pairs.front().pair == 0 &&
      (files.first.starts_with('$') || pair_seconds(std::span(pairs).first(1)) >= kDearPair)) {
    samples.warmup = pairs.front();
    pairs.erase(pairs.begin());
  }
}

void sort_out_head_alone(const Alone& alone, bool ended, WorkloadSamples& samples) {
  const Invocation* failed = nullptr;  // the last one
  bool failed_twice = false;
  int lost = 0;
  for (const auto& [pair, runs] : alone) {
    std::vector<const Invocation*> failures;
    std::ranges::copy_if(runs, std::back_inserter(failures),
                         [](const Invocation* run) { return !run->ok(); });
    if (failures.size() < runs.size()) {
      for (const Invocation* failure : failures) {
        samples.retries.push_back(failure_of(*failure));
      }
      continue;
    }
    failed = failures.back();
    failed_twice |= failures.size() >= 2;
    ++lost;
  }
  const bool is_final =
      failed_twice || lost >= kLostPairsToGiveUp || (ended && samples.head.empty());
  if (samples.fate == Fate::alone && failed && is_final) {
    samples.fate = Fate::failed;
    samples.reason = failure_of(*failed);
    samples.told.clear();
  }
}

WorkloadSamples traced_samples_of(const PlannedWorkload& planned,
                                  const Measurements& measurements) {
  WorkloadSamples samples;
  samples.planned = &planned;
  samples.fate = Fate::same;
  for (const Invocation& invocation : measurements.invocations) {
    if (invocation.traced && invocation.ok() && invocation.workload == planned.workload.name) {
      const bool at_base = invocation.side == Side::base;
      (at_base ? samples.traced_base : samples.traced_head).push_back(&invocation);
      samples.several_blocks |= invocation.blocks.size() > 1;
    }
  }
  return samples;
}

}  // namespace

std::vector<double> instructions_of(const std::vector<const Invocation*>& counted) {
  return mapped(counted, [](const Invocation* invocation) {
    return static_cast<double>(*invocation->process.instructions);
  });
}

double pair_seconds(std::span<const GoodPair> pairs) {
  std::vector<double> seconds = mapped(pairs, [](const GoodPair& pair) {
    return pair.base->process.wall + pair.head->process.wall;
  });
  return seconds.empty() ? 0 : median(std::move(seconds));
}

const std::string& entry_name(const PlannedWorkload& planned) {
  return planned.control_of.empty() ? planned.workload.name : planned.control_of;
}

bool SideFailure::alike() const {
  return !at_base.empty() &&
         without_places(without_command(at_base)) == without_places(without_command(why));
}

std::string SideFailure::text(bool of_two_sides) const {
  if (of_two_sides && !at_base.empty()) {
    const std::string both = std::string("fails on both sides") + (alike() ? " alike: " : ": ");
    const std::string base = without_command(at_base);
    return both + (base == without_command(why) ? why : "base: " + base + "; head: " + why);
  }
  const std::string whose = of_two_sides && side ? std::string(to_string(*side)) + " " : "";
  return side ? whose + "failed: " + why : why;
}

std::map<std::string, std::string> SideFailure::about() const {
  std::map<std::string, std::string> about{{"why", why}};
  if (side) {
    about["side"] = to_string(*side);
  }
  if (!at_base.empty()) {
    const std::string base = without_command(at_base);
    const bool same = base == without_command(why);
    about[same ? "at_both" : "at_base"] = same ? why : base;
    about["alike"] = alike() ? " alike" : "";
  }
  return about;
}

WorkloadSamples samples_of(const PlannedWorkload& planned, const Plan& plan,
                           const Measurements& measurements, bool ended) {
  return runs_the_same(planned) ? traced_samples_of(planned, measurements)
                                : audit_samples_of(planned, plan, measurements, ended);
}

WorkloadSamples audit_samples_of(const PlannedWorkload& planned, const Plan& plan,
                                 const Measurements& measurements, bool ended) {
  WorkloadSamples samples;
  samples.planned = &planned;
  const bool base_decides = planned.head_failed.empty() && plan.base && planned.of_base;
  const std::string& failure = base_decides ? planned.base_missing : planned.head_failed;
  if (!failure.empty()) {
    samples.fate = Fate::failed;
    samples.reason.why = first_line(failure);
    samples.told = further_lines(failure);
    return samples;
  }
  const bool for_target = planned.trace_record && planned.trace_record->needed_by_target;
  if (!plan.base || !planned.base_missing.empty() || for_target) {
    samples.fate = Fate::alone;
    samples.reason.why = for_target  ? TraceRecord::kNeededByTarget
                         : plan.base ? first_line(planned.base_missing)
                                     : "there is no base";
    samples.told = further_lines(planned.base_missing);
  }

  std::map<int, Attempts> pairs;
  Alone alone;
  BlockCount blocks;
  const Invocation* before = nullptr;
  for (const Invocation& invocation : measurements.invocations) {
    const Invocation* const ran_before = std::exchange(before, &invocation);
    if (invocation.workload != planned.workload.name) {
      continue;
    }
    const bool at_base = invocation.side == Side::base;
    if (invocation.counted && invocation.ok() && invocation.process.instructions) {
      (at_base ? samples.counted_base : samples.counted_head).push_back(&invocation);
    }
    if (invocation.traced && invocation.ok()) {
      (at_base ? samples.traced_base : samples.traced_head).push_back(&invocation);
    }
    if (!invocation.is_timed()) {
      continue;
    }
    if (invocation.ok()) {
      (at_base ? samples.base : samples.head).push_back(&invocation);
      blocks.add(invocation.side, invocation.paired, invocation.pair, invocation.attempt,
                 invocation.blocks.size() > 1);
    }
    if (invocation.paired) {
      Attempt& attempt = pairs[invocation.pair][invocation.attempt];
      if (!attempt.base && !attempt.head) {
        attempt.before = ran_before;
      }
      if (!invocation.is_lost_to_others()) {
        count_run(invocation, samples.runs);
      }
      (at_base ? attempt.base : attempt.head) = &invocation;
    } else if (!at_base) {
      alone[invocation.pair].push_back(&invocation);
    }
  }
  samples.several_blocks = blocks.several();
  sort_out_pairs(pairs, plan.base ? plan.base->oid : "", ended, samples);
  sort_out_head_alone(alone, ended, samples);
  set_warmup_apart(samples);
  return samples;
}

std::optional<std::size_t> workload_of(const std::string& row, const Plan& plan) {
  std::optional<std::size_t> found;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const std::string& name = plan.workloads[i].workload.name;
    const bool is_its = row == name || row.starts_with(name + "/");
    if (is_its && plan.workloads[i].control_of.empty() && name.size() > longest) {
      found = i;
      longest = name.size();
    }
  }
  return found;
}

}  // namespace perf

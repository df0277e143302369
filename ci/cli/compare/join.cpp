#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/join_shards.h"
#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/report_of_run.h"
#include "collector/process/temporary_folder.h"
#include "schema/error.h"
#include "schema/json/json_writer.h"
#include "schema/json/record_fields.h"
#include "schema/revision.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// A run of a shard, and its file.
struct ShardRun {
  ListedRun listed;
  Plan plan;
  Policy policy;
  std::string file;

  /// It ended, and not only with failures: another such run would be a second chance.
  bool is_whole(const Store& store) const {
    const std::optional<Report> report = store.load_report(listed.id);
    return report && !report->interrupted &&
           (report->judged > 0 || report->summary.counts.at(Verdict::failed) == 0);
  }
};

std::string told(const ShardRun& run) {
  return run.file + ": run " + run.listed.id.substr(0, kShortOid) + " of " + run.listed.started_at +
         ", attempt " + std::to_string(run.plan.attempt) + ", host " +
         run.plan.host.substr(0, kShortOid);
}

/// Merges the files; returns the shards' runs of each, oldest first.
std::vector<std::vector<ShardRun>> take_in(const std::vector<std::string>& files, Store& store) {
  std::vector<std::vector<ShardRun>> taken;
  for (const std::string& file : files) {
    std::vector<ShardRun>& runs = taken.emplace_back();
    for (const std::string& id : store.merge(file).run_ids) {
      ListedRun listed = store.listed_run(id);
      if (listed.shard && listed.kind == RunKind::compare) {
        runs.push_back({std::move(listed), store.load_plan(id), store.load_policy(id), file});
      }
    }
    if (runs.empty()) {
      throw UsageError("no shard of a comparison in the file", file,
                       "pass files of perf-compare compare --shard I/N --db FILE");
    }
  }
  return taken;
}

// ---- differences of plans

using Differences = std::vector<std::string>;

void compare(const std::string& what, const std::string& one, const std::string& other,
             Differences& found) {
  if (one != other) {
    found.push_back(what + " (" + one + ", " + other + ")");
  }
}

std::string told(const Revision& revision) {
  return revision.oid.substr(0, kShortOid) + (revision.dirty ? " with changes" : "");
}

void compare_policies(Policy one, Policy other, Differences& found) {
  one.alpha_share = other.alpha_share = 1;
  const Json first = json_of(one), second = json_of(other);
  for (const auto& [name, value] : first.items()) {
    compare("policy: " + name, one_line_of(value), one_line_of(second.at(name)), found);
  }
}

Differences differences(const ShardRun& one, const ShardRun& other) {
  Differences found;
  const auto base = [](const ShardRun& run) {
    return run.plan.base ? told(*run.plan.base) : "none";
  };
  compare("base", base(one), base(other), found);
  compare("head", told(one.plan.head), told(other.plan.head), found);
  compare("size", one.plan.size, other.plan.size, found);
  compare("number of shards", std::to_string(one.plan.shard->count),
          std::to_string(other.plan.shard->count), found);
  compare("perf-compare", one.listed.tool_version, other.listed.tool_version, found);
  compare_policies(one.policy, other.policy, found);
  return found;
}

[[noreturn]] void refuse_unlike(const ShardRun& one, const ShardRun& other) {
  Differences found = differences(one, other);
  if (found.empty()) {
    found = {"workloads, targets, builds, --measure or --seed (seeds " +
             std::to_string(one.plan.seed) + ", " + std::to_string(other.plan.seed) + ")"};
  }
  throw UsageError("the shards have different plans: " + joined(found, ", "),
                   one.file + " and " + other.file,
                   "join the shards of one pipeline; of several plans in a file the newest counts");
}

/// Shards of one digest that differ or overlap were forged.
void refuse_forged(const std::vector<ShardRun>& runs) {
  std::map<std::string, int> shard_of;
  std::map<int, double> shares;
  for (const ShardRun& run : runs) {
    const bool differs =
        run.plan.seed != runs.front().plan.seed || !differences(runs.front(), run).empty();
    bool is_taken = false;
    for (const PlannedWorkload& planned : run.plan.workloads) {
      const int number = run.plan.shard->number;
      is_taken =
          is_taken || shard_of.emplace(planned.workload.name, number).first->second != number;
    }
    double& share = shares[run.plan.shard->number];
    share = std::max(share, run.policy.alpha_share);
    double sum = 0;
    for (const auto& [number, one] : shares) {
      sum += one;
    }
    constexpr double kRounding = 1e-9;
    if (differs || is_taken || sum > 1 + kRounding) {
      throw Error("the plans of two shards differ", told(run),
                  "perf-compare did not write this: find out who changed it");
    }
  }
}

// ---- the run that counts for a shard

[[noreturn]] void refuse_repetition(const ShardRun& one, const ShardRun& other) {
  throw UsageError("shard " + to_text(*one.plan.shard) +
                       " was measured twice, and repeating until it passes proves nothing",
                   told(one) + "\n" + told(other), "measure all shards again, with another --seed");
}

/// The run that ended; else the latest.
std::vector<ShardRun> chosen(const std::vector<ShardRun>& runs, const Store& store) {
  std::map<int, std::pair<ShardRun, bool>> by_number;
  for (const ShardRun& run : runs) {
    const bool is_whole = run.is_whole(store);
    const auto [place, is_first] =
        by_number.try_emplace(run.plan.shard->number, std::pair(run, is_whole));
    auto& [known, known_whole] = place->second;
    if (is_first || known.listed.id == run.listed.id) {
      continue;
    }
    if (known_whole && is_whole) {
      refuse_repetition(known, run);
    }
    if (!known_whole) {
      place->second = {run, is_whole};
    }
  }
  return mapped(by_number, [](const auto& one) { return one.second.first; });
}

std::vector<ShardRun> shards_in(const std::vector<std::string>& files, Store& store) {
  const std::vector<std::vector<ShardRun>> taken = take_in(files, store);
  std::vector<ShardRun> of_plan;
  const ShardRun& first = taken.front().back();
  for (const std::vector<ShardRun>& runs : taken) {
    if (runs.back().plan.digest != first.plan.digest) {
      refuse_unlike(first, runs.back());
    }
    std::ranges::copy_if(runs, std::back_inserter(of_plan), [&first](const ShardRun& run) {
      return run.plan.digest == first.plan.digest;
    });
  }
  refuse_forged(of_plan);
  return chosen(of_plan, store);
}

std::vector<MeasuredWorkload> measured_by(const std::vector<ReportOfRun>& shards) {
  std::vector<MeasuredWorkload> all;
  for (const ReportOfRun& shard : shards) {
    std::ranges::move(measured_workloads(shard.plan, shard.measurements), std::back_inserter(all));
  }
  std::ranges::stable_sort(all, {}, &MeasuredWorkload::workload);
  return all;
}

}  // namespace

int join_command(const Options& options) {
  const TemporaryFolder folder;
  Store store(folder.path() / "joined.db");
  const std::vector<ReportOfRun> shards =
      mapped(shards_in(options.join, store),
             [&store](const ShardRun& run) { return report_of_run(store, run.listed.id); });
  return end_command(
      join_shards(shards), [&shards] { return measured_by(shards); }, options);
}

}  // namespace perf

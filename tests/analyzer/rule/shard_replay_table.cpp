// Prints how often joined reports err, and what shards cost.
//
//   shard_replay [REPORTS]     reports per row, 10000 by default; a tenth of them where all changed

#include <cstdio>
#include <cstdlib>

#include "tests/analyzer/rule/shard_replay.h"

namespace {

using perf::replay::Noise;
using perf::replay::Sharding;

void print(const Sharding& sharding) {
  const perf::replay::ShardedOutcome outcome = perf::replay::run(sharding);
  const double share = 100.0 / sharding.reports;
  std::printf(
      "| %s | %.0f %% | %.1f | %d-%d | %.0f %% | %s | %d | %.2f %% | %.2f %% | %.2f %% | %.2f %% "
      "| %+.2f %% | %.4f |\n",
      perf::replay::to_string(sharding.noise).c_str(), 100 * sharding.threshold, sharding.change,
      sharding.fewest_metrics, sharding.most_metrics, 100 * sharding.same,
      sharding.by_seconds ? "seconds" : "names", sharding.shards, share * outcome.whole_wrong,
      share * outcome.joined_wrong, share * outcome.joined_regressed,
      share * outcome.joined_unchanged, 100 * (outcome.joined_pairs / outcome.whole_pairs - 1),
      outcome.largest_rate);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int reports = argc > 1 ? std::atoi(argv[1]) : 10000;
  if (reports < 1) {
    std::fprintf(stderr, "shard_replay: '%s' is no number of reports\n", argv[1]);
    return 2;
  }
  std::printf(
      "| noise | threshold | change | metrics | same | shards by | shards | whole: changed | "
      "joined: "
      "changed | regressed | unchanged | pairs | rate "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Noise noise : {Noise::student3, Noise::normal}) {
    for (const bool by_seconds : {true, false}) {
      Sharding sharding;
      sharding.noise = noise;
      sharding.by_seconds = by_seconds;
      sharding.reports = reports;
      print(sharding);
      sharding.same = 0.5;
      print(sharding);
      sharding.same = 0;
      sharding.fewest_metrics = sharding.most_metrics = 2;
      print(sharding);
      // Where the noise nearly hides the threshold.
      sharding.fewest_metrics = 1;
      sharding.threshold = 0.02;
      sharding.reports = reports / 10 + 1;
      for (const double change : {0.5, 1.0}) {
        sharding.change = change;
        print(sharding);
      }
    }
  }
  return 0;
}

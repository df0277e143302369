#pragma once

#include <string>

namespace perf::test {

/// A benchmark for tests that must give the same verdict on a busy machine: it *claims* the time
/// per step that the file `work` states (in ms), with noise of about 1 % drawn from
/// PERF_COMPARE_SEED and the process id, instead of measuring any. Everything around it is real:
/// processes, protocol, store, verdicts.
inline const std::string kClaimedBenchmark = R"sh(#!/bin/sh
exec awk -v work="$(cat work)" -v seed="$PERF_COMPARE_SEED" -v pid="$$" -v steps="$PERF_COMPARE_STEPS" 'BEGIN {
  srand(seed % 1000000 + pid)
  print "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"claimed\",\"params\":{}}"
  for (i = 0; i < steps + 1; i++)
    printf "{\"type\":\"step\",\"index\":%d,\"warmup\":%s,\"seconds\":%.9f}\n", i, i == 0 ? "true" : "false", work / 1000 * (1 + 0.01 * (rand() - 0.5))
  print "{\"type\":\"end\"}"
}' > "$PERF_COMPARE_OUT"
)sh";

/// The config of ten lines that goes with it.
inline const std::string kClaimedConfig = R"({
  // A benchmark is a command that speaks the protocol.
  "workloads": [
    { "name": "claimed", "command": ["./bench"] }
  ]
}
)";

}  // namespace perf::test

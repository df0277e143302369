#include "tests/reporter/samples.h"

namespace perf::samples {

Diagnosis noisy_laptop() {
  Diagnosis diagnosis;
  diagnosis.tool_version = "0.1.0";
  diagnosis.generated_at = "2026-01-31T12:00:00Z";
  diagnosis.environment.fingerprint = "0123456789abcdef";
  diagnosis.environment.machine = {{"cpu_model", "Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz"},
                                   {"cores_allowed", "8"},
                                   {"memory_gib", "16"}};
  diagnosis.environment.facts = {{"governor", "powersave"}, {"power", "battery"}};
  diagnosis.watched = 1.0004;
  diagnosis.causes = {
      {"load", Severity::bad, "1.3 of 8 cores busy with other work: cc1plus 0.9, ninja 0.2",
       "other work takes CPU time and cache from the program", "wait until it ends, or stop it",
       false},
      {"governor", Severity::bad, "powersave on 8 CPUs",
       "the clock follows the load: steps begin slow and end fast",
       "cpupower frequency-set -g performance", true},
      {"boost", Severity::note, "on", "the clock depends on heat and on how many cores are busy",
       "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo", true},
      {"cpu_quota", Severity::good, "none found", "", "", false},
      {"aslr", Severity::good, "on", "", "", false},
      {"platform_profile", Severity::unknown, "not available on this machine", "", "", false},
      {"program", Severity::unknown, "build/bench: is not built here", "", "", false}};
  return diagnosis;
}

}  // namespace perf::samples

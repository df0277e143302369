#include "workloads/program/restart.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/workloads/program/process.h"

namespace perf::workloads {
namespace {

using Variables = std::map<std::string, std::string>;

Variables better(std::string_view core, bool avx512, std::set<std::string> set) {
  return better_environment({.blas_core = core,
                             .cpu_has_avx512 = avx512,
                             .is_set = [&](const char* name) { return set.count(name) > 0; }});
}

TEST(Restart, AsksForAnAvx512CoreOnlyWhereItHelps) {
  const std::set<std::string> spin = {"GOMP_SPINCOUNT"};
  EXPECT_EQ(better("Haswell", true, spin), (Variables{{"OPENBLAS_CORETYPE", "SkylakeX"}}));
  EXPECT_EQ(better("Zen", true, spin), (Variables{{"OPENBLAS_CORETYPE", "SkylakeX"}}));
  EXPECT_EQ(better("Haswell", false, spin), Variables{});
  for (const char* core : {"SkylakeX", "Cooperlake", "SapphireRapids", "Sapphirerapids"}) {
    EXPECT_EQ(better(core, true, spin), Variables{});
  }
}

TEST(Restart, TheUsersOwnSettingsStand) {
  EXPECT_EQ(better("Haswell", true, {"OPENBLAS_CORETYPE", "GOMP_SPINCOUNT"}), Variables{});
  EXPECT_EQ(better("SkylakeX", true, {"OMP_WAIT_POLICY"}), Variables{});
  EXPECT_EQ(better("SkylakeX", true, {}), (Variables{{"GOMP_SPINCOUNT", kSpinCount}}));
}

TEST(Restart, HappensOnceAndKeepsTheArguments) {
  const ProcessResult result = run_process("env -u OPENBLAS_CORETYPE " PERF_BINARY_DIR
                                           "/tests/workloads_restart_probe hello");
  EXPECT_EQ(result.status, 0);
#if defined(__x86_64__)
  EXPECT_EQ(result.out, "Haswell set hello\n");
#endif
}

}  // namespace
}  // namespace perf::workloads

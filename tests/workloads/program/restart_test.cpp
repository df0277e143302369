#include "workloads/program/restart.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/workloads/program/process.h"
#include "workloads/program/error.h"

namespace perf::workloads {
namespace {

using Variables = std::map<std::string, std::string>;

Restart better(std::string_view core, bool avx512, const Variables& set) {
  return better_start(
      {.blas_core = core, .cpu_has_avx512 = avx512, .variable = [&](const char* name) {
         const auto found = set.find(name);
         return found == set.end() ? nullptr : found->second.c_str();
       }});
}

const Variables kSpin = {{"GOMP_SPINCOUNT", "1"}};

Variables with_spin(Variables variables) {
  variables.insert(kSpin.begin(), kSpin.end());
  return variables;
}

TEST(Restart, AsksForAnAvx512CoreOnlyWhereItHelps) {
  EXPECT_EQ(better("Haswell", true, kSpin).variables,
            (Variables{{"OPENBLAS_CORETYPE", "SkylakeX"}}));
  EXPECT_EQ(better("Zen", true, kSpin).variables, (Variables{{"OPENBLAS_CORETYPE", "SkylakeX"}}));
  EXPECT_EQ(better("Haswell", false, kSpin).variables, Variables{});
  for (const char* core : {"SkylakeX", "Cooperlake", "SapphireRapids", "Sapphirerapids"}) {
    EXPECT_EQ(better(core, true, kSpin).variables, Variables{});
    EXPECT_EQ(better(core, false, kSpin).variables,
              Variables{});  // without VNNI: the library knows better
  }
}

// OpenBLAS 0.3.21 takes a Sapphire Rapids under KVM for one.
TEST(Restart, AsksForAvx2WhereTheLibraryTakesTheCpuForAnOldOne) {
  EXPECT_EQ(better("Prescott", false, kSpin).variables,
            (Variables{{"OPENBLAS_CORETYPE", "Haswell"}}));
  EXPECT_EQ(better("Prescott", true, kSpin).variables,
            (Variables{{"OPENBLAS_CORETYPE", "SkylakeX"}}));
  EXPECT_EQ(better("Prescott", true, with_spin({{kChosenIsa, "avx2"}})).variables,
            (Variables{{"OPENBLAS_CORETYPE", "Haswell"}, {"DNNL_MAX_CPU_ISA", "AVX2"}}));
  EXPECT_EQ(better("Prescott", false, with_spin({{"OPENBLAS_CORETYPE", "Prescott"}})).variables,
            Variables{});
}

TEST(Restart, LeavesTheCoreOfOtherProcessorsToTheLibrary) {
  const auto nothing_set = [](const char*) -> const char* { return nullptr; };
  EXPECT_EQ(
      better_start({.blas_core = "neoversen1", .is_x86 = false, .variable = nothing_set}).variables,
      (Variables{{"GOMP_SPINCOUNT", kSpinCount}}));
}

TEST(Restart, TheUsersOwnSettingsStand) {
  EXPECT_EQ(better("Haswell", true, with_spin({{"OPENBLAS_CORETYPE", "Haswell"}})).variables,
            Variables{});
  EXPECT_EQ(better("SkylakeX", true, {{"OMP_WAIT_POLICY", "active"}}).variables, Variables{});
  EXPECT_EQ(better("SkylakeX", true, {}).variables, (Variables{{"GOMP_SPINCOUNT", kSpinCount}}));
}

TEST(Restart, OurKernelsAreForWhatTheCpuHas) {
  EXPECT_EQ(better("Haswell", true, {}).isa, "avx512");
  EXPECT_EQ(better("SkylakeX", false, {}).isa, "avx2");
}

TEST(Restart, OneVariableChoosesForAllOfThem) {
  const Restart narrow = better("SkylakeX", true, with_spin({{kChosenIsa, "avx2"}}));
  EXPECT_EQ(narrow.isa, "avx2");
  EXPECT_EQ(narrow.variables,
            (Variables{{"OPENBLAS_CORETYPE", "Haswell"}, {"DNNL_MAX_CPU_ISA", "AVX2"}}));
  const Restart wide = better(
      "Haswell", true, with_spin({{kChosenIsa, "avx512"}, {"OPENBLAS_CORETYPE", "Haswell"}}));
  EXPECT_EQ(wide.isa, "avx512");
  EXPECT_EQ(wide.variables, (Variables{{"OPENBLAS_CORETYPE", "SkylakeX"}}));
  for (const auto& [isa, core, other, wanted] :
       {std::tuple{"avx2", "Haswell", "AVX512_CORE", "AVX2"},
        {"avx512", "SkylakeX", "AVX2", "ALL"}}) {
    EXPECT_EQ(
        better(core, true, with_spin({{kChosenIsa, isa}, {"DNNL_MAX_CPU_ISA", other}})).variables,
        (Variables{{"DNNL_MAX_CPU_ISA", wanted}}));
    EXPECT_EQ(
        better(core, true, with_spin({{kChosenIsa, isa}, {"DNNL_MAX_CPU_ISA", wanted}})).variables,
        Variables{});
  }
}

TEST(Restart, RefusesWhatIsNotThere) {
  EXPECT_THROW(better("Haswell", false, {{kChosenIsa, "avx512"}}), Error);
  for (const char* wrong : {"", "AVX2", "sse2"}) {
    EXPECT_THROW(better("Haswell", true, {{kChosenIsa, wrong}}), Error) << wrong;
  }
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

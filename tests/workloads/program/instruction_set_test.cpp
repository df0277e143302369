// What the built program does on a CPU that has less than it was compiled for: valgrind's, which
// has no AVX-512.
#include "workloads/kernels/instruction_set.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/sanitized.h"
#include "tests/workloads/program/process.h"
#include "workloads/program/restart.h"

namespace perf::workloads {
namespace {

using nlohmann::json;

const std::string kTiny =
    " run training/mlp_stack --layers 1 --hidden-size 16 --seq-len 8 --batch-size 1"
    " --peak-size 0 --steps 1 --warmup 0 --threads 1";

// As a user would who knows nothing of the variables that the program likes to have.
const std::string kUnderValgrind =
    "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT -u OPENBLAS_CORETYPE"
    " valgrind -q --tool=none --trace-children=yes ";

class UnderValgrind : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) {
      GTEST_SKIP() << "valgrind does not run programs that are built with a sanitizer";
    }
    if (run_process("valgrind --version").status != 0) {
      GTEST_SKIP() << "valgrind is not installed";
    }
  }
};

// The facts that the tiny workload states of itself, run by `command`.
json facts_of(const std::string& command) {
  const std::string path = testing::TempDir() + "instruction_set_test.jsonl";
  std::remove(path.c_str());
  const ProcessResult result = run_process("PERF_COMPARE_OUT=" + path + " " + command + kTiny);
  EXPECT_EQ(result.status, 0) << result.out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (const json fact = json::parse(line); fact.at("type") == "environment") {
      return fact;
    }
  }
  ADD_FAILURE() << "no environment line\n" << result.out;
  return {};
}

// Of the machine that the tests run on.
std::string best_isa() {
  return cpu_has_avx512() ? "avx512" : *instruction_set() != '\0' ? "avx2" : "";
}

const std::string kUnset = "env -u OPENBLAS_CORETYPE -u DNNL_MAX_CPU_ISA ";

TEST(InstructionSet, IsWhatThisMachineHas) {
  EXPECT_STREQ(missing_instructions(), "");
  const json facts = facts_of(kProgram);
  EXPECT_EQ(facts.value("isa", ""), best_isa());
}

TEST(InstructionSet, IsChosenForKernelsAndLibrariesAlike) {
  if (best_isa() != "avx512") {
    GTEST_SKIP() << "there is nothing to choose from";
  }
  const json wide = facts_of("PERF_COMPARE_ISA=avx512 " + kUnset + kProgram);
  EXPECT_EQ(wide.at("isa"), "avx512");
  EXPECT_TRUE(is_avx512_core(wide.at("blas_core").get<std::string>())) << wide;
  const json narrow = facts_of("PERF_COMPARE_ISA=avx2 " + kUnset + kProgram);
  EXPECT_EQ(narrow.at("isa"), "avx2");
  EXPECT_EQ(narrow.at("blas_core"), "Haswell");
  EXPECT_NE(narrow.at("flags").get<std::string>().find("-march=x86-64-v3"), std::string::npos);
  // Also where the program for more is what was started.
  EXPECT_EQ(facts_of("PERF_COMPARE_ISA=avx2 " + kProgram + "-avx512").at("isa"), "avx2");
}

TEST(InstructionSet, IsRefusedWhereItIsNotKnownOrNotThere) {
  const ProcessResult unknown = run_process("PERF_COMPARE_ISA=avx1024 " + kProgram + kTiny);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.out.find("no such instruction set: avx1024"), std::string::npos) << unknown.out;

  const std::string alone = testing::TempDir() + "perf-workloads";
  std::filesystem::copy_file(kProgram, alone, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(facts_of(alone).value("isa", ""), instruction_set());
  const ProcessResult asked = run_process("PERF_COMPARE_ISA=avx512 " + alone + kTiny);
  EXPECT_EQ(asked.status, *instruction_set() == '\0' ? 0 : 2) << asked.out;
}

TEST_F(UnderValgrind, RunsWithFewerInstructionsAndSaysSo) {
  const json facts = facts_of(kUnderValgrind + kProgram);
  EXPECT_EQ(facts.value("isa", ""), instruction_set());
  EXPECT_EQ(facts.at("blas_core"), "Haswell");
}

TEST_F(UnderValgrind, IsRefusedByTheProgramForMore) {
  if (best_isa() != "avx512") {
    GTEST_SKIP() << "this machine's own refusal is the same";
  }
  const ProcessResult result = run_process(kUnderValgrind + kProgram + "-avx512" + kTiny);
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.out.find("lacks what the program was built for: AVX-512"), std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace perf::workloads

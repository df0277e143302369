// What the built program does on a CPU that has less than it was compiled for: valgrind's, which
// has no AVX-512.
#include "workloads/program/instruction_set.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/sanitized.h"
#include "tests/workloads/program/process.h"

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

bool compiled_for_more_than_valgrind_has() {
#if defined(__x86_64__)
  return instruction_set() == std::string("x86-64-v4");
#else
  return false;
#endif
}

TEST(InstructionSet, IsStatedAndSuitsThisMachine) {
  EXPECT_STREQ(missing_instructions(), "");
  const std::string isa = instruction_set();
  const json facts = facts_of(kProgram);
  EXPECT_EQ(facts.value("isa", ""), isa);
#if defined(__x86_64__)
  EXPECT_EQ(isa.rfind("x86-64", 0), 0U) << isa;
#endif
}

TEST_F(UnderValgrind, RunsTheProgramWithFewerInstructionsAndSaysSo) {
  const json facts = facts_of(kUnderValgrind + kProgram);
  if (!compiled_for_more_than_valgrind_has()) {
    EXPECT_EQ(facts.value("isa", ""), instruction_set());
    return;
  }
  EXPECT_EQ(facts.value("isa", ""), "x86-64-v3");
  EXPECT_NE(facts.at("flags").get<std::string>().find("-march=x86-64-v3"), std::string::npos);
  EXPECT_EQ(facts.at("blas_core"), "Haswell");
}

TEST_F(UnderValgrind, IsRefusedWhereNoOtherProgramLiesBesideIt) {
  if (!compiled_for_more_than_valgrind_has()) {
    GTEST_SKIP() << "built for nothing that valgrind does not have";
  }
  const std::string alone = testing::TempDir() + "perf-workloads";
  std::filesystem::copy_file(kProgram, alone, std::filesystem::copy_options::overwrite_existing);
  const ProcessResult result = run_process(kUnderValgrind + alone + kTiny);
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.out.find("lacks what the program was built for: AVX-512"), std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace perf::workloads

// What the built program does on a CPU that has less than it was compiled for: valgrind's, which
// has no AVX-512, and such as qemu plays.
#include "workloads/kernels/instruction_set.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/contains.h"
#include "tests/sanitized.h"
#include "tests/workloads/program/process.h"
#include "workloads/kernels/products_onednn.h"
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

class UnderQemu : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized || *instruction_set() == '\0') {
      GTEST_SKIP() << "a sanitizer's program, or another processor";
    }
    if (run_process("qemu-x86_64 --version").status != 0) {
      GTEST_SKIP() << "qemu is not installed (Debian package qemu-user)";
    }
  }
  // What the program starts would run on this machine's own CPU: it is told that it has restarted.
  static std::string on(const std::string& cpu) {
    return "PERF_WORKLOADS_RESTARTED=1 qemu-x86_64 -cpu " + cpu + " ";
  }
};

// How many instructions of a program need AVX-512: they name its registers.
long wide_instructions(const std::string& program) {
  const ProcessResult counted =
      run_process("objdump -d --no-show-raw-insn " + program +
                  R"( | grep -cE '%zmm|%k[1-7]\b|%[xy]mm(1[6-9]|2[0-9]|3[01])\b')");
  return std::stol(counted.out);
}

// The facts that a tiny workload states of itself, run by `command`.
json facts_of(const std::string& command, const std::string& arguments = kTiny) {
  const std::string path = testing::TempDir() + "instruction_set_test.jsonl";
  std::remove(path.c_str());
  const ProcessResult result = run_process("PERF_COMPARE_OUT=" + path + " " + command + arguments);
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
  EXPECT_TRUE(contains(narrow.at("flags").get<std::string>(), "-march=x86-64-v3"));
  // Also where the program for more is what was started.
  EXPECT_EQ(facts_of("PERF_COMPARE_ISA=avx2 " + kProgram + "-avx512").at("isa"), "avx2");
}

// By default oneDNN multiplies only where its kernels for AVX-512 run, which it decides itself.
TEST(InstructionSet, IsChosenForOnednnWhateverItsOwnVariableSays) {
  if (best_isa() != "avx512" || !has_onednn()) {
    GTEST_SKIP() << "there is nothing to choose from";
  }
  const std::string forward =
      " run inference/forward --layers 1 --vocabulary 64 --batch-size 1 --seq-len 32"
      " --peak-size 0 --steps 1 --warmup 0 --threads 1";
  for (const char* own :
       {"-u DNNL_MAX_CPU_ISA ", "DNNL_MAX_CPU_ISA=AVX2 ", "DNNL_MAX_CPU_ISA=ALL "}) {
    for (const auto& [isa, backend] : {std::pair{"avx2", "openblas"}, {"avx512", "onednn"}}) {
      const json facts =
          facts_of(std::string("PERF_COMPARE_ISA=") + isa + " env " + own + kProgram, forward);
      EXPECT_EQ(facts.at("backend"), backend) << own << isa;
      EXPECT_EQ(facts.at("isa"), isa);
    }
  }
}

TEST(InstructionSet, HasNoMoreInTheProgramForLess) {
  if (best_isa() != "avx512" || kSanitized) {
    GTEST_SKIP() << "there is one program only";
  }
  EXPECT_EQ(wide_instructions(kProgram), 0);
  EXPECT_GT(wide_instructions(kProgram + "-avx512"), 1000) << "that can be seen";
}

TEST(InstructionSet, IsRefusedWhereItIsNotKnownOrNotThere) {
  EXPECT_TRUE(ended(run_process("PERF_COMPARE_ISA=avx1024 " + kProgram + kTiny), 2,
                    {"no such instruction set: avx1024"}));

  const std::string alone = testing::TempDir() + "perf-workloads";
  std::filesystem::copy_file(kProgram, alone, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(facts_of(alone).value("isa", ""), instruction_set());
  const ProcessResult asked = run_process("PERF_COMPARE_ISA=avx512 " + alone + kTiny);
  EXPECT_EQ(asked.status, *instruction_set() == '\0' ? 0 : 2) << asked.out;
}

// As PERF_WORKLOADS_FOR_THIS_CPU builds it.
TEST(InstructionSet, OfABuildForOneCpuIsNotChangedSilently) {
  if (best_isa() != "avx512") {
    GTEST_SKIP() << "there is nothing to choose from";
  }
  const std::string alone = testing::TempDir() + "for_one_cpu_perf-workloads";
  std::filesystem::copy_file(kProgram + "-avx512", alone,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(facts_of(alone).value("isa", ""), "avx512");
  EXPECT_TRUE(ended(run_process("PERF_COMPARE_ISA=avx2 " + alone + kTiny), 2,
                    {"a build without PERF_WORKLOADS_FOR_THIS_CPU"}));
}

TEST_F(UnderValgrind, RunsAndReportsFewerInstructions) {
  const json facts = facts_of(kUnderValgrind + kProgram);
  EXPECT_EQ(facts.value("isa", ""), instruction_set());
  EXPECT_EQ(facts.at("blas_core"), "Haswell");
}

TEST_F(UnderValgrind, IsRefusedByTheProgramForMore) {
  if (best_isa() != "avx512") {
    GTEST_SKIP() << "this machine's own refusal is the same";
  }
  EXPECT_TRUE(ended(run_process(kUnderValgrind + kProgram + "-avx512" + kTiny), 2,
                    {"lacks what the program was built for: AVX-512"}));
}

// What runs before the CPU is asked must need nothing that it may lack.
TEST_F(UnderQemu, IsRefusedByACpuWithoutAvx2) {
  for (const std::string& arguments : {std::string(" list"), kTiny}) {
    EXPECT_TRUE(ended(run_process(on("Nehalem") + kProgram + arguments), 2,
                      {"lacks what the program was built for: AVX2"}));
  }
}

TEST_F(UnderQemu, RunsOnTheFirstCpuWithAvx2) {
  const json facts = facts_of(on("Haswell") + kProgram);
  EXPECT_EQ(facts.at("isa"), "avx2");
  EXPECT_EQ(facts.at("blas_core"), "Haswell");
}

}  // namespace
}  // namespace perf::workloads

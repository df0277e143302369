#include "tests/faults/brief_repository.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/collector/process/processes.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

constexpr int kBriefSteps = 150;  // several pages of the store, so that there is a middle

/// In the shell alone: it starts no other program.
std::string benchmark() {
  return R"sh(#!/bin/sh
read -r work < built
exec > "$PERF_COMPARE_OUT"
echo '{"type":"begin","protocol":1,"workload":"claimed","params":{}}'
step=0
while [ $step -lt )sh" +
         std::to_string(kBriefSteps) + R"sh( ]; do
  echo '{"type":"step","index":'$step',"warmup":false,"seconds":0.'$work'}'
  step=$((step + 1))
done
echo '{"type":"end"}'
)sh";
}

fs::path brake(const ScratchRepository& repository) {
  return repository.path().parent_path() / "wait";
}

fs::path build_log(const ScratchRepository& repository) {
  return repository.path().parent_path() / "builds";
}

}  // namespace

BriefRepository::BriefRepository(int commits) : marker_(testing::unique_marker()) {
  fs::create_directory(temporary());
  write("bench", benchmark(), true);
  const std::string build = "cat work >> '" + build_log(*this).string() + "'; while [ -e '" +
                            brake(*this).string() +
                            "' ]; do sleep 0.01; done; cp work built; : " + marker_;
  write("perf-compare.json",
        R"({"build": {"command": ["sh", "-c", ")" + build +
            R"("]}, "workloads": [{"name": "claimed", "command": ["./bench", ")" + marker_ +
            "\"]}]}");
  for (int i = 0; i < commits; ++i) {
    write("work", std::to_string(100 + i) + "\n");
    oids_.push_back(commit("Commit " + std::to_string(i)));
  }
}

std::vector<std::string> BriefRepository::builds() const {
  std::ifstream file(build_log(*this));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
  }
  return lines;
}

void BriefRepository::hold_builds() const {
  std::ofstream(brake(*this)) << "";
}

void BriefRepository::let_builds_go() const {
  fs::remove(brake(*this));
}

void BriefRepository::expect_whole(const Invocation& invocation, int commit) const {
  EXPECT_TRUE(invocation.ok()) << invocation.failure;
  if (invocation.traced) {
    return;  // of its steps no more need be kept than that there were any
  }
  ASSERT_EQ(invocation.blocks.size(), 1u);
  const std::vector<Step>& steps = invocation.blocks[0].steps;
  ASSERT_EQ(steps.size(), static_cast<std::size_t>(kBriefSteps));
  for (int i = 0; i < kBriefSteps; ++i) {
    EXPECT_EQ(steps[static_cast<std::size_t>(i)].index, i);
    EXPECT_NEAR(steps[static_cast<std::size_t>(i)].seconds, (100 + commit) / 1000.0, 1e-12);
  }
}

}  // namespace perf::test

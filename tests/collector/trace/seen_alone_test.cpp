// Revisions that are looked at one by one, and compared by their ids alone.

#include <gtest/gtest.h>

#include <algorithm>

#include "collector/trace/trace_programs.h"
#include "tests/collector/trace/cases.h"

namespace perf {
namespace {

using test::Case;
using test::run_process;
using test::SideBySide;

/// What both sides of each workload run, looked at alone.
struct SeenTwice {
  std::string name;
  TracedProgram base, head;

  bool same() const { return !base.id.empty() && base.id == head.id; }
};

std::vector<SeenTwice> seen_alone(const SideBySide& sides, const Plan& plan) {
  std::vector<SeenTwice> all;
  const TraceTools tools{.run = run_process()};
  for (const PlannedWorkload& one : plan.workloads) {
    const auto see = [&](const Checkout& checkout, const std::string& oid, Side side) {
      return trace_program(one.workload, checkout, {oid, side, 7, 8, 1}, tools);
    };
    all.push_back({one.workload.name, see(sides.checkouts().base, plan.base->oid, Side::base),
                   see(sides.checkouts().head, plan.head.oid, Side::head)});
    const SeenTwice& seen = all.back();
    EXPECT_EQ(seen.base.id.empty(), !seen.base.doubt.empty()) << seen.name;
    EXPECT_EQ(seen.head.id.empty(), !seen.head.doubt.empty()) << seen.name;
  }
  return all;
}

/// No two of one id that may not be called the same.
void expect_other_ids(const std::vector<Case>& cases) {
  SideBySide sides(cases);
  const Plan plan = sides.look();
  for (const SeenTwice& seen : seen_alone(sides, plan)) {
    if (seen.name.ends_with("/before")) {
      continue;
    }
    EXPECT_FALSE(seen.same()) << seen.name << ": " << test::told_of(plan, seen.name);
    const auto of_name = [&seen](const PlannedWorkload& one) {
      return one.workload.name == seen.name;
    };
    const auto workload = std::ranges::find_if(plan.workloads, of_name)->workload;
    EXPECT_NE(difference_between(seen.base, seen.head, workload), "") << seen.name;
  }
}

TEST(SeenAlone, FilesThatDifferHaveOtherIds) {
  expect_other_ids(test::changed_files());
}

TEST(SeenAlone, WaysToFilesThatDifferHaveOtherIds) {
  expect_other_ids(test::changed_ways());
}

TEST(SeenAlone, ProgramsThatDifferHaveOtherIds) {
  std::vector<Case> cases = test::changed_programs();
  for (Case& one : test::changed_scripts()) {
    cases.push_back(std::move(one));
  }
  expect_other_ids(cases);
}

TEST(SeenAlone, WhatIsTheSameHasOneId) {
  if (!test::can_trace()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  SideBySide sides(test::unchanged());
  // What other runs leave is doubt: nothing ran there before.
  const Plan plan = sides.look({[](const ProcessRequest&) {
    ProcessResult result;
    result.spawn_error = "nothing runs";
    return result;
  }});
  for (const SeenTwice& seen : seen_alone(sides, plan)) {
    EXPECT_TRUE(seen.same()) << seen.name << ": " << seen.base.doubt << seen.head.doubt;
  }
}

TEST(SeenAlone, WhatMayTakeThePlaceOfAFileBelongsToTheId) {
  if (!test::can_trace()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  const std::string read = "cat data/1.bin";
  SideBySide sides(
      {{"shard",
        {{"data/1.bin", "a"}, {"data/2.bin", "a"}},
        {{"data/1.bin", "a"}, {"data/2.bin", "b"}},
        read},
       {"fewer", {{"data/1.bin", "a"}, {"data/2.bin", "a"}}, {{"data/1.bin", "a"}}, read},
       {"input",
        {{"data/1.bin", "a"}, {"in", "a"}},
        {{"data/1.bin", "a"}, {"in", "b"}},
        read,
        "",
        {"input/in"}},
       {"text",
        {{"data/1.bin", "a"}, {"data/x.md", "a"}},
        {{"data/1.bin", "a"}, {"data/x.md", "b"}},
        read}});
  const Plan plan = sides.look();
  const std::vector<SeenTwice> seen = seen_alone(sides, plan);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].same(), seen[i].name == "text") << seen[i].name;
    EXPECT_FALSE(seen[i].base.id.empty()) << seen[i].name << seen[i].base.doubt;
  }
}

TEST(SeenAlone, ADoubtOfOneSideIsOneOfItsId) {
  if (!test::can_trace()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  SideBySide sides({{"history", {{"d", "a"}}, {{"d", "a"}}, "cat ../.git/HEAD d || cat ../.git"},
                    {"fails", {{"d", "a"}}, {{"d", "a"}}, "exit 3"}});
  const Plan plan = sides.look();
  for (const SeenTwice& seen : seen_alone(sides, plan)) {
    EXPECT_EQ(seen.base.id, "") << seen.name;
    EXPECT_NE(seen.base.doubt, "") << seen.name;
  }
}

}  // namespace
}  // namespace perf

// Revisions that are traced one by one, and compared by their ids alone.

#include <gtest/gtest.h>

#include <algorithm>

#include "collector/trace/trace_programs.h"
#include "tests/collector/trace/cases.h"

namespace perf {
namespace {

using test::Case;
using test::run_process;
using test::SideBySide;

/// What both sides of a workload run, each traced alone.
struct TracedTwice {
  std::string name;
  TracedProgram base, head;

  bool same() const { return !base.id.empty() && base.id == head.id; }
};

std::vector<TracedTwice> trace_alone(const SideBySide& sides, const Plan& plan) {
  std::vector<TracedTwice> all;
  const TraceTools tools{.run = run_process()};
  for (const PlannedWorkload& one : plan.workloads) {
    const auto trace = [&](const Checkout& checkout, const std::string& oid, Side side) {
      return trace_program(one.workload, checkout, {oid, side, 7, 8, 1}, tools);
    };
    all.push_back({one.workload.name, trace(sides.checkouts().base, plan.base->oid, Side::base),
                   trace(sides.checkouts().head, plan.head.oid, Side::head)});
    const TracedTwice& traced = all.back();
    EXPECT_EQ(traced.base.id.empty(), !traced.base.doubt.empty()) << traced.name;
    EXPECT_EQ(traced.head.id.empty(), !traced.head.doubt.empty()) << traced.name;
  }
  return all;
}

/// No two sides may have one id.
void expect_other_ids(const std::vector<Case>& cases) {
  SideBySide sides(cases);
  const Plan plan = sides.trace();
  for (const TracedTwice& traced : trace_alone(sides, plan)) {
    if (traced.name.ends_with("/before")) {
      continue;
    }
    EXPECT_FALSE(traced.same()) << traced.name << ": " << test::record_of(plan, traced.name);
    const auto of_name = [&traced](const PlannedWorkload& one) {
      return one.workload.name == traced.name;
    };
    const auto workload = std::ranges::find_if(plan.workloads, of_name)->workload;
    EXPECT_NE(difference_between(traced.base, traced.head, workload), "") << traced.name;
  }
}

TEST(TraceProgram, GivesFilesThatDifferOtherIds) {
  expect_other_ids(test::changed_files());
}

TEST(TraceProgram, GivesOtherWaysToFilesOtherIds) {
  expect_other_ids(test::changed_ways());
}

TEST(TraceProgram, GivesProgramsThatDifferOtherIds) {
  std::vector<Case> cases = test::changed_programs();
  for (Case& one : test::changed_scripts()) {
    cases.push_back(std::move(one));
  }
  expect_other_ids(cases);
}

class ProgramIds : public test::NeedsTracing {};

TEST_F(ProgramIds, GivesTheSameProgramOneId) {
  SideBySide sides(test::unchanged());
  // What other runs leave adds a doubt, so nothing may run before.
  const Plan plan = sides.trace({[](const ProcessRequest&) {
    ProcessResult result;
    result.spawn_error = "nothing runs";
    return result;
  }});
  for (const TracedTwice& traced : trace_alone(sides, plan)) {
    EXPECT_TRUE(traced.same()) << traced.name << ": " << traced.base.doubt << traced.head.doubt;
  }
}

TEST_F(ProgramIds, IncludesFilesThatMayBeReadInsteadInTheId) {
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
  const Plan plan = sides.trace();
  const std::vector<TracedTwice> traced = trace_alone(sides, plan);
  for (std::size_t i = 0; i < traced.size(); ++i) {
    EXPECT_EQ(traced[i].same(), traced[i].name == "text") << traced[i].name;
    EXPECT_FALSE(traced[i].base.id.empty()) << traced[i].name << traced[i].base.doubt;
  }
}

TEST_F(ProgramIds, GivesNoIdToADoubtfulProgram) {
  SideBySide sides({{"history", {{"d", "a"}}, {{"d", "a"}}, "cat ../.git/HEAD d || cat ../.git"},
                    {"fails", {{"d", "a"}}, {{"d", "a"}}, "exit 3"}});
  const Plan plan = sides.trace();
  for (const TracedTwice& traced : trace_alone(sides, plan)) {
    EXPECT_EQ(traced.base.id, "") << traced.name;
    EXPECT_NE(traced.base.doubt, "") << traced.name;
  }
}

}  // namespace
}  // namespace perf

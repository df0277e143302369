#include "ci/cli/output/reproduce.h"

#include <gtest/gtest.h>

#include "ci/cli/options/options.h"
#include "tests/contains.h"

namespace perf {
namespace {

Plan some_plan() {
  Plan plan;
  plan.base = Revision{};
  plan.base->oid = std::string(40, 'a');
  plan.head.oid = std::string(40, 'b');
  plan.seed = 7;
  return plan;
}

TEST(Reproduce, NamesCommitsSizeAndSeed) {
  EXPECT_EQ(reproduce_commands(some_plan(), Options{}),
            std::vector<std::string>{"perf-compare aaaaaaaaaaaa bbbbbbbbbbbb --size ci --seed 7"});
}

TEST(Reproduce, KeepsDecidingOptions) {
  const Options options = parse_command_line(
      {"a", "b", "-w", "it's/*", "--metric", "step_time", "--threshold", "7%", "--alpha", "5%",
       "--pairs", "16:20", "--budget", "2m", "--config", "alt.json", "--json", "out.json", "-q"});
  EXPECT_EQ(reproduce_commands(some_plan(), options).front(),
            "perf-compare aaaaaaaaaaaa bbbbbbbbbbbb --size ci -w 'it'\\''s/*' --metric step_time "
            "--budget 120s --pairs 16:20 --threshold 7% --alpha 5% --config alt.json --seed 7");
}

TEST(Reproduce, KeepsSettingsAndCounting) {
  const Options options =
      parse_command_line({"a", "b", "--base-set", "threads=1", "--base-set", "backend=my own",
                          "--head-set", "threads=2", "--vary", "dtype=f32,f16", "--count"});
  EXPECT_EQ(reproduce_commands(some_plan(), options).front(),
            "perf-compare aaaaaaaaaaaa bbbbbbbbbbbb --size ci --base-set 'threads=1' --base-set "
            "'backend=my own' --head-set 'threads=2' --vary 'dtype=f32,f16' --count --seed 7");
}

TEST(Reproduce, NamesRepositoryAndStore) {
  const Options options = parse_command_line({"a", "b", "-C", "my repo", "--db", "other.db"});
  EXPECT_EQ(reproduce_commands(some_plan(), options).front(),
            "perf-compare aaaaaaaaaaaa bbbbbbbbbbbb --size ci -C 'my repo' --db other.db --seed 7");
}

TEST(Reproduce, WritesTheWorkingTreeAsADot) {
  Plan plan = some_plan();
  plan.head.dirty = true;
  EXPECT_TRUE(contains(reproduce_commands(plan, Options{}).front(), "aaaaaaaaaaaa . --size"));
}

}  // namespace
}  // namespace perf

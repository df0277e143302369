#include "ci/cli/run/plan_digest.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

namespace perf {
namespace {

struct Request {
  PlannedRun run{};
  Policy policy{};
  Options options{};
};

Request request() {
  Request all;
  Plan& plan = all.run.plan;
  plan.base = Revision{};
  plan.base->oid = std::string(40, 'a');
  plan.head.oid = std::string(40, 'b');
  plan.seed = 7;
  plan.missing = {"gone"};
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    PlannedWorkload planned;
    planned.workload.name = name;
    planned.workload.command = {"bench", name};
    plan.workloads.push_back(planned);
  }
  all.run.base_build = all.run.head_build = BuildCommand{{"make"}, 60, false};
  Target target;
  target.name = "quick";
  target.of = "a";
  target.at_most = 2;
  all.run.config.targets = {target};
  all.options.shard = Shard{1, 3};
  return all;
}

std::string digest(const Request& all) {
  return plan_digest(all.run, all.policy, all.options);
}

using Changes = std::map<std::string, std::function<void(Request&)>>;

Workload& first_workload(Request& all) {
  return all.run.plan.workloads.front().workload;
}

TEST(PlanDigest, DependsOnEverythingThatShardsShare) {
  const Changes changes{
      {"no base", [](Request& one) { one.run.plan.base.reset(); }},
      {"base", [](Request& one) { one.run.plan.base->oid = std::string(40, 'c'); }},
      {"dirty base", [](Request& one) { one.run.plan.base->dirty = true; }},
      {"head", [](Request& one) { one.run.plan.head.oid = std::string(40, 'c'); }},
      {"dirty head", [](Request& one) { one.run.plan.head.dirty = true; }},
      {"size", [](Request& one) { one.run.plan.size = "full"; }},
      {"seed", [](Request& one) { one.run.plan.seed = 8; }},
      {"name", [](Request& one) { first_workload(one).name = "z"; }},
      {"command", [](Request& one) { first_workload(one).command.emplace_back("-v"); }},
      {"parameters", [](Request& one) { first_workload(one).params["n"] = std::int64_t{4}; }},
      {"format", [](Request& one) { first_workload(one).format = "go"; }},
      {"timeout", [](Request& one) { first_workload(one).timeout = 1; }},
      {"outside", [](Request& one) { first_workload(one).outside = std::string(16, '1'); }},
      {"inputs", [](Request& one) { first_workload(one).inputs = {"data/*"}; }},
      {"folder", [](Request& one) { first_workload(one).cwd = "sub"; }},
      {"variable",
       [](Request& one) {
         first_workload(one).env = {{"A", "1"}};
       }},
      {"its value",
       [](Request& one) {
         first_workload(one).env = {{"A", "2"}};
       }},
      {"server",
       [](Request& one) {
         first_workload(one).serve = Server{{"s"}, ReadyBy::tcp, "1", 30};
       }},
      {"its readiness",
       [](Request& one) {
         first_workload(one).serve = Server{{"s"}, ReadyBy::line, "1", 30};
       }},
      {"preparation", [](Request& one) { first_workload(one).prepare = {"true"}; }},
      {"seconds", [](Request& one) { first_workload(one).seconds = 3; }},
      {"one workload less", [](Request& one) { one.run.plan.workloads.pop_back(); }},
      {"settings", [](Request& one) { one.run.plan.workloads.front().base_params = Params{}; }},
      {"control", [](Request& one) { one.policy.control = true; }},
      {"count", [](Request& one) { one.policy.count = true; }},
      {"base's build", [](Request& one) { one.run.base_build->command = {"ninja"}; }},
      {"head's build", [](Request& one) { one.run.head_build.reset(); }},
      {"submodules", [](Request& one) { one.run.head_build->submodules = true; }},
      {"outside files", [](Request& one) { one.run.outside.digest = "1"; }},
      {"targets", [](Request& one) { one.run.config.targets.front().at_most = 3.0; }},
      {"--measure", [](Request& one) { one.options.measure = "all"; }},
      {"number of shards", [](Request& one) { one.options.shard->count = 4; }},
      {"no shards", [](Request& one) { one.options.shard.reset(); }},
  };
  std::map<std::string, std::string> seen{{digest(request()), "nothing"}};
  for (const auto& [name, change] : changes) {
    Request changed = request();
    change(changed);
    const auto [place, is_new] = seen.emplace(digest(changed), name);
    EXPECT_TRUE(is_new) << name << " is taken for " << place->second;
  }
}

/// It enters by the mapping of all its fields.
TEST(PlanDigest, DependsOnThePolicy) {
  const Request all = request();
  for (const auto change :
       {+[](Policy& one) { one.threshold = 0.2; }, +[](Policy& one) { one.alpha = 0.05; },
        +[](Policy& one) { one.budget = 1; }, +[](Policy& one) { one.max_pairs = 20; },
        +[](Policy& one) { one.metrics = {"peak_rss"}; },
        +[](Policy& one) {
          one.thresholds = {{"a", "", 0.5}};
        }}) {
    Request changed = request();
    change(changed.policy);
    EXPECT_NE(digest(changed), digest(all));
  }
}

TEST(PlanDigest, DoesNotDependOnTheMachine) {
  const Changes changes{
      {"run", [](Request& one) { one.run.plan.run_id = "another"; }},
      {"host", [](Request& one) { one.run.plan.host = std::string(32, '1'); }},
      {"attempt", [](Request& one) { one.run.plan.attempt = 2; }},
      {"environment", [](Request& one) { one.run.plan.environment.fingerprint = "another"; }},
      {"warnings",
       [](Request& one) { one.run.plan.warnings = {{WarningKind::uncommitted_files}}; }},
      {"the config's folder", [](Request& one) { first_workload(one).config_folder = "/there"; }},
      {"name of a revision", [](Request& one) { one.run.plan.head.name = "HEAD"; }},
      {"which shard", [](Request& one) { one.options.shard->number = 2; }},
      {"share of alpha", [](Request& one) { one.policy.alpha_share = 0.5; }},
      {"--db", [](Request& one) { one.options.db = "another.db"; }},
  };
  for (const auto& [name, change] : changes) {
    Request changed = request();
    change(changed);
    EXPECT_EQ(digest(changed), digest(request())) << name;
  }
}

TEST(TakeShard, SplitsAPlanCompletely) {
  std::set<std::string> names, digests;
  std::set<std::uint64_t> seeds;
  double shares = 0;
  for (int number = 1; number <= 3; ++number) {
    Request all = request();
    all.options.shard->number = number;
    take_shard(all.run, all.policy, all.options);
    for (const PlannedWorkload& planned : all.run.plan.workloads) {
      EXPECT_TRUE(names.insert(planned.workload.name).second) << "in two shards";
    }
    EXPECT_DOUBLE_EQ(all.policy.alpha_share,
                     static_cast<double>(all.run.plan.workloads.size()) / 7);
    EXPECT_EQ(all.policy.alpha, Policy{}.alpha);
    shares += all.policy.alpha_share;
    digests.insert(all.run.plan.digest);
    seeds.insert(all.run.plan.seed);
    EXPECT_EQ(all.run.plan.missing.size(), number == 1 ? 1U : 0U) << "said once";
    EXPECT_EQ(all.run.plan.shard, all.options.shard);
  }
  EXPECT_EQ(names.size(), 7U);
  EXPECT_NEAR(shares, 1, 1e-12);
  EXPECT_EQ(digests.size(), 1U);
  EXPECT_EQ(seeds.size(), 1U) << "the seed depends on the plan only";
}

TEST(TakeShard, KeepsAGivenSeed) {
  const auto seed = [](std::uint64_t planned, std::optional<std::uint64_t> given) {
    Request all = request();
    all.run.plan.seed = planned;
    all.options.seed = given;
    take_shard(all.run, all.policy, all.options);
    return all.run.plan.seed;
  };
  EXPECT_EQ(seed(7, 7), 7U);
  EXPECT_EQ(seed(1, {}), seed(2, {})) << "a random one is of no plan";
  EXPECT_NE(seed(1, {}), 1U);
}

TEST(TakeShard, KeepsAPlanWithoutShards) {
  Request all = request();
  all.options.shard.reset();
  take_shard(all.run, all.policy, all.options);
  EXPECT_EQ(all.run.plan.workloads.size(), 7U);
  EXPECT_EQ(all.run.plan.seed, 7U);
  EXPECT_EQ(all.policy.alpha_share, 1);
}

}  // namespace
}  // namespace perf

// What a store holds that may be judged without measuring again.

#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

using Ids = std::vector<std::string>;

const std::string kBase(40, 'b');
const std::string kHead(40, 'a');

struct Evidence : ::testing::Test {
  example::Folder folder;
  Store store{folder / "results.db"};

  static Workload workload() { return example::plan().workloads[0].workload; }

  /// A run of pairs of its first workload, changed before it is stored.
  template <typename ChangePlan, typename ChangeInvocation>
  void run(const std::string& id, const ChangePlan& change_plan, const ChangeInvocation& change,
           int pairs = 1) {
    Plan plan = example::plan(id);
    change_plan(plan);
    store.begin_run(plan, example::policy(), "1.0");
    for (int i = 0; i < 2 * pairs; ++i) {
      Invocation invocation = example::invocation(i);
      invocation.paired = true;
      invocation.oid = i % 2 == 0 ? plan.base->oid : plan.head.oid;
      change(invocation);
      store.add(id, invocation);
    }
  }
  void run(const std::string& id) {
    run(
        id, [](Plan&) {}, [](Invocation&) {});
  }
  Ids pairs_of(const Workload& wanted, const std::string& size = "smoke") const {
    Ids ids;
    for (const RunOfPairs& run : store.runs_of_pairs(kBase, kHead, wanted, size)) {
      ids.push_back(run.id);
    }
    return ids;
  }
  Ids pairs() const { return pairs_of(workload()); }
  Ids at(const std::string& oid) const { return store.runs_at(oid, workload(), "smoke"); }
};

TEST_F(Evidence, IsFoundNewestFirst) {
  run("first");
  run("second");
  EXPECT_EQ(pairs(), (Ids{"second", "first"}));
  EXPECT_EQ(at(kBase), (Ids{"second", "first"}));
  EXPECT_EQ(at(kHead), (Ids{"second", "first"}));
  EXPECT_EQ(at(std::string(40, 'c')), Ids{});
}

TEST_F(Evidence, CountsGoodPairs) {
  run(
      "long", [](Plan&) {}, [](Invocation& one) { one.failure = one.pair == 2 ? "crashed" : ""; },
      5);
  run("short");
  const std::vector<RunOfPairs> runs = store.runs_of_pairs(kBase, kHead, workload(), "smoke");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].id, "short");
  EXPECT_EQ(runs[0].pairs, 1);
  EXPECT_EQ(runs[1].id, "long");
  EXPECT_EQ(runs[1].pairs, 4);
}

// `judge` says that it failed, not that it is missing.
TEST_F(Evidence, IncludesRunsThatFailed) {
  run(
      "crashed", [](Plan&) {}, [](Invocation& one) { one.failure = "crashed"; });
  run(
      "unbuilt", [](Plan& plan) { plan.workloads[0].head_failed = "it did not build"; },
      [](Invocation&) {}, 0);
  EXPECT_EQ(at(kHead), (Ids{"unbuilt", "crashed"}));
  EXPECT_EQ(at(kBase), Ids{"crashed"});
  EXPECT_EQ(pairs(), Ids{});
}

TEST_F(Evidence, RequiresTheSameRevisionsInOrder) {
  run(
      "turned", [](Plan& plan) { std::swap(plan.base->oid, plan.head.oid); }, [](Invocation&) {});
  EXPECT_EQ(pairs(), Ids{});
  EXPECT_EQ(at(kHead), (Ids{"turned"}));
}

TEST_F(Evidence, RequiresTheSameWorkload) {
  run("one");
  for (const auto& change : std::vector<void (*)(Workload&)>{
           [](Workload& one) { one.name = "other"; },
           [](Workload& one) { one.params["layers"] = std::int64_t{5}; },
           [](Workload& one) { one.command.push_back("-v"); },
           [](Workload& one) { one.format = "go"; }}) {
    Workload wanted = workload();
    change(wanted);
    EXPECT_EQ(pairs_of(wanted), Ids{});
    EXPECT_EQ(store.runs_at(kBase, wanted, "smoke"), Ids{});
  }
  EXPECT_EQ(pairs_of(workload(), "full"), Ids{});
  EXPECT_EQ(store.runs_at(kBase, workload(), "full"), Ids{});
  Workload patient = workload();
  patient.timeout += 1;
  EXPECT_EQ(pairs_of(patient), (Ids{"one"}));
}

TEST_F(Evidence, ExcludesPlantedAndRepeatedRuns) {
  for (const Purpose purpose : {Purpose::calibrate, Purpose::selftest, Purpose::bisect}) {
    run(
        std::string(to_string(purpose)), [purpose](Plan& plan) { plan.purpose = purpose; },
        [](Invocation&) {});
  }
  EXPECT_EQ(pairs(), Ids{});
  EXPECT_EQ(at(kHead), Ids{});
  run(
      "collect", [](Plan& plan) { plan.purpose = Purpose::collect; }, [](Invocation&) {});
  EXPECT_EQ(pairs(), Ids{});
  EXPECT_EQ(at(kHead), (Ids{"collect"}));
}

TEST_F(Evidence, ExcludesRelinkedAndCountedInvocationsAndFailedPairs) {
  const auto plain = [](Plan&) {};
  run("relinked", plain, [](Invocation& one) { one.layout_seed = 7; });
  run("counted", plain, [](Invocation& one) { one.counted = true; });
  run("looking", plain, [](Invocation& one) { one.traced = true; });
  EXPECT_EQ(at(kBase), Ids{});
  run("half", plain,
      [](Invocation& one) { one.failure = one.side == Side::head ? "crashed" : ""; });
  EXPECT_EQ(pairs(), Ids{});
}

TEST_F(Evidence, ExcludesControlArmsAndOtherSettings) {
  run(
      "control", [](Plan& plan) { plan.workloads[0].control_of = "parser"; }, [](Invocation&) {});
  EXPECT_EQ(pairs(), Ids{});
  EXPECT_EQ(at(kBase), Ids{});
  run(
      "setting",
      [](Plan& plan) {
        plan.workloads[0].base_params = Params{{"layers", 9.5}};
      },
      [](Invocation&) {});
  EXPECT_EQ(pairs(), Ids{});
  EXPECT_EQ(at(kBase), Ids{}) << "base ran with other parameters";
  EXPECT_EQ(at(kHead), (Ids{"setting"}));
}

TEST_F(Evidence, LoadsWholePlans) {
  Plan plan = example::plan("whole");
  plan.purpose = Purpose::collect;
  plan.workloads[0].base_params = Params{{"layers", std::int64_t{1}}};
  plan.workloads[1].control_of = "training/mlp_stack";
  plan.workloads[1].of_base = true;
  store.begin_run(plan, example::policy(), "1.0");
  const Plan read = store.load_plan("whole");
  EXPECT_EQ(read.run_id, "whole");
  EXPECT_EQ(read.purpose, Purpose::collect);
  EXPECT_EQ(read.size, plan.size);
  EXPECT_EQ(read.seed, plan.seed);
  EXPECT_EQ(read.missing, plan.missing);
  EXPECT_EQ(read.warnings, plan.warnings);
  EXPECT_EQ(read.environment.fingerprint, plan.environment.fingerprint);
  EXPECT_EQ(read.environment.machine, plan.environment.machine);
  EXPECT_EQ(read.environment.facts, plan.environment.facts);
  EXPECT_EQ(read.base->oid, plan.base->oid);
  EXPECT_EQ(read.base->name, plan.base->name);
  EXPECT_FALSE(read.base->dirty);
  EXPECT_EQ(read.head.parents, plan.head.parents);
  EXPECT_EQ(read.head.committed_at, plan.head.committed_at);
  EXPECT_EQ(read.head.author, plan.head.author);
  EXPECT_EQ(read.head.subject, plan.head.subject);
  EXPECT_EQ(read.head.rule, plan.head.rule);
  EXPECT_TRUE(read.head.dirty);
  ASSERT_EQ(read.workloads.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read.workloads[i].workload.name, plan.workloads[i].workload.name);
    EXPECT_EQ(read.workloads[i].workload.command, plan.workloads[i].workload.command);
    EXPECT_EQ(read.workloads[i].workload.format, plan.workloads[i].workload.format);
    EXPECT_EQ(read.workloads[i].workload.params, plan.workloads[i].workload.params);
    EXPECT_EQ(read.workloads[i].workload.timeout, plan.workloads[i].workload.timeout);
    EXPECT_EQ(read.workloads[i].base_missing, plan.workloads[i].base_missing);
    EXPECT_EQ(read.workloads[i].of_base, plan.workloads[i].of_base);
    EXPECT_EQ(read.workloads[i].base_params, plan.workloads[i].base_params);
    EXPECT_EQ(read.workloads[i].control_of, plan.workloads[i].control_of);
  }
  EXPECT_THROW(store.load_plan("nowhere"), Error);
}

TEST_F(Evidence, RequiresTheSameOutsideFiles) {
  const auto bring = [](const std::string& outside) {
    return [outside](Plan& plan) { plan.workloads[0].workload.outside = outside; };
  };
  const std::string digest = "0123456789abcdef";
  Workload now = workload();
  EXPECT_FALSE(store.knows_other_benchmark(now));
  run("own", bring(""), [](Invocation&) {});
  now.outside = digest;
  EXPECT_TRUE(store.knows_other_benchmark(now));
  EXPECT_EQ(pairs_of(now), Ids{});
  EXPECT_EQ(store.runs_at(kHead, now, "smoke"), Ids{});
  run("brought", bring(digest), [](Invocation&) {});
  EXPECT_FALSE(store.knows_other_benchmark(now));
  EXPECT_FALSE(store.knows_other_benchmark(workload()));
  EXPECT_EQ(pairs_of(now), Ids{"brought"});
  EXPECT_EQ(store.runs_at(kHead, now, "smoke"), Ids{"brought"});
  EXPECT_EQ(pairs(), Ids{"own"});
  EXPECT_EQ(store.load_plan("brought").workloads[0].workload.outside, digest);
  for (const char* broken : {"0123456789abcde", "0123456789ABCDEF", "0123456789abcde;"}) {
    EXPECT_THROW(run("broken", bring(broken), [](Invocation&) {}), Error) << broken;
  }
}

TEST_F(Evidence, RequiresABase) {
  Plan plan = example::plan("alone");
  plan.base.reset();
  store.begin_run(plan, example::policy(), "1.0");
  EXPECT_FALSE(store.load_plan("alone").base);
}

TEST_F(Evidence, FindsTheProgramOfACollectedCommit) {
  const auto look = [this](const std::string& id, Purpose purpose, const std::string& program,
                           const std::string& doubt = {}) {
    Plan plan = example::plan(id);
    plan.purpose = purpose;
    plan.head.dirty = false;
    plan.workloads[0].trace_record = TraceRecord{{}, program, doubt};
    store.begin_run(plan, example::policy(), "1.0");
  };
  const auto known = [this] { return store.programs_at({kBase, kHead}, "smoke"); };
  run("nobody looked");
  look("two sides", Purpose::compare, "77");
  EXPECT_TRUE(known().empty()) << "ids of other looks are not to be compared";
  look("first night", Purpose::collect, "9f");
  look("second night", Purpose::collect, "9f");
  ASSERT_EQ(known().size(), 1U);
  EXPECT_EQ(known()[0].oid, kHead);
  EXPECT_EQ(known()[0].workload, workload().name);
  EXPECT_EQ(known()[0].params, workload().params);
  EXPECT_EQ(known()[0].fingerprint, example::plan().environment.fingerprint);
  EXPECT_EQ(known()[0].program, "9f");
  EXPECT_TRUE(store.programs_at({kBase}, "smoke").empty());
  EXPECT_TRUE(store.programs_at({kHead}, "ci").empty());
  look("another compiler", Purpose::collect, "8e");
  EXPECT_EQ(known()[0].program, "") << "it is not always the same";
}

TEST_F(Evidence, StaysInDoubt) {
  for (const char* program : {"9f", ""}) {
    Plan plan = example::plan(std::string("run ") + program);
    plan.purpose = Purpose::collect;
    plan.head.dirty = false;
    plan.workloads[0].trace_record =
        TraceRecord{{}, program, *program == '\0' ? "a connection" : ""};
    store.begin_run(plan, example::policy(), "1.0");
  }
  ASSERT_EQ(store.programs_at({kHead}, "smoke").size(), 1U);
  EXPECT_EQ(store.programs_at({kHead}, "smoke")[0].program, "");
}

TEST_F(Evidence, RequiresTheSameFolderVariablesAndPreparation) {
  const auto with = [this](const std::string& id, const auto& change) {
    run(
        id, [&](Plan& plan) { change(plan.workloads[0].workload); }, [](Invocation&) {});
  };
  with("cwd", [](Workload& one) { one.cwd = "sub"; });
  with("env", [](Workload& one) { one.env = {{"A", "1"}}; });
  with("value", [](Workload& one) { one.env = {{"A", "2"}}; });
  with("prepare", [](Workload& one) { one.prepare = {"true"}; });
  with("serve", [](Workload& one) { one.serve = Server{{"s", "{port}"}, ReadyBy::file, "f", 2}; });
  EXPECT_EQ(pairs(), Ids{});
  EXPECT_EQ(at(kHead), Ids{});
  EXPECT_EQ(store.load_plan("serve").workloads[0].workload.serve,
            (Server{{"s", "{port}"}, ReadyBy::file, "f", 2}));
  EXPECT_EQ(store.load_plan("cwd").workloads[0].workload.serve, std::nullopt);
  Workload one = workload();
  one.env = {{"A", "1"}};
  EXPECT_EQ(pairs_of(one), Ids{"env"});
  EXPECT_EQ(store.runs_at(kHead, one, "smoke"), Ids{"env"});
  one = workload();
  one.cwd = "sub";
  EXPECT_EQ(pairs_of(one), Ids{"cwd"});
}

}  // namespace
}  // namespace perf

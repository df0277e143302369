// What the store holds along a line of commits: which values, of which series, in which order.

#include <gtest/gtest.h>

#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

std::string oid(char letter) {
  return std::string(40, letter);
}

Invocation timed(const Plan& plan, Side side, std::vector<double> seconds, int order) {
  Invocation made;
  made.workload = plan.workloads[0].workload.name;
  made.side = side;
  made.oid = side == Side::base ? plan.base->oid : plan.head.oid;
  made.start_order = order;
  made.pair = order / 2;
  made.paired = plan.base.has_value();
  made.process.exit_code = 0;
  made.process.peak_rss = 1000 + order;
  Block& block = made.blocks.emplace_back();
  block.workload = "own name";
  for (const double one : seconds) {
    block.steps.push_back({static_cast<std::int64_t>(block.steps.size()), false, one, {}, {}});
  }
  return made;
}

struct RecordedHistoryTest : ::testing::Test {
  example::Folder folder;
  Store store{folder / "results.db"};

  static Plan plan(const std::string& id, char head, char base = '\0') {
    Plan made = example::plan(id);
    made.purpose = Purpose::collect;
    made.head.oid = oid(head);
    made.head.dirty = false;
    if (base == '\0') {
      made.base.reset();
    } else {
      made.base->oid = oid(base);
    }
    return made;
  }
  /// One invocation of head.
  void night(
      const Plan& plan, double seconds,
      const std::function<void(Invocation&)>& change = [](Invocation&) {}) {
    store.begin_run(plan, {}, "0");
    Invocation made = timed(plan, Side::head, {seconds}, 0);
    change(made);
    store.add(plan.run_id, made);
  }
  RecordedHistory load(const std::string& line, std::vector<std::string> metrics = {"step_time"},
                       std::vector<std::string> workloads = {}) const {
    HistoryQuery query;
    for (const char letter : line) {
      query.oids.push_back(oid(letter));
    }
    query.size = "smoke";
    query.metrics = std::move(metrics);
    query.workloads = std::move(workloads);
    return store.load_recorded(query);
  }
  /// "COMMIT:VALUE" of every value of a series.
  static std::string shown(const RecordedSeries& series) {
    std::ostringstream out;
    for (const RecordedValue& value : series.values) {
      out << value.commit << ":" << value.value << " ";
    }
    return out.str();
  }
};

TEST_F(RecordedHistoryTest, GivesMediansInTheOrderOfTheLine) {
  night(plan("second", 'b'), 2);
  night(plan("first", 'a'), 1, [](Invocation& i) {
    i.blocks[0].steps[0].warmup = true;
    for (const double seconds : {4.0, 1.0, 2.0, 3.0}) {
      i.blocks[0].steps.push_back(
          {static_cast<std::int64_t>(i.blocks[0].steps.size()), false, seconds, {}, {}});
    }
  });
  night(plan("again", 'b'), 3);
  night(plan("beside", 'd'), 9);
  const RecordedHistory history = load("abc");
  ASSERT_EQ(history.series.size(), 1U);
  const RecordedSeries& series = history.series[0];
  EXPECT_EQ(shown(series), "0:2.5 1:2 1:3 ");
  EXPECT_EQ(series.workload, "training/mlp_stack");
  EXPECT_EQ(series.params, example::plan().workloads[0].workload.params);
  EXPECT_EQ(series.name, series.workload) << "of its only block";
  EXPECT_EQ(series.metric, kStepTime);
  EXPECT_EQ(series.fingerprint, "f1e2d3");
  EXPECT_EQ(series.anchor, "");
  EXPECT_EQ(history.elsewhere, 1);
  ASSERT_EQ(history.runs.size(), 3U) << "only those that are used";
  EXPECT_EQ(history.runs[series.values[0].run].id, "first");
  EXPECT_EQ(history.runs[series.values[2].run].id, "again");
  EXPECT_EQ(history.runs[0].facts.at("governor"), "performance");
  ASSERT_EQ(history.environments.size(), 1U);
  EXPECT_EQ(history.environments[0].machine.at("cpu_model"), "Xeon");
}

/// A warm-up, and timed steps of 0.01 s, 0.02 s, ...
std::function<void(Invocation&)> hundredths(int count) {
  return [count](Invocation& i) {
    i.blocks[0].steps[0] = {0, true, 99, {}, {}};
    for (int step = 1; step <= count; ++step) {
      i.blocks[0].steps.push_back({step, false, 0.01 * step, {}, {}});
    }
  };
}

TEST_F(RecordedHistoryTest, DerivesTailsWhereAsked) {
  night(plan("enough", 'a'), 1, hundredths(100));
  night(plan("too few", 'b'), 1, hundredths(99));
  HistoryQuery query{{oid('a'), oid('b')}, "smoke"};
  const auto tails = [&] {
    std::vector<float> found;
    for (const RecordedSeries& series : store.load_recorded(query).series) {
      for (const RecordedValue& value : series.values) {
        EXPECT_TRUE(value.tail == 0 || series.metric == kStepTime);
        if (series.metric == kStepTime) {
          found.push_back(value.tail);
        }
      }
    }
    return found;
  };
  EXPECT_EQ(tails(), std::vector<float>(2, 0));
  query.tails = true;
  const auto tail = static_cast<float>(0.901 / 0.505);
  ASSERT_EQ(tails().size(), 2U);
  EXPECT_FLOAT_EQ(tails()[0], tail);
  EXPECT_EQ(tails()[1], 0);
  store.prune({"9999-12-31T23:59:59Z", {}, {}, false});
  EXPECT_FLOAT_EQ(tails()[0], tail) << "pruning keeps the quantile";
  EXPECT_EQ(tails()[1], 0);
  query.metrics = {kPeakRss.name};
  EXPECT_TRUE(tails().empty());
}

TEST_F(RecordedHistoryTest, DerivesQuantilesOfStepsWhereAsked) {
  night(plan("enough", 'a'), 1, hundredths(100));
  night(plan("too few", 'b'), 1, hundredths(99));
  night(plan("reported", 'c'), 1, [](Invocation& i) {
    hundredths(100)(i);
    i.blocks[0].metrics = {{{"step_time.p90", "s", Better::lower}, 7, false}};
  });
  const RecordedHistory history = load("abc", {"step_time.p90"});
  ASSERT_EQ(history.series.size(), 1U);
  EXPECT_EQ(history.series[0].metric, (Metric{"step_time.p90", "s", Better::lower}));
  EXPECT_EQ(shown(history.series[0]), "0:0.901 2:0.901 ") << "derived, not what was reported";
  for (const RecordedSeries& series : load("ab", {}).series) {
    EXPECT_NE(series.metric.name, "step_time.p90");
  }
  HistoryQuery beside{{oid('a')}, "smoke"};
  beside.quantiles = {"step_time.p90"};
  const RecordedHistory with_all = store.load_recorded(beside);
  EXPECT_EQ(with_all.series.size(), 3U) << "beside peak_rss and step_time";
  EXPECT_EQ(shown(with_all.series.back()), "0:0.901 ");
}

TEST_F(RecordedHistoryTest, CountsOrdinaryInvocationsOnly) {
  night(plan("good", 'a'), 1);
  night(plan("failed", 'a'), 2, [](Invocation& i) { i.failure = "crashed"; });
  night(plan("counted", 'a'), 3, [](Invocation& i) { i.counted = true; });
  night(plan("looking", 'a'), 3, [](Invocation& i) { i.traced = true; });
  night(plan("relinked", 'a'), 4, [](Invocation& i) { i.layout_seed = 7; });
  Plan planted = plan("planted", 'a');
  planted.purpose = Purpose::selftest;
  night(planted, 5);
  Plan bisected = plan("bisected", 'e');
  bisected.purpose = Purpose::bisect;
  night(bisected, 5);
  Plan large = plan("large", 'a');
  large.size = "full";
  night(large, 6);
  Plan control = plan("control", 'a');
  control.workloads[0].control_of = "parser";
  night(control, 7);
  Plan dirty = plan("dirty", 'a');
  dirty.head.dirty = true;
  night(dirty, 8);
  dirty = plan("dirty elsewhere", 'f');
  dirty.head.dirty = true;
  night(dirty, 8);
  const RecordedHistory history = load("a");
  ASSERT_EQ(history.series.size(), 1U);
  EXPECT_EQ(shown(history.series[0]), "0:1 ");
  EXPECT_EQ(history.elsewhere, 0) << "a modified tree is no commit";
}

TEST_F(RecordedHistoryTest, TakesBothSidesOfComparisons) {
  Plan compared = plan("compared", 'b', 'a');
  compared.purpose = Purpose::compare;
  compared.workloads[0].base_params = Params{{"layers", std::int64_t{9}}};
  store.begin_run(compared, {}, "0");
  store.add("compared", timed(compared, Side::base, {1}, 0));
  store.add("compared", timed(compared, Side::head, {2}, 1));
  const RecordedHistory history = load("ab");
  ASSERT_EQ(history.series.size(), 2U) << "each side's own parameters, and no ratio";
  EXPECT_EQ(shown(history.series[0]), "1:2 ");
  EXPECT_EQ(shown(history.series[1]), "0:1 ");
  EXPECT_EQ(std::get<std::int64_t>(history.series[1].params.at("layers")), 9);
}

TEST_F(RecordedHistoryTest, ComparesGoodPairsWithTheirAnchor) {
  const Plan anchored = plan("anchored", 'b', 'z');
  store.begin_run(anchored, {}, "0");
  Invocation failed = timed(anchored, Side::base, {1}, 0);
  failed.failure = "crashed";
  store.add("anchored", failed);
  store.add("anchored", timed(anchored, Side::head, {5}, 1));
  for (const int order : {2, 3, 4, 5}) {
    Invocation again = timed(anchored, order % 2 == 0 ? Side::base : Side::head,
                             {order % 2 == 0 ? 2.0 : 3.0 + order}, order);
    again.pair = order < 4 ? 0 : 1;
    again.attempt = order < 4 ? 2 : 1;
    store.add("anchored", again);
  }
  RecordedHistory history = load("ab");
  ASSERT_EQ(history.series.size(), 2U);
  EXPECT_EQ(history.series[0].anchor, oid('z'));
  EXPECT_EQ(history.series[0].fingerprint, "");
  EXPECT_EQ(shown(history.series[0]), "1:3 1:4 ");
  EXPECT_EQ(shown(history.series[1]), "1:5 1:6 1:8 ");
  EXPECT_EQ(history.elsewhere, 1) << "the anchor";
  history = load("zb");
  ASSERT_EQ(history.series.size(), 2U);
  EXPECT_EQ(shown(history.series[1]), "0:2 0:2 1:5 1:6 1:8 ") << "the anchor's own values too";
}

TEST_F(RecordedHistoryTest, SeparatesBlocksAndMetrics) {
  night(plan("night", 'a'), 2, [](Invocation& i) {
    i.process.instructions = 77;
    i.blocks[0].tokens_per_step = 10;
    i.blocks[0].facts = {{"threads", "2"}};
    i.blocks[0].metrics = {{{"size", "B", Better::lower}, 8, false},
                           {{"size", "B", Better::lower}, 9, false},
                           {{"step_time", "s", Better::lower}, 99, false}};
    i.blocks.push_back(i.blocks[0]);
    i.blocks[1].metrics = {{{"tokens_per_second", "1/s", Better::higher}, 6, false}};
    i.blocks.push_back(i.blocks[1]);
    i.blocks[2].workload = "other";
  });
  const auto told = [](const RecordedHistory& history) {
    std::ostringstream out;
    for (const RecordedSeries& s : history.series) {
      out << s.name.substr(s.workload.size()) << " " << s.metric.name << " " << shown(s) << "| ";
    }
    return out.str();
  };
  const RecordedHistory all = load("a", {});
  EXPECT_EQ(told(all),
            " instructions 0:77 |  peak_rss 0:1000 | /other step_time 0:2 | "
            "/other tokens_per_second 0:6 | /own name size 0:8 | /own name step_time 0:2 | "
            "/own name tokens_per_second 0:5 | /own name-2 step_time 0:2 | "
            "/own name-2 tokens_per_second 0:6 | ");
  EXPECT_EQ(all.declarations.size(), 1U) << "what they say of themselves is the same";
  EXPECT_EQ(all.declarations[0].at("threads"), "2");
  EXPECT_EQ(told(load("a", {"size", "peak_rss"})), " peak_rss 0:1000 | /own name size 0:8 | ");
  EXPECT_EQ(told(load("a", {"step_time", "peak_rss"}, {"*/oth?r"})), "/other step_time 0:2 | ");
  const RecordedHistory twin = load("a", {"step_time"}, {"*own name-2"});
  EXPECT_EQ(told(twin), "/own name-2 step_time 0:2 | ");
  EXPECT_EQ(twin.series[0].name, all.series[0].workload + "/own name-2");
  EXPECT_EQ(all.series[0].name, all.series[0].workload) << "of the whole process";
  EXPECT_EQ(load("a", {}, {"training/*"}).series.size(), all.series.size());
  EXPECT_TRUE(load("a", {}, {"parser"}).series.empty());
}

TEST_F(RecordedHistoryTest, LeavesAGapForASkippedBlock) {
  night(plan("skips", 'a'), 1, [](Invocation& i) {
    i.blocks.emplace_back().workload = "avx";
    i.blocks[1].skipped = "no avx";
  });
  night(plan("measures", 'b'), 2, [](Invocation& i) {
    i.blocks.push_back(i.blocks[0]);
    i.blocks[1].workload = "avx";
  });
  std::map<std::string, std::string> found;
  for (const RecordedSeries& series : load("ab").series) {
    found[series.name.substr(series.workload.size())] = shown(series);
  }
  EXPECT_EQ(found,
            (std::map<std::string, std::string>{{"/avx", "1:2 "}, {"/own name", "0:1 1:2 "}}));
}

TEST_F(RecordedHistoryTest, KeepsOneSeriesForARenamedBlock) {
  night(plan("old", 'a'), 1);
  night(plan("renamed", 'b'), 2, [](Invocation& i) { i.blocks[0].workload = "new name"; });
  const RecordedHistory history = load("ab");
  ASSERT_EQ(history.series.size(), 1U);
  EXPECT_EQ(shown(history.series[0]), "0:1 1:2 ");
}

// As a comparison of the run names them, and `show` of it.
TEST_F(RecordedHistoryTest, NamesBlocksByTheirRun) {
  const auto with = [](Invocation made, const std::string& another) {
    made.blocks.push_back(made.blocks[0]);
    made.blocks.back().workload = another;
    return made;
  };
  const Plan late = plan("late", 'b', 'a');
  store.begin_run(late, {}, "0");
  for (const int order : {0, 1, 2, 3}) {
    const Invocation made = timed(late, order % 2 == 0 ? Side::base : Side::head, {1}, order);
    store.add("late", order == 3 ? with(made, "late") : made);
  }
  const Plan early = plan("early", 'd', 'c');
  store.begin_run(early, {}, "0");
  for (const int order : {0, 1, 2, 3}) {
    const Invocation made = timed(early, order % 2 == 0 ? Side::base : Side::head, {2}, order);
    store.add("early", order == 1 ? with(made, "another") : made);
  }
  std::map<std::string, std::string> found;
  for (const RecordedSeries& series : load("abcd").series) {
    if (series.anchor.empty()) {
      found[series.name.substr(series.workload.size())] = shown(series);
    }
  }
  const std::map<std::string, std::string> expected{
      {"", "0:1 0:1 1:1 1:1 "}, {"/another", "3:2 "}, {"/own name", "2:2 2:2 3:2 3:2 "}};
  EXPECT_EQ(found, expected);
}

TEST_F(RecordedHistoryTest, PrefersMeasuredToReportedValues) {
  night(plan("night", 'a'), 2, [](Invocation& i) {
    i.blocks[0].metrics = {{{"peak_rss", "B", Better::lower}, 5, true}};
  });
  const RecordedHistory history = load("a", {"peak_rss"});
  ASSERT_EQ(history.series.size(), 1U);
  EXPECT_EQ(shown(history.series[0]), "0:1000 ");
}

TEST_F(RecordedHistoryTest, SeparatesMachines) {
  Plan moved = plan("moved", 'b');
  moved.environment.fingerprint.clear();
  night(plan("here", 'a'), 1);
  night(moved, 2);
  const RecordedHistory history = load("ab");
  ASSERT_EQ(history.series.size(), 2U);
  EXPECT_EQ(history.series[0].fingerprint, "");
  EXPECT_EQ(shown(history.series[0]), "1:2 ");
  EXPECT_EQ(shown(history.series[1]), "0:1 ");
  EXPECT_EQ(history.environments.size(), 2U);
}

TEST_F(RecordedHistoryTest, SurvivesPruning) {
  night(plan("night", 'a'), 1, [](Invocation& i) {
    i.blocks[0].steps.push_back({1, false, 3, {}, {}});
    i.blocks[0].steps.push_back({2, true, 9, {}, {}});
  });
  ASSERT_EQ(store.prune({"9999-01-01T00:00:00Z", {}, {}, false}).steps, 3);
  EXPECT_EQ(shown(load("a").series.at(0)), "0:2 ");
  const Measurements history = store.load("night");
  const Block& block = history.invocations.at(0).blocks.at(0);
  EXPECT_TRUE(block.steps.empty());
  ASSERT_TRUE(block.pruned);
  EXPECT_EQ(block.pruned->timed, 2);
  EXPECT_EQ(block.pruned->warmup, 1);
  EXPECT_EQ(block.pruned->median, 2);
  EXPECT_EQ(block.pruned->mean, 2);
  EXPECT_EQ(block.pruned->min, 1);
  EXPECT_EQ(block.pruned->max, 3);
}

TEST_F(RecordedHistoryTest, SeparatesSeriesByOutsideFiles) {
  night(plan("old", 'a'), 1);
  Plan brought = plan("new", 'b');
  brought.workloads[0].workload.outside = "0123456789abcdef";
  night(brought, 2);
  const RecordedHistory history = load("ab");
  ASSERT_EQ(history.series.size(), 2U);
  EXPECT_EQ(shown(history.series[0]), "0:1 ");
  EXPECT_EQ(history.series[0].outside, "");
  EXPECT_EQ(shown(history.series[1]), "1:2 ");
  EXPECT_EQ(history.series[1].outside, "0123456789abcdef");
  for (const MeasuredAt& one : store.measured_at({oid('a'), oid('b')}, "smoke", "f1e2d3")) {
    EXPECT_EQ(one.workload.outside, one.oid == oid('b') ? "0123456789abcdef" : "");
    EXPECT_EQ(one.invocations, 1);
  }
}

struct MeasuredAtTest : RecordedHistoryTest {
  std::string at(const std::string& line, const std::string& fingerprint = "f1e2d3",
                 const std::string& anchor = {}) const {
    std::vector<std::string> oids;
    for (const char letter : line) {
      oids.push_back(oid(letter));
    }
    std::ostringstream out;
    for (const MeasuredAt& one : store.measured_at(oids, "smoke", fingerprint, anchor)) {
      out << one.oid[0] << " " << one.workload.name << " " << one.workload.params.size() << ": "
          << one.invocations << " good " << one.failures << " failed | ";
    }
    return out.str();
  }
};

TEST_F(MeasuredAtTest, CountsGoodAndFailedInvocations) {
  night(plan("one", 'a'), 1);
  night(plan("two", 'a'), 1);
  night(plan("failed", 'a'), 1, [](Invocation& i) { i.failure = "crashed"; });
  night(plan("counted", 'a'), 1, [](Invocation& i) { i.counted = true; });
  night(plan("looking", 'a'), 1, [](Invocation& i) { i.traced = true; });
  Plan unbuilt = plan("unbuilt", 'b');
  for (PlannedWorkload& workload : unbuilt.workloads) {
    workload.head_failed = "did not build";
  }
  store.begin_run(unbuilt, {}, "0");
  Plan elsewhere = plan("elsewhere", 'a');
  elsewhere.environment.fingerprint = "another";
  night(elsewhere, 1);
  EXPECT_EQ(at("abc"),
            "a training/mlp_stack 1: 2 good 1 failed | b parser 0: 0 good 1 failed | "
            "b training/mlp_stack 1: 0 good 1 failed | ");
  EXPECT_EQ(at("a", "another"), "a training/mlp_stack 1: 1 good 0 failed | ");
  EXPECT_EQ(at("c"), "");
}

TEST_F(MeasuredAtTest, CountsPairsWithAnAnchor) {
  night(plan("alone", 'b'), 1);
  const Plan anchored = plan("anchored", 'b', 'z');
  store.begin_run(anchored, {}, "0");
  for (const int order : {0, 1, 2, 3, 4}) {
    Invocation made = timed(anchored, order % 2 == 0 ? Side::base : Side::head, {1}, order);
    if (order == 2) {
      made.failure = "crashed";
    }
    store.add("anchored", made);
  }
  EXPECT_EQ(at("b", "f1e2d3", oid('z')), "b training/mlp_stack 1: 1 good 1 failed | ");
  EXPECT_EQ(at("b", "f1e2d3", oid('y')), "");
  EXPECT_EQ(at("b"), "b training/mlp_stack 1: 3 good 0 failed | ");
  EXPECT_EQ(at("z"), "z training/mlp_stack 1: 2 good 1 failed | ");
}

}  // namespace
}  // namespace perf

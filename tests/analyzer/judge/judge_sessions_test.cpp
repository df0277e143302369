#include "analyzer/judge/judge_sessions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "reporter/text/sentences.h"
#include "schema/formats/foreign.h"
#include "schema/side_stats.h"

namespace perf {
namespace {

const Metric kAllocations{"allocs_per_op", "1", Better::lower};

SampleSeries series(const std::string& name, std::vector<double> values,
                    const Metric& metric = kStepTime, bool judge = true) {
  SampleSeries result;
  result.name = name;
  result.metric = metric;
  result.judge = judge;
  result.values = std::move(values);
  return result;
}

SampleSet session(std::vector<SampleSeries> all, const std::string& fingerprint = "here") {
  SampleSet set;
  set.environment.fingerprint = fingerprint;
  set.environment.machine = {{"cpu", fingerprint}};
  set.series = std::move(all);
  return set;
}

/// Sessions of three repetitions each, about `seconds`, 1 % apart.
std::vector<SampleSet> sessions(std::size_t count, double seconds, unsigned seed,
                                const std::string& fingerprint = "here") {
  std::mt19937 random(seed);
  std::normal_distribution<double> between(0, 0.01), within(0, 0.001);
  std::vector<SampleSet> all;
  for (std::size_t i = 0; i < count; ++i) {
    const double own = seconds * std::exp(between(random));
    std::vector<double> values;
    for (int j = 0; j < 3; ++j) {
      values.push_back(own * std::exp(within(random)));
    }
    all.push_back(session({series("parse", values)}, fingerprint));
  }
  return all;
}

Comparison only_row(const std::vector<Comparison>& rows) {
  if (rows.size() != 1) {
    throw std::runtime_error("rows: " + std::to_string(rows.size()));
  }
  return rows.front();
}

bool says(const std::vector<Warning>& notes, const std::string& text) {
  return std::ranges::any_of(notes, [&text](const Warning& note) {
    return reporter::sentence(note).find(text) != std::string::npos;
  });
}

SampleSeries of_package(const std::string& name, const std::string& package) {
  SampleSeries one = series(name, {1});
  one.params = {{"pkg", package}};
  return one;
}

/// "NAME VERDICT" of each row.
std::string verdicts(std::vector<SampleSet> base, std::vector<SampleSet> head) {
  complete_params(base, head);
  std::string all;
  for (const Comparison& row : judge_sessions(base, head, Policy{}, 1)) {
    all += row.workload + " " + std::string(to_string(*row.verdict)) + "\n";
  }
  return all;
}

TEST(JudgeSessions, FailWhatARunDidNotReach) {
  const SampleSet whole =
      session({of_package("a", "x"), of_package("b", "x"), of_package("c", "y")});
  SampleSet broken = session({of_package("a", "x")});
  broken.lost = {{{{"pkg", "x"}}, "panic: boom"}};
  EXPECT_EQ(verdicts({whole}, {broken}), "a inconclusive\nb failed\nc missing\n");
  EXPECT_EQ(verdicts({broken}, {whole}), "a inconclusive\nb failed\nc new\n");
  EXPECT_EQ(verdicts({whole}, {broken, session({of_package("b", "x")})}),
            "a inconclusive\nb inconclusive\nc missing\n")
      << "another session has it";
  SampleSet nothing = session({});
  nothing.lost = {{{}, "build failed"}};
  EXPECT_EQ(verdicts({whole}, {nothing}), "a failed\nb failed\nc failed\n");
  EXPECT_EQ(verdicts({nothing}, {whole}), "a failed\nb failed\nc failed\n") << "no adoption";
  EXPECT_EQ(verdicts({session({series("a", {1})})}, {broken}), "a inconclusive\n");
  SampleSet chosen = session({of_package("a", "x")}), others = session({of_package("b", "x")});
  chosen.lost = {{{{"pkg", "x"}}, std::string(formats::kNoEnd) + " of x"}};
  EXPECT_EQ(verdicts({whole}, {chosen}), "a inconclusive\nb failed\nc missing\n") << "cut off";
  others.lost = chosen.lost;
  EXPECT_EQ(verdicts({chosen}, {others}), "a missing\nb new\n") << "grep Benchmark of both";
  nothing.lost = {{{}, "no file", "b"}};
  EXPECT_EQ(verdicts({whole}, {nothing}), "a missing\nb failed\nc missing\n");
}

TEST(JudgeSessions, DoNotTakeMachinesOfWhichOneSideLacksAFactForUnlike) {
  std::vector<SampleSet> base(9, session({series("a", {1})})), head = base;
  for (SampleSet& set : head) {
    set.environment.machine.clear();
    set.environment.fingerprint = "host_name=x\ncpus=2\n";
  }
  for (SampleSet& set : base) {
    set.environment.fingerprint = "host_name=y\ncpus=2\n";
  }
  const Comparison row = only_row(judge_sessions(base, head, Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
  EXPECT_TRUE(says(row.notes,
                   "9 sessions of base, 9 of head: they may be of different machines (host_name is "
                   "y at base, x at head; if these are alike: --environment NAME)"));
  head.back().environment.machine = {{"cpu", "there"}};
  EXPECT_EQ(only_row(judge_sessions(base, head, Policy{}, 1)).verdict, Verdict::incomparable);
}

TEST(JudgeSessions, MatchBenchmarksOfWhichOneSideNamesThePackage) {
  const SampleSet without = session({series("a", {1})});
  const SampleSet with = session({of_package("a", "x")}), other = session({of_package("a", "y")});
  EXPECT_EQ(verdicts({with}, {without}), "a inconclusive\n");
  EXPECT_EQ(verdicts({without}, {with}), "a inconclusive\n");
  EXPECT_EQ(verdicts({with, without}, {without}), "a inconclusive\n");
  EXPECT_EQ(verdicts({with}, {other}), "a pkg=x missing\na pkg=y new\n");
  EXPECT_EQ(verdicts({with, other}, {without}), "a new\na pkg=x missing\na pkg=y missing\n");
  SampleSet failed = session({});
  failed.failures = {{{"a"}, "no"}};
  EXPECT_EQ(verdicts({with}, {failed}), "a failed\n");
}

// asv's results have the values of parameters, benchmarks.json their names.
TEST(JudgeSessions, MatchBenchmarksOfWhichOneSideNamesTheParameters) {
  const auto of = [](const Params& params) {
    SampleSeries one = series("time_sort(10, 'quick')", {1});
    one.params = params;
    return session({one});
  };
  const Params numbered{{"param1", std::int64_t{10}}, {"param2", std::string("'quick'")}};
  const Params named{{"size", std::int64_t{10}}, {"kind", std::string("'quick'")}};
  EXPECT_EQ(verdicts({of(numbered)}, {of(named)}), "time_sort(10, 'quick') inconclusive\n");
  EXPECT_EQ(verdicts({of(named), of(numbered)}, {of(numbered)}),
            "time_sort(10, 'quick') inconclusive\n");
  SampleSet skipped = session({});
  skipped.skipped = {{{"time_sort(10, 'quick')", numbered}, "its result is NaN"}};
  EXPECT_EQ(verdicts({of(named)}, {skipped}), "time_sort(10, 'quick') failed\n");
  Params others = named;
  others["size"] = std::int64_t{20};
  EXPECT_NE(verdicts({of(numbered)}, {of(others)}).find("missing"), std::string::npos);
  EXPECT_NE(verdicts({of(named)}, {of(others)}).find("missing"), std::string::npos);
}

// Those that are not chosen still show how far sessions differ.
TEST(JudgeSessions, TellProgramsOfASideApart) {
  const auto of_program = [](const std::string& program) {
    SampleSeries one = series("a", {1});
    one.params = {{"executable", program}};
    return session({one});
  };
  const SampleSet parse = of_program("parse"), lex = of_program("lex");
  EXPECT_EQ(verdicts({parse, lex}, {lex, parse}),
            "a executable=lex inconclusive\na executable=parse inconclusive\n");
  EXPECT_EQ(verdicts({parse, lex}, {lex}),
            "a executable=lex inconclusive\na executable=parse missing\n");
  EXPECT_EQ(verdicts({parse}, {lex}), "a inconclusive\n") << "old and new may be called so";
  EXPECT_EQ(verdicts({session({series("a", {1})})}, {lex}), "a inconclusive\n");
  std::vector<SampleSet> base{parse}, head{lex};
  const std::vector<Warning> warnings = complete_params(base, head);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(reporter::sentence(warnings[0]),
            "different settings: executable is parse at base, lex at head");
  base = head = {parse};
  EXPECT_TRUE(complete_params(base, head).empty());
}

TEST(JudgeSessions, KeepBenchmarksWithoutRowsAsControls) {
  std::vector<SampleSeries> base, head;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    base.push_back(series(name, {1, 1.01, 0.99, 1, 1.02, 0.98}));
    head.push_back(series(name, {1.01, 1, 0.99, 1.02, 1, 0.98}));
  }
  for (double& value : head.front().values) {
    value *= 8;
  }
  const std::vector<std::string> only{"a"};
  const std::vector<SampleSet> old{session(base)}, now{session(head)};
  EXPECT_EQ(count_judged(old, now, Policy{}), 7);
  EXPECT_EQ(count_judged(old, now, Policy{}, only), 1);
  const Comparison row = only_row(judge_sessions(old, now, Policy{}, 1, only));
  EXPECT_EQ(row.workload, "a");
  EXPECT_EQ(row.verdict, Verdict::regressed);
}

TEST(JudgeSessions, AreInconclusiveWithOneFileASide) {
  const Comparison row = only_row(judge_sessions(
      {session({series("parse", {1.0, 1.01, 0.99, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0})})},
      {session({series("parse", {2.0, 2.02, 1.98, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0})})},
      Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
  EXPECT_NEAR(*row.change, 1.0, 1e-12);
  EXPECT_FALSE(row.interval);
  EXPECT_EQ(row.pairs, 0);
  EXPECT_EQ(row.base->median, 1.0);
  EXPECT_EQ(row.head->steps, 12);
  EXPECT_EQ(row.head->invocations, 1);
  EXPECT_TRUE(says(row.notes, "no pairs"));
  EXPECT_TRUE(says(row.notes, "perf-compare BASE HEAD"));
}

TEST(JudgeSessions, NoteAFormatThatNamesNoMachine) {
  std::vector<SampleSet> base = sessions(8, 1, 1), head = sessions(8, 1, 2);
  for (std::vector<SampleSet>* side : {&base, &head}) {
    for (SampleSet& one : *side) {
      one.environment = {};
    }
  }
  const Comparison row = only_row(judge_sessions(base, head, Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
  EXPECT_TRUE(says(row.notes, "this format names no machine"));
  EXPECT_FALSE(says(row.notes, "or more sessions")) << "they were given";
}

TEST(JudgeSessions, NeedEightASide) {
  const Policy policy;
  EXPECT_EQ(only_row(judge_sessions(sessions(7, 1, 1), sessions(9, 1, 2), policy, 1)).verdict,
            Verdict::inconclusive);
  const Comparison same = only_row(judge_sessions(sessions(8, 1, 1), sessions(9, 1, 2), policy, 1));
  EXPECT_EQ(same.verdict, Verdict::unchanged);
  ASSERT_TRUE(same.interval);
  EXPECT_LT(same.interval->low, *same.change);
  EXPECT_TRUE(same.smallest_visible);
  EXPECT_FALSE(same.p_value);
  EXPECT_EQ(same.look_alpha, policy.alpha);
  EXPECT_TRUE(says(same.notes, "judged from 8 sessions of base, 9 of head"));
  EXPECT_TRUE(says(same.notes, "widened"));
}

TEST(JudgeSessions, FindAChangeInEitherDirection) {
  EXPECT_EQ(only_row(judge_sessions(sessions(10, 1, 1), sessions(10, 1.3, 2), Policy{}, 1)).verdict,
            Verdict::regressed);
  EXPECT_EQ(only_row(judge_sessions(sessions(10, 1, 1), sessions(10, 0.7, 2), Policy{}, 1)).verdict,
            Verdict::improved);
}

TEST(JudgeSessions, CountRepetitionsOfASessionOnce) {
  // The same two sessions, each repeated a thousand times inside itself.
  std::vector<double> base(1000, 1.0), head(1000, 1.2);
  const Comparison row = only_row(judge_sessions({session({series("parse", base)})},
                                                 {session({series("parse", head)})}, Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
}

TEST(JudgeSessions, CallUnlikeMachinesIncomparable) {
  const Comparison row =
      only_row(judge_sessions(sessions(9, 1, 1, "old"), sessions(9, 1, 2, "new"), Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::incomparable);
  EXPECT_FALSE(row.change);
  ASSERT_EQ(row.warnings.size(), 1u);
  EXPECT_EQ(row.warnings[0].kind, WarningKind::unlike_machines);
}

TEST(JudgeSessions, DoNotTakeAFactThatOneSideLacksForAnotherMachine) {
  std::vector<SampleSet> base = sessions(9, 1, 1, "amd"), head = sessions(9, 1, 2, "");
  for (SampleSet& one : head) {
    one.environment.machine.clear();
  }
  Comparison row = only_row(judge_sessions(base, head, Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
  EXPECT_TRUE(row.change);
  for (auto* side : {&base, &head}) {  // as --environment does
    for (SampleSet& one : *side) {
      one.environment.fingerprint = "named";
    }
  }
  EXPECT_EQ(only_row(judge_sessions(base, head, Policy{}, 1)).verdict, Verdict::unchanged);
  head.front().environment.machine = {{"cpu", "intel"}};
  row = only_row(judge_sessions({base.front()}, {head.front()}, Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::incomparable);
  EXPECT_TRUE(says(row.warnings, "cpu is amd at base, intel at head"));
}

TEST(JudgeSessions, UseTheMachineOfBothSides) {
  std::vector<SampleSet> base = sessions(8, 1, 1, "here"), head = sessions(8, 1, 2, "here");
  const std::vector<SampleSet> other = sessions(20, 5, 3, "there");
  base.insert(base.end(), other.begin(), other.end());
  const Comparison row = only_row(judge_sessions(base, head, Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::unchanged);
  ASSERT_EQ(row.warnings.size(), 1u);
  EXPECT_EQ(reporter::sentence(row.warnings[0]), "20 sessions of other machines left out");
  EXPECT_EQ(row.warnings[0].figures.at("sessions"), 20);
}

TEST(JudgeSessions, AllowNoVerdictWithoutAFingerprint) {
  std::vector<SampleSet> base = sessions(9, 1, 1), head = sessions(9, 1, 2);
  for (std::vector<SampleSet>* side : {&base, &head}) {
    for (SampleSet& set : *side) {
      set.environment.fingerprint.clear();
    }
  }
  const Comparison row = only_row(judge_sessions(base, head, Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
  EXPECT_TRUE(says(row.notes, "they may be of different machines"));
}

TEST(JudgeSessions, AllowNoVerdictOnReports) {
  const auto report = [](double seconds) {
    SampleSeries one = series("parse", {});
    one.summary = SideStats{};
    one.summary->median = seconds;
    return session({one});
  };
  const Comparison row = only_row(judge_sessions(
      std::vector<SampleSet>(9, report(1)), std::vector<SampleSet>(9, report(2)), Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
  EXPECT_NEAR(*row.change, 1, 1e-12);
  EXPECT_TRUE(says(row.notes, "a report holds no samples"));
}

TEST(JudgeSessions, ReportWhatOnlyOneSideHas) {
  SampleSet head = session({series("new", {1}), series("both", {1})});
  SampleSet base = session({series("gone", {1}), series("both", {1}), series("broken", {1})});
  head.failures = {{{"broken"}, "no input"}, {{"never"}, "no such"}};
  const std::vector<Comparison> rows = judge_sessions({base}, {head}, Policy{}, 1);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].workload, "both");
  EXPECT_EQ(rows[1].workload, "broken");
  EXPECT_EQ(rows[1].verdict, Verdict::failed);
  EXPECT_EQ(reporter::sentence(rows[1].warnings[0]), "head failed: no input");
  EXPECT_EQ(rows[2].verdict, Verdict::missing);
  EXPECT_EQ(rows[3].workload, "never");
  EXPECT_EQ(rows[3].verdict, Verdict::failed);
  EXPECT_EQ(rows[4].verdict, Verdict::fresh);
}

TEST(JudgeSessions, HaveNoRowsOfTestsThatCargoIgnores) {
  SampleSet base = session({series("walk", {1})}), head = session({series("sort", {1})});
  for (const std::string name : {"walk", "sort", "tests::reads"}) {
    base.skipped[{name}] = head.skipped[{name}] = std::string(formats::kIgnored);
  }
  EXPECT_EQ(verdicts({base}, {head}), "sort new\nwalk failed\n");
}

TEST(JudgeSessions, BlameHeadOnlyForFailuresOfItsOwn) {
  const auto verdict_of = [](const std::string& at_base, const std::string& at_head) {
    SampleSet base = session({}), head = session({});
    base.failures = {{{"a"}, at_base}};
    head.failures = {{{"a"}, at_head}};
    return only_row(judge_sessions({base}, {head}, Policy{}, 1)).verdict;
  };
  EXPECT_EQ(verdict_of("no GPU", "no GPU"), Verdict::incomparable);
  EXPECT_EQ(
      verdict_of("net_test.go:12: dial 127.0.0.1:43123", "net_test.go:15: dial 127.0.0.1:51877"),
      Verdict::incomparable);
  EXPECT_EQ(verdict_of("no /tmp/b.Xa/in at 0x7ffd12", "no /tmp/b.qq/in at 0x7ffe44"),
            Verdict::incomparable);
  EXPECT_EQ(verdict_of("exit status 1; to reproduce: cd /b && ./x",
                       "exit status 1; to reproduce: cd /h && ./x --n 2"),
            Verdict::incomparable);
  EXPECT_EQ(verdict_of("the first exited with 1", "the first exited with 139"), Verdict::failed);
}

TEST(JudgeSessions, DoNotCompareVersionsOfABenchmark) {
  const auto of_version = [](const std::string& version, double seconds) {
    SampleSeries one = series("time_sort", {seconds});
    one.version = version;
    return std::vector<SampleSet>(9, session({one}));
  };
  const Comparison row =
      only_row(judge_sessions(of_version("v1", 1), of_version("v2", 2), Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::incomparable);
  EXPECT_TRUE(says(row.warnings, "the benchmark itself was edited: v1 at base, v2 at head"));
  EXPECT_NE(only_row(judge_sessions(of_version("", 1), of_version("v2", 2), Policy{}, 1)).verdict,
            Verdict::incomparable)
      << "an older file has no versions";
}

TEST(JudgeSessions, ShareTheErrorRateOnlyTogether) {
  std::vector<SampleSet> base, head;
  for (int i = 0; i < 9; ++i) {
    std::vector<SampleSeries> a, b;
    for (int j = 0; j < 5; ++j) {
      a.push_back(series("b" + std::to_string(j), {1 + 0.001 * i}));
      b.push_back(series("b" + std::to_string(j), {1 + 0.001 * i}));
    }
    b.push_back(series("new", {1}));
    base.push_back(session(a));
    head.push_back(session(b));
  }
  EXPECT_EQ(judge_sessions(base, head, Policy{}, 1).front().look_alpha, 0.01);
  EXPECT_EQ(count_judged(base, head, Policy{}), 5);
  EXPECT_DOUBLE_EQ(*judge_sessions(base, head, Policy{}, 5).front().look_alpha, 0.01 / 5);
}

TEST(JudgeSessions, NameTheSessionsThatAnErrorRateTakes) {
  Policy policy;
  policy.alpha = 1e-5;
  const Comparison row = only_row(judge_sessions(sessions(8, 1, 1), sessions(8, 1, 2), policy, 1));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
  EXPECT_TRUE(says(row.notes, "needs 11 a side"));
}

TEST(JudgeSessions, ShowWhatIsNotJudgedAndObeyMetric) {
  const SampleSet one = session({series("a", {1}), series("a", {7}, kAllocations, false)});
  const std::vector<Comparison> rows = judge_sessions({one}, {one}, Policy{}, 1);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].metric.name, "allocs_per_op");
  EXPECT_FALSE(rows[0].judged);
  EXPECT_FALSE(rows[0].verdict);
  EXPECT_EQ(*rows[0].change, 0);
  Policy policy;
  policy.metrics = {"allocs_per_op"};
  EXPECT_TRUE(only_row(judge_sessions({one}, {one}, policy, 1)).judged);
}

/// Ten sessions of `steps` repetitions, of which one in five takes `slow` seconds and the others
/// one.
std::vector<SampleSet> sessions_with_tail(int steps, double slow, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.01);
  Policy policy;
  policy.metrics = {"step_time.p90"};
  std::vector<SampleSet> all;
  for (int i = 0; i < 10; ++i) {
    std::vector<double> values;
    for (int step = 0; step < steps; ++step) {
      values.push_back(std::exp(noise(random)) * (step % 5 == 4 ? slow : 1));
    }
    all.push_back(session({series("parse", values)}));
  }
  add_quantiles(policy, all);
  return all;
}

TEST(JudgeSessions, TakeQuantilesOfTheirValues) {
  Policy policy;
  policy.metrics = {"step_time.p90"};
  const Comparison row = only_row(
      judge_sessions(sessions_with_tail(100, 2, 1), sessions_with_tail(100, 2.3, 2), policy, 1));
  EXPECT_EQ(row.metric.name, "step_time.p90");
  EXPECT_EQ(row.verdict, Verdict::regressed);
  EXPECT_NEAR(*row.change, 0.15, 0.02);
  EXPECT_NEAR(row.base->median, 2, 0.1) << "the values are those of sessions";
}

TEST(JudgeSessions, FailQuantilesOfTooFewValues) {
  Policy policy;
  policy.metrics = {"step_time.p90"};
  std::vector<SampleSet> head = sessions_with_tail(100, 2, 2);
  head.back() = sessions_with_tail(99, 2, 3).back();
  const Comparison row = only_row(judge_sessions(sessions_with_tail(100, 2, 1), head, policy, 1));
  EXPECT_EQ(row.verdict, Verdict::failed);
  EXPECT_TRUE(says(row.warnings, "a process at head has 99 timed steps"));
}

TEST(JudgeSessions, TreatZeroAndOneByteAsEqual) {
  const auto verdict = [](const std::string& metric, double more) {
    std::vector<SampleSet> base, head;
    for (int i = 0; i < 12; ++i) {
      const Metric counted{metric, "B", Better::lower};
      base.push_back(session({series("a", {i % 3 == 0 ? 1.0 : 0.0}, counted)}));
      head.push_back(session({series("a", {(i % 2 == 0 ? 1.0 : 0.0) + more}, counted)}));
    }
    return only_row(judge_sessions(base, head, Policy{}, 1)).verdict;
  };
  EXPECT_EQ(verdict("bytes_per_op", 0), Verdict::unchanged);
  EXPECT_NE(verdict("bytes_per_op", 16), Verdict::unchanged);
  EXPECT_EQ(verdict("allocs_per_op", 0), Verdict::inconclusive);
}

TEST(JudgeSessions, SeparateBenchmarksOfTheSameName) {
  SampleSeries flate = series("BenchmarkX", {1}), gzip = series("BenchmarkX", {2});
  flate.params = {{"pkg", std::string("flate")}};
  gzip.params = {{"pkg", std::string("gzip")}};
  const std::vector<Comparison> rows =
      judge_sessions({session({flate})}, {session({gzip, flate})}, Policy{}, 1);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].workload, "BenchmarkX pkg=flate");
  EXPECT_EQ(rows[1].workload, "BenchmarkX pkg=gzip");
  EXPECT_EQ(rows[1].verdict, Verdict::fresh);
}

TEST(JudgeSessions, MatchWorkloadsByNameWhateverTheirParameters) {
  const auto side = [](Params stated) {
    SampleSeries time = series("w", {1}), memory = series("w", {1}, kPeakRss);
    memory.params = {{"layers", std::int64_t{4}}};
    time.params = memory.params;
    time.params.merge(stated);
    SampleSet set = session({time, memory});
    set.of_workloads = true;
    return set;
  };
  const SampleSet base = side({{"dtype", std::string("f32")}});
  const SampleSet head = side({{"dtype", std::string("f32")}, {"isa", std::string("avx2")}});
  const std::vector<Comparison> same = judge_sessions({base}, {base}, Policy{}, 1);
  ASSERT_EQ(same.size(), 2u);
  for (const Comparison& row : same) {
    EXPECT_EQ(row.workload, "w");
    EXPECT_TRUE(row.warnings.empty());
  }
  const std::vector<Comparison> unlike = judge_sessions({base}, {head}, Policy{}, 1);
  ASSERT_EQ(unlike.size(), 2u);
  EXPECT_TRUE(unlike[0].warnings.empty()) << "peak_rss";
  EXPECT_EQ(unlike[1].workload, "w");
  EXPECT_EQ(unlike[1].verdict, Verdict::inconclusive);
  EXPECT_EQ(unlike[1].params.count("isa"), 1u) << "as head says";
  ASSERT_EQ(unlike[1].warnings.size(), 1u);
  EXPECT_EQ(unlike[1].warnings[0].kind, WarningKind::unlike_params);
}

TEST(JudgeSessions, AcceptZerosAndRefuseNegatives) {
  const auto both = [](double base, double head) {
    return only_row(judge_sessions({session({series("a", {base})})},
                                   {session({series("a", {head})})}, Policy{}, 1));
  };
  EXPECT_EQ(both(0, 0).change, 0);
  EXPECT_EQ(both(0, 1).change, std::nullopt);
  EXPECT_EQ(both(1, 0).change, -1);
  EXPECT_EQ(both(-1, 1).verdict, Verdict::incomparable);
  const Comparison none = only_row(judge_sessions(
      std::vector<SampleSet>(8, session({series("a", {0}, kAllocations)})),
      std::vector<SampleSet>(8, session({series("a", {0}, kAllocations)})), Policy{}, 1));
  EXPECT_EQ(none.verdict, Verdict::unchanged);
}

TEST(JudgeSessions, RaiseTheMemoryThresholdToTheKernelsResolution) {
  const Comparison row = only_row(judge_sessions(
      std::vector<SampleSet>(8, session({series("a", {1.60e6}, kPeakRss)})),
      std::vector<SampleSet>(8, session({series("a", {1.80e6}, kPeakRss)})), Policy{}, 1));
  EXPECT_EQ(row.verdict, Verdict::unchanged);
  EXPECT_DOUBLE_EQ(row.threshold, 64 * 4096 / 1.6e6);
}

TEST(JudgeSessions, CallAMetricWithAnotherUnitIncomparable) {
  const Metric requests{"rate", "req/s", Better::higher};
  for (const auto& [metric, words] : std::vector<std::pair<Metric, std::string>>{
           {{"rate", "kreq/s", Better::higher}, "unit is req/s at base, kreq/s at head"},
           {{"rate", "req/s", Better::lower}, "better is higher at base, lower at head"}}) {
    const Comparison row =
        only_row(judge_sessions({session({series("a", {1}, requests)})},
                                {session({series("a", {1}, metric)})}, Policy{}, 1));
    EXPECT_EQ(row.verdict, Verdict::incomparable);
    EXPECT_FALSE(row.base) << "it is not in the unit of the row";
    EXPECT_TRUE(says(row.warnings, words));
  }
}

/// Of 12 benchmarks with eight repetitions each, `edited` is of another version at head, and both
/// it and `slower` take five times as long.
TEST(JudgeSessions, TakeNoEditedBenchmarkForAControl) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0, 0.002);
  std::vector<SampleSet> sides(2);
  for (int side = 0; side < 2; ++side) {
    std::vector<SampleSeries> all;
    for (int i = 0; i < 12; ++i) {
      const std::string name = i == 0 ? "edited" : i == 1 ? "slower" : "b" + std::to_string(i);
      std::vector<double> values(8);
      for (double& value : values) {
        value = (i < 2 && side == 1 ? 5 : 1) * std::exp(noise(random));
      }
      all.push_back(series(name, values));
      all.back().version = i == 0 ? "v" + std::to_string(side) : "";
    }
    sides[static_cast<std::size_t>(side)] = session(all);
  }
  for (const Comparison& row : judge_sessions({sides[0]}, {sides[1]}, Policy{}, 12)) {
    EXPECT_EQ(row.verdict == Verdict::regressed, row.workload == "slower") << row.workload;
    EXPECT_EQ(row.verdict == Verdict::incomparable, row.workload == "edited") << row.workload;
  }
}

/// Go's CRC-32 without and with what the processor has for it, 10 repetitions in each of two
/// sessions: cmd/benchstat/testdata/crc-old.txt and crc-new.txt of golang/perf (BSD-3-Clause),
/// times alone.
std::pair<SampleSet, SampleSet> crc32_example() {
  std::ifstream file(PERF_SOURCE_DIR "/tests/analyzer/judge/crc32_example.txt");
  std::pair<SampleSet, SampleSet> sessions;
  for (std::string name; file >> name;) {
    for (SampleSet* set : {&sessions.first, &sessions.second}) {
      std::vector<double> values(10);
      for (double& value : values) {
        file >> value;
      }
      set->series.push_back(series(name, values));
    }
  }
  return sessions;
}

bool is_accelerated(const std::string& name) {
  return name.starts_with("poly=IEEE/") && name.find("size=15/") == std::string::npos &&
         name.find("size=40/") == std::string::npos;
}

TEST(JudgeSessions, JudgeLargeChangesByTheOtherBenchmarks) {
  const auto [base, head] = crc32_example();
  const std::vector<Comparison> rows = judge_sessions({base}, {head}, Policy{}, 1);
  ASSERT_EQ(rows.size(), 36u);
  for (const Comparison& row : rows) {
    EXPECT_EQ(row.verdict, is_accelerated(row.workload) ? Verdict::improved : Verdict::inconclusive)
        << row.workload;
    EXPECT_TRUE(says(row.notes, "judged by the 35 other benchmarks"));
  }
}

TEST(JudgeSessions, DoNotTakeEditedBenchmarksForTheOthers) {
  auto [base, head] = crc32_example();
  const std::vector<Comparison> before = judge_sessions({base}, {head}, Policy{}, 1);
  for (int i = 0; i < 30; ++i) {
    base.series.push_back(series("edited" + std::to_string(i), {1, 1.01}));
    head.series.push_back(series("edited" + std::to_string(i), {100. + i, 101}));
    base.series.back().version = "v1";
    head.series.back().version = "v2";
  }
  const std::vector<Comparison> rows = judge_sessions({base}, {head}, Policy{}, 1);
  EXPECT_EQ(std::ranges::count(rows, Verdict::improved, &Comparison::verdict),
            std::ranges::count(before, Verdict::improved, &Comparison::verdict));
}

TEST(JudgeSessions, SayHowManyRepetitionsDecide) {
  for (const std::size_t repetitions : {5u, 7u}) {
    auto [base, head] = crc32_example();
    for (SampleSet* set : {&base, &head}) {
      for (SampleSeries& one : set->series) {
        one.values.resize(repetitions);
      }
    }
    const std::vector<Comparison> rows = judge_sessions({base}, {head}, Policy{}, 1);
    EXPECT_EQ(std::ranges::count(rows, Verdict::improved, &Comparison::verdict),
              repetitions == 7 ? 5 : 0);
    for (const Comparison& row : rows) {
      EXPECT_TRUE(row.verdict == Verdict::inconclusive || is_accelerated(row.workload));
      EXPECT_EQ(
          says(row.notes,
               "one file a side with 5 values of a benchmark decides nothing here: 7 repetitions"),
          repetitions == 5);
    }
  }
}

TEST(JudgeSessions, JudgeByAStatedDeviation) {
  for (const auto& [deviation, found] : {std::pair{.002, 2}, {.5, 0}, {0., 0}}) {
    auto [base, head] = crc32_example();
    for (SampleSet* set : {&base, &head}) {
      for (SampleSeries& one : set->series) {
        one.values.resize(1);
        one.summary = side_stats(one.values);
        one.summary->stddev = deviation * one.values[0];
        one.summary->steps = 10;
      }
    }
    const std::vector<Comparison> rows = judge_sessions({base}, {head}, Policy{}, 1);
    EXPECT_EQ(std::ranges::count(rows, Verdict::improved, &Comparison::verdict), found);
    for (const Comparison& row : rows) {
      EXPECT_TRUE(row.verdict == Verdict::inconclusive || is_accelerated(row.workload));
    }
  }
}

TEST(JudgeSessions, DoNotCountAmongRowsWhatRepeatsExactly) {
  auto [base, head] = crc32_example();
  for (SampleSet* set : {&base, &head}) {
    for (SampleSeries& one : set->series) {
      one.values.resize(7);
    }
    for (int i = 0; i < 200; ++i) {
      set->series.push_back(series("a" + std::to_string(i), {20}, kAllocations));
      set->series.back().exact = true;
    }
  }
  const std::vector<Comparison> rows = judge_sessions({base}, {head}, Policy{}, 1);
  EXPECT_EQ(std::ranges::count(rows, Verdict::improved, &Comparison::verdict), 5);
}

TEST(JudgeSessions, ShowNoIntervalThatSaysNothing) {
  auto [base, head] = crc32_example();
  for (std::size_t i = 0; i < 20; ++i) {  // most others changed, so that any change may be chance
    for (double& value : head.series[i].values) {
      value *= static_cast<double>(i + 1);
    }
  }
  const std::vector<Comparison> rows = judge_sessions({base}, {head}, Policy{}, 1);
  EXPECT_TRUE(
      std::ranges::none_of(rows, [](const Comparison& row) { return row.interval.has_value(); }));
}

TEST(JudgeSessions, TakeSizesThatNeverMoveForUnchanged) {
  const auto verdict_of = [](std::vector<double> base, std::vector<double> head, Metric metric) {
    return only_row(judge_sessions({session({series("a", std::move(base), metric)})},
                                   {session({series("a", std::move(head), metric)})}, Policy{}, 1))
        .verdict;
  };
  const Metric size{"bytes_per_op", "B", Better::lower};
  EXPECT_EQ(verdict_of({64, 64, 64, 64}, {64, 64, 64, 64}, size), Verdict::unchanged);
  EXPECT_EQ(verdict_of({0, 0, 0, 0}, {0, 0, 0, 0}, size), Verdict::unchanged);
  EXPECT_EQ(verdict_of({64, 64, 64}, {64, 64, 64, 64}, size), Verdict::inconclusive);
  EXPECT_EQ(verdict_of({64, 64, 64, 64}, {64, 64, 64, 65}, size), Verdict::inconclusive);
  EXPECT_EQ(verdict_of({64, 64, 64, 64}, {96, 96, 96, 96}, size), Verdict::inconclusive);
  EXPECT_EQ(verdict_of({1, 1, 1, 1}, {1, 1, 1, 1}, kStepTime), Verdict::inconclusive);
}

TEST(JudgeSessions, IgnoreOtherBenchmarksThatAreFewOrElsewhere) {
  auto [base, head] = crc32_example();
  const auto calls = [&] {
    const std::vector<Comparison> rows = judge_sessions({base}, {head}, Policy{}, 1);
    return std::ranges::count(rows, Verdict::improved, &Comparison::verdict);
  };
  EXPECT_EQ(calls(), 8);
  base.environment.fingerprint = "here";
  EXPECT_EQ(calls(), 8) << "head may be of any machine, as both were before";
  head.environment.fingerprint = "there";
  EXPECT_EQ(calls(), 0);
  head.environment.fingerprint = "here";
  EXPECT_EQ(calls(), 8);
  base.series.resize(5);
  head.series.resize(5);
  EXPECT_EQ(calls(), 0);
}

TEST(JudgeSessions, CompareExactlyWhatRepeatsExactly) {
  const auto row_of = [](std::vector<double> base, std::vector<double> head) {
    SampleSeries one = series("a", std::move(base), kAllocations);
    SampleSeries other = series("a", std::move(head), kAllocations);
    one.exact = other.exact = true;
    return only_row(judge_sessions({session({one})}, {session({other})}, Policy{}, 1));
  };
  EXPECT_EQ(row_of({20, 20}, {20}).verdict, Verdict::unchanged);
  EXPECT_EQ(row_of({20, 20}, {21, 21}).verdict, Verdict::unchanged);
  EXPECT_EQ(row_of({20, 20}, {22, 22}).verdict, Verdict::regressed);
  EXPECT_TRUE(row_of({20, 20}, {22, 22}).exact);
  EXPECT_EQ(row_of({20, 20}, {22, 22}).interval->low, row_of({20}, {22}).interval->high);
  EXPECT_EQ(row_of({22}, {20}).verdict, Verdict::improved);
  EXPECT_EQ(row_of({0, 0}, {0, 0}).verdict, Verdict::unchanged);
  EXPECT_EQ(row_of({0, 0}, {1, 1}).verdict, Verdict::regressed);
  EXPECT_EQ(row_of({20, 20}, {22, 21}).verdict, Verdict::inconclusive) << "it does not repeat";
}

}  // namespace
}  // namespace perf

#include "analyzer/judge/history_sessions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "reporter/text/sentences.h"

// A base whose history speaks for it. Fixed seeds: a failure is a change of the rule.

namespace perf {
namespace {

SampleSet session(double seconds, int commits_before, const std::string& host,
                  const std::string& measured_at, const std::string& fingerprint = "here") {
  SampleSet set;
  set.of_workloads = true;
  set.environment.fingerprint = fingerprint;
  set.host = host;
  set.measured_at = measured_at;
  set.commits_before = commits_before;
  set.series = {{"parse", {}, kStepTime, true, {seconds}}};
  return set;
}

std::string night(int day, int hour = 1) {
  char text[32];
  std::snprintf(text, sizeof text, "2026-%02d-%02dT%02d:00:00Z", 1 + day / 28, 1 + day % 28, hour);
  return text;
}

/// Of each host one session, as runners have it that live for one job.
std::vector<SampleSet> of_many_hosts(const std::vector<double>& logarithms, bool of_history) {
  std::vector<SampleSet> all;
  const auto count = static_cast<int>(logarithms.size());
  for (int i = 0; i < count; ++i) {
    all.push_back(session(std::exp(logarithms[static_cast<std::size_t>(i)]),
                          of_history ? count - 1 - i : 0,
                          (of_history ? "base " : "head ") + std::to_string(i), night(i)));
  }
  return all;
}

Comparison judged(std::vector<SampleSet> base, std::vector<SampleSet> head, int comparisons = 1) {
  keep_independent(base, head);
  return judge_sessions(base, head, Policy{}, comparisons).at(0);
}

struct Scenario {
  int commits = 20;
  int head = 8;
  double deviation = 0.01;
  double correlation = 0;
  bool heavy_tails = false;
  double change = 0;      ///< true, of head against base, ln
  int newest_step = 0;    ///< so many sessions before the end the level steps; 0: nowhere
  double step = 0.12;     ///< by so much, ln
  double older_step = 0;  ///< and by this somewhere in the middle
  int comparisons = 1;
};

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : engine_(seed) {}

  std::vector<double> operator()(int count, const Scenario& scenario) {
    const double fresh = std::sqrt(1 - scenario.correlation * scenario.correlation);
    std::vector<double> values;
    double state = one(scenario.heavy_tails);
    for (int i = 0; i < count; ++i) {
      state = scenario.correlation * state + fresh * one(scenario.heavy_tails);
      values.push_back(scenario.deviation * state);
    }
    return values;
  }

  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }

 private:
  double one(bool heavy_tails) {
    const double value = normal_(engine_);
    if (!heavy_tails) {
      return value;
    }
    const double a = normal_(engine_), b = normal_(engine_), c = normal_(engine_);
    return value / std::sqrt(a * a + b * b + c * c);  // t3 / sqrt(3): variance 1
  }

  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

struct Shares {
  double regressed = 0, improved = 0, unchanged = 0;
};

Shares replay(const Scenario& scenario, int histories = 100) {
  Noise noise(20261126);
  Shares shares;
  for (int i = 0; i < histories; ++i) {
    std::vector<double> base = noise(scenario.commits, scenario);
    const int older = 4 + noise.below(scenario.commits - 16);
    for (int at = 0; at < scenario.commits; ++at) {
      const bool is_newest = at >= scenario.commits - scenario.newest_step;
      base[static_cast<std::size_t>(at)] +=
          (is_newest ? scenario.step : 0) + (at >= older ? scenario.older_step : 0);
    }
    std::vector<double> head = noise(scenario.head, scenario);
    for (double& value : head) {
      value +=
          (scenario.newest_step > 0 ? scenario.step : 0) + scenario.older_step + scenario.change;
    }
    const Comparison row =
        judged(of_many_hosts(base, true), of_many_hosts(head, false), scenario.comparisons);
    shares.regressed += row.verdict == Verdict::regressed ? 1.0 / histories : 0;
    shares.improved += row.verdict == Verdict::improved ? 1.0 / histories : 0;
    shares.unchanged += row.verdict == Verdict::unchanged ? 1.0 / histories : 0;
  }
  return shares;
}

std::vector<Scenario> rough_histories() {
  std::vector<Scenario> all;
  for (const double deviation : {0.003, 0.01, 0.03}) {
    for (const auto& [correlation, heavy_tails] :
         {std::pair{0.0, false}, {0.0, true}, {0.5, false}}) {
      for (const int newest_step : {0, 1, 2, 3, 5}) {
        for (const double step : {0.12, -0.12, 0.3}) {
          Scenario one;
          one.deviation = deviation;
          one.correlation = correlation;
          one.heavy_tails = heavy_tails;
          one.newest_step = newest_step;
          one.step = step;
          one.older_step = newest_step % 2 == 0 ? 0.2 : 0;
          one.commits = newest_step == 2 ? 40 : 20;
          one.head = newest_step == 3 ? 16 : 8;
          all.push_back(one);
        }
      }
    }
  }
  return all;
}

std::string told(const Scenario& one) {
  return "deviation " + std::to_string(one.deviation) + ", correlation " +
         std::to_string(one.correlation) + (one.heavy_tails ? ", t3" : "") + ", step of " +
         std::to_string(one.step) + ", " + std::to_string(one.newest_step) + " sessions old";
}

/// The share over all of them keeps to alpha; of one scenario's 100 histories up to 5 may err.
void expect_seldom(const std::function<double(const Scenario&)>& share_of) {
  double all = 0;
  const std::vector<Scenario> scenarios = rough_histories();
  for (const Scenario& scenario : scenarios) {
    const double share = share_of(scenario);
    EXPECT_LE(share, 0.055) << told(scenario);
    all += share / static_cast<double>(scenarios.size());
  }
  EXPECT_LE(all, 0.01);
}

TEST(HistorySessions, DoNotBlameHeadForAnEarlierStep) {
  expect_seldom([](const Scenario& scenario) {
    const Shares shares = replay(scenario);
    return shares.regressed + shares.improved;
  });
  expect_seldom([](Scenario scenario) {
    scenario.change = std::log(1.05);
    return replay(scenario).regressed;
  });
}

TEST(HistorySessions, DoNotCallAReversedStepUnchanged) {
  expect_seldom([](Scenario scenario) {
    scenario.change = std::log(1.1);
    return replay(scenario).unchanged;
  });
  expect_seldom([](Scenario scenario) {
    scenario.change = -scenario.step;  // back to where the history was
    return replay(scenario).unchanged;
  });
}

TEST(HistorySessions, DecideClearChanges) {
  Scenario calm;
  calm.deviation = 0.005;
  EXPECT_GT(replay(calm).unchanged, 0.9);
  calm.older_step = 0.3;
  calm.commits = 40;
  EXPECT_GT(replay(calm).unchanged, 0.9) << "what came before the last step is left out";
  calm.change = std::log(1.15);
  EXPECT_GT(replay(calm).regressed, 0.9);
}

std::vector<std::string> times_of(const std::vector<SampleSet>& sessions) {
  std::vector<std::string> times;
  for (const SampleSet& one : sessions) {
    times.push_back(one.measured_at);
  }
  return times;
}

TEST(HistorySessions, CountOfOneHostOnceADay) {
  std::vector<SampleSet> base, head;
  for (int day = 0; day < 3; ++day) {
    base.push_back(session(1, 2 - day, "a", night(day)));
    base.push_back(session(1, 2 - day, "a", night(day, 5)));
    head.push_back(session(1, 0, "a", night(10, day)));
  }
  base.push_back(session(1, 1, "b", night(1)));
  keep_independent(base, head);
  EXPECT_EQ(times_of(base), (std::vector<std::string>{night(0, 5), night(1, 5), night(2, 5)}));
  EXPECT_EQ(times_of(head), std::vector<std::string>{night(10, 2)});
}

TEST(HistorySessions, CountOfSeveralHostsOnceEach) {
  std::vector<SampleSet> base, head;
  for (const char* host : {"a", "b", "c"}) {
    for (int day = 0; day < 2; ++day) {
      base.push_back(session(1, 1 - day, host, night(day)));
      head.push_back(session(1, 0, host, night(5)));
    }
  }
  base.push_back(session(1, 0, "d", night(1), "elsewhere"));
  keep_independent(base, head);
  EXPECT_EQ(times_of(base), (std::vector<std::string>{night(1), night(1), night(1)}));
  EXPECT_EQ(head.size(), 3u);
}

TEST(HistorySessions, KeepSessionsThatFailedForTheirReason) {
  std::vector<SampleSet> base = of_many_hosts(std::vector<double>(20), true);
  std::vector<SampleSet> head = of_many_hosts(std::vector<double>(8, 0.5), false);
  SampleSet failed = session(1, 0, "head 7", night(30));
  failed.series.clear();
  failed.failures = {{{"parse"}, "killed"}};
  head.push_back(failed);
  const Comparison row = judged(base, head);
  EXPECT_EQ(row.verdict, Verdict::regressed) << "the failed one displaces none";
  EXPECT_EQ(reporter::sentence(row.warnings.back()), "1 of 9 runs failed at head, 0 of 20 at base");
}

TEST(HistorySessions, AllowNoVerdictWithoutBaseItself) {
  std::vector<SampleSet> base = of_many_hosts(std::vector<double>(20), true);
  base.pop_back();
  const Comparison row = judged(base, of_many_hosts(std::vector<double>(8, 0.5), false));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
  EXPECT_FALSE(row.interval);
  EXPECT_EQ(row.notes.at(0).kind, WarningKind::base_not_collected);
}

TEST(HistorySessions, AllowNoVerdictOnOneSessionOfHead) {
  const Comparison row = judged(of_many_hosts(std::vector<double>(40), true),
                                of_many_hosts(std::vector<double>(1, 0.5), false));
  EXPECT_EQ(row.verdict, Verdict::inconclusive);
  const std::string note = reporter::sentence(row.notes.at(0));
  EXPECT_NE(note.find("40 sessions of base (39 of commits before it"), std::string::npos) << note;
}

}  // namespace
}  // namespace perf

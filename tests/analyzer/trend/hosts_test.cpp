// Hosts of one fingerprint that differ, told from steps of the program and from noise.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analyzer/trend/internal.h"
#include "analyzer/trend/trend_series.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;

/// A series whose points hosts measured: host h is `factors[h]` times as slow.
struct Pool {
  Pool(std::vector<double> values, const std::vector<double>& factors, std::uint64_t seed)
      : history(scripted::history_of(values.size())) {
    std::mt19937_64 random(seed);
    std::vector<std::uint32_t> hosts;
    for (double& value : values) {
      hosts.push_back(static_cast<std::uint32_t>(random() % factors.size()));
      value *= factors[hosts.back()];
    }
    RecordedSeries& series = scripted::add_series(history, "parser", values);
    history.recorded.runs.clear();
    for (std::size_t host = 0; host < factors.size(); ++host) {
      history.recorded.runs.push_back({});
      history.recorded.runs.back().host = "host-" + std::to_string(host);
    }
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      series.values[i].run = hosts[i];
    }
  }
  std::vector<OddHost> odd() const {
    return odd_hosts(history.recorded.series[0], history.recorded.runs);
  }
  History history;
};

TEST(Hosts, FindASlowerHost) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Pool pool(scripted::noisy(100, .01, seed), {1, 1, 1.05}, seed);
    const std::vector<OddHost> odd = pool.odd();
    ASSERT_EQ(odd.size(), 1U) << seed;
    EXPECT_EQ(odd[0].host, "host-2");
    EXPECT_NEAR(odd[0].change, .05, .015);
  }
}

TEST(Hosts, AreNotSplitByStepsOfTheProgram) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::vector<double> values = scripted::stepped(scripted::noisy(120, .01, seed), 40, .3);
    values = scripted::stepped(values, 80, -.2);
    found += static_cast<int>(Pool(values, {1, 1}, seed).odd().size());
  }
  EXPECT_EQ(found, 0);
  // A host that took over from another at the very step.
  Pool handed(scripted::stepped(scripted::noisy(100, .01, 7), 50, .2), {1, 1}, 7);
  for (std::size_t i = 0; i < 100; ++i) {
    handed.history.recorded.series[0].values[i].run = i < 50 ? 0 : 1;
  }
  EXPECT_TRUE(handed.odd().empty());
}

/// Of 2,000 series of like hosts, with normal noise and with outliers, at most 4 are split.
TEST(Hosts, AreRarelySplitByNoise) {
  int split = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    std::vector<double> values = scripted::noisy(60 + seed % 100, .02, seed);
    if (seed % 2 == 0) {
      std::mt19937_64 random(seed);
      for (double& value : values) {
        value *= random() % 10 == 0 ? 1.3 : 1;
      }
    }
    split += Pool(values, std::vector<double>(2 + seed % 6, 1.0), seed).odd().empty() ? 0 : 1;
  }
  EXPECT_LE(split, 4);
}

TEST(Hosts, GiveAnOddHostItsOwnSeries) {
  const Pool pool(scripted::noisy(100, .01, 3), {1, 1, 1.1}, 3);
  const MeasuredLine line = measured_line(pool.history.recorded);
  ASSERT_EQ(line.series.size(), 2U);
  EXPECT_EQ(line.series[0].series.key.host, "");
  EXPECT_EQ(line.series[1].series.key.host, "host-2");
  EXPECT_EQ(line.series[0].series.points.size() + line.series[1].series.points.size(), 100U);
  ASSERT_EQ(line.warnings.size(), 1U);
  EXPECT_EQ(line.warnings[0].kind, WarningKind::hosts_differ);
  EXPECT_NEAR(line.warnings[0].figures.at("change"), .1, .02);
  EXPECT_EQ(line.warnings[0].figures.at("series"), 1);
}

TEST(Hosts, KeepUnknownHostsTogether) {
  Pool pool(scripted::noisy(100, .01, 3), {1, 1.2}, 3);
  for (RecordedRun& run : pool.history.recorded.runs) {
    run.host.clear();
  }
  EXPECT_EQ(measured_line(pool.history.recorded).series.size(), 1U);
}

}  // namespace
}  // namespace perf

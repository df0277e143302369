#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "analyzer/rule/look_schedule.h"
#include "analyzer/warnings/row_warnings.h"
#include "reporter/text/sentences.h"

// A tool that cries wolf about its own session is no better than one that does so about the code:
// replays of clean reports, and of planted trouble. Fixed seeds.

namespace perf {
namespace {

constexpr int kRows = 24;

enum class NoiseShape { normal, uniform, student3, laplace };

// What a session does to one pair of invocations, ln of both levels.
struct Levels {
  double base = 0, head = 0;
};
/// By the pair's number.
using Trouble = std::function<Levels(int pair)>;

class SimulatedSession {
 public:
  SimulatedSession(NoiseShape noise, double deviation, std::uint64_t seed)
      : noise_(noise), deviation_(deviation), engine_(seed) {}

  /// A row with all the pairs that the looks could take. Either side brings half of the variance of
  /// a paired difference.
  MetricStanding row(int pairs, const Trouble& trouble) {
    MetricStanding one;
    one.under_test = true;
    one.rule.bounds = bounds_for(policy.threshold, policy);
    one.rule.look_alpha = look_alpha(policy, kRows);
    one.rule.most_looks = policy.looks;
    one.rule.looks = look_schedule(policy, kRows);
    for (int pair = 0; pair < pairs; ++pair) {
      const Levels levels = trouble ? trouble(pair) : Levels{};
      PairedSample sample;
      sample.base.value = std::exp(levels.base + draw() / std::sqrt(2.0));
      sample.head.value = std::exp(levels.head + draw() / std::sqrt(2.0));
      one.series.pairs.push_back(sample);
      one.differences.push_back(std::log(sample.head.value / sample.base.value));
    }
    return one;
  }

  /// Of so many clean reports, those with any warning. Each row ends where the rule stops.
  int clean_reports_warned(int reports) {
    const int most = look_schedule(policy, kRows).back();
    int warned = 0;
    for (int report = 0; report < reports; ++report) {
      bool any = false;
      for (int i = 0; i < kRows; ++i) {
        MetricStanding one = row(most, {});
        one.decision = decide(one.differences, one.rule, true);
        any |= !session_warnings(one, static_cast<std::size_t>(one.decision.pairs), policy, kRows)
                    .empty();
      }
      warned += any ? 1 : 0;
    }
    return warned;
  }

  /// The share of 200 troubled rows, each of so many pairs and judged at its first look, that have
  /// exactly this warning.
  double found(WarningKind kind, int pairs, const Trouble& trouble) {
    constexpr int kTries = 200;
    int count = 0;
    for (int i = 0; i < kTries; ++i) {
      MetricStanding one = row(pairs, trouble);
      one.decision.look = 1;
      one.decision.pairs = pairs;
      const std::vector<Warning> warnings =
          session_warnings(one, static_cast<std::size_t>(pairs), policy, kRows);
      count += warnings.size() == 1 && warnings[0].kind == kind ? 1 : 0;
    }
    return static_cast<double>(count) / kTries;
  }

  Policy policy;

 private:
  double draw() {
    switch (noise_) {
      case NoiseShape::normal:
        break;
      case NoiseShape::uniform:
        return deviation_ * std::sqrt(12.0) * (uniform_(engine_) - 0.5);
      case NoiseShape::student3: {
        const double a = normal_(engine_), b = normal_(engine_), c = normal_(engine_);
        return deviation_ / std::sqrt(3.0) * normal_(engine_) /
               std::sqrt((a * a + b * b + c * c) / 3);
      }
      case NoiseShape::laplace: {
        const double size = -std::log(1 - uniform_(engine_));
        return deviation_ / std::sqrt(2.0) * ((engine_() & 1u) != 0 ? size : -size);
      }
    }
    return deviation_ * normal_(engine_);
  }

  NoiseShape noise_;
  double deviation_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

// At most 1 % of reports, in the noise that is hardest to tell from trouble: as large as half the
// threshold or all of it, with heavy tails or with none.
TEST(SessionWarnings, AreRareOnCleanReports) {
  EXPECT_LE(SimulatedSession(NoiseShape::student3, 0.10, 7).clean_reports_warned(1000), 10);
  EXPECT_LE(SimulatedSession(NoiseShape::uniform, 0.05, 7).clean_reports_warned(1000), 10);
  EXPECT_LE(SimulatedSession(NoiseShape::normal, 0.05, 7).clean_reports_warned(1000), 10);
}

TEST(SessionWarnings, AreAbsentWhereTheNoiseIsWellBelowTheThreshold) {
  EXPECT_EQ(SimulatedSession(NoiseShape::normal, 0.02, 8).clean_reports_warned(500), 0);
  EXPECT_EQ(SimulatedSession(NoiseShape::laplace, 0.01, 8).clean_reports_warned(500), 0);
}

// From here on trouble of the size of the threshold, in pairs of deviation 1.5 %.

TEST(SessionWarnings, DriftIsFound) {
  const auto drift = [](int pairs) {
    return [pairs](int pair) {
      const double level = 0.1 * pair / (pairs - 1);
      return Levels{level, level};
    };
  };
  SimulatedSession session(NoiseShape::student3, 0.015, 9);
  EXPECT_GE(session.found(WarningKind::session_drift, 15, drift(15)), 0.9);
  EXPECT_GE(session.found(WarningKind::session_drift, 32, drift(32)), 0.99);
  // Half the size is no news.
  const auto half = [](int pair) { return Levels{0.03 * pair / 31, 0.03 * pair / 31}; };
  EXPECT_EQ(session.found(WarningKind::session_drift, 32, half), 0);
}

TEST(SessionWarnings, DisagreeingHalvesAreFound) {
  const auto later = [](int from) {
    return [from](int pair) { return Levels{0, pair < from ? 0 : 0.1}; };
  };
  SimulatedSession session(NoiseShape::student3, 0.015, 10);
  // At the first look only halves that do not overlap at all are beyond chance.
  EXPECT_GE(session.found(WarningKind::halves_disagree, 15, later(7)), 0.8);
  EXPECT_GE(session.found(WarningKind::halves_disagree, 32, later(14)), 0.95);
}

TEST(SessionWarnings, GroupsOfPairsAreFound) {
  // Every other pair, so that neither drift nor halves see it: 10 % apart.
  const auto groups = [](int pair) { return Levels{0, pair % 2 == 0 ? 0 : 0.1}; };
  EXPECT_GE(
      SimulatedSession(NoiseShape::normal, 0.006, 11).found(WarningKind::bimodal_pairs, 15, groups),
      0.9);
  EXPECT_GE(
      SimulatedSession(NoiseShape::normal, 0.012, 11).found(WarningKind::bimodal_pairs, 47, groups),
      0.9);
}

TEST(SessionWarnings, GroupsOfOneSideAreFound) {
  // Both sides of a pair are fast or slow together: the changes know nothing of it.
  const auto together = [](int pair) {
    return Levels{pair % 2 == 0 ? 0 : 0.1, pair % 2 == 0 ? 0 : 0.1};
  };
  EXPECT_GE(SimulatedSession(NoiseShape::normal, 0.01, 12)
                .found(WarningKind::bimodal_pairs, 32, together),
            0.9);
}

TEST(SessionWarnings, HoldTheirFigures) {
  SimulatedSession session(NoiseShape::normal, 0.001, 13);
  MetricStanding one = session.row(20, [](int pair) { return Levels{0, pair < 10 ? 0.02 : 0.12}; });
  one.decision.look = 1;
  const auto warnings = session_warnings(one, 20, session.policy, 2);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].kind, WarningKind::halves_disagree);
  EXPECT_EQ(reporter::sentence(warnings[0]),
            "halves disagree: +2 % in the first half of the session, +13 % in the second");
  EXPECT_NEAR(warnings[0].figures.at("first"), std::expm1(0.02), 0.002);
  EXPECT_NEAR(warnings[0].figures.at("second"), std::expm1(0.12), 0.002);
  EXPECT_NEAR(warnings[0].figures.at("floor"), 0.0488, 1e-4);
}

TEST(SessionWarnings, LongSessionsAreCondensed) {
  SimulatedSession session(NoiseShape::normal, 0.01, 14);
  MetricStanding one = session.row(5000, [](int pair) {
    return Levels{0.2 * pair / 5000, 0.2 * pair / 5000};
  });
  one.decision.look = 1;
  const auto warnings = session_warnings(one, 5000, session.policy, 2);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NEAR(warnings[0].figures.at("change"), std::expm1(0.2), 0.003);
}

TEST(SessionWarnings, ZerosHaveNoLevel) {
  SimulatedSession session(NoiseShape::normal, 0.01, 15);
  MetricStanding one = session.row(20, {});
  one.series.pairs[3].base.value = 0;
  one.decision.look = 1;
  EXPECT_TRUE(session_warnings(one, 20, session.policy, 2).empty());
}

}  // namespace
}  // namespace perf

// Prints the tables of docs/verdicts.md: how often the rule errs, and what to expect of it.
//
//   verdict_replay [REPORTS]     reports per row, 3000 by default

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <vector>

#include "tests/analyzer/rule/replay.h"

namespace {

using perf::replay::History;
using perf::replay::Noise;
using perf::replay::Outcome;
using perf::replay::Scenario;

void print_error_rate(const Scenario& scenario) {
  Scenario half = scenario, full = scenario;
  half.change = 0.5;
  full.change = 1.0;
  const Outcome at_half = perf::replay::run(half);
  const Outcome at_full = perf::replay::run(full);
  const double share = 100.0 / scenario.reports;
  std::printf("| %s | %.0f %% | %d | %d (%.2f %%) | %d (%.2f %%) |\n",
              perf::replay::to_string(scenario.noise).c_str(), 100 * scenario.threshold,
              scenario.comparisons, at_half.reports_with_regressed,
              share * at_half.reports_with_regressed, at_full.reports_with_unchanged,
              share * at_full.reports_with_unchanged);
  std::fflush(stdout);
}

void print_error_rates(int reports) {
  std::printf(
      "Reports out of %d in which all true changes are equal, pair differences of deviation "
      "2 %%\n\n",
      reports);
  std::printf("| noise | threshold | m | some regressed at half of it | some unchanged at it |\n");
  std::printf("|---|---|---|---|---|\n");
  for (const double threshold : {0.10, 0.02}) {
    for (const Noise noise : {Noise::student3, Noise::normal, Noise::laplace}) {
      for (const int comparisons : {1, 24, 50}) {
        Scenario scenario;
        scenario.noise = noise;
        scenario.threshold = threshold;
        scenario.comparisons = comparisons;
        scenario.reports = reports;
        print_error_rate(scenario);
      }
    }
  }
}

/// Of `judge`: 24 pairs, their number known beforehand. The deviations hide the threshold hardly,
/// nearly and wholly.
void print_known_pairs(int reports) {
  std::printf(
      "\n24 pairs, known beforehand, threshold 5 %%; share of no change proven and of 1.5 "
      "thresholds "
      "found\n\n");
  std::printf(
      "| noise | deviation | m | some changed at none | some regressed at half | some unchanged at "
      "it "
      "| proven | found |\n|---|---|---|---|---|---|---|---|\n");
  const double share = 100.0 / reports;
  for (const Noise noise :
       {Noise::normal, Noise::student3, Noise::laplace, Noise::two_modes, Noise::ticks}) {
    for (const double deviation : {0.03, 0.06, 0.20}) {
      for (const int comparisons : {1, 24}) {
        const auto outcome_of = [&](double change) {
          Scenario scenario{noise, deviation, 0.05, change, comparisons, reports};
          scenario.pairs = 24;
          return perf::replay::run(scenario);
        };
        const Outcome none = outcome_of(0);
        std::printf("| %s | %.0f %% | %d | %.2f %% | %.2f %% | %.2f %% | %.2f | %.2f |\n",
                    perf::replay::to_string(noise).c_str(), 100 * deviation, comparisons,
                    share * (none.reports_with_regressed + none.reports_with_improved),
                    share * outcome_of(0.5).reports_with_regressed,
                    share * outcome_of(1).reports_with_unchanged, none.unchanged,
                    outcome_of(1.5).regressed);
        std::fflush(stdout);
      }
    }
  }
}

/// Correlated pairs, at six looks, at those of a file with 24 or 74, and at one look at 24:
/// no part of the promise.
void print_sticky_pairs(int reports) {
  std::printf(
      "\nPairs with a first-order autoregression of .7, threshold 10 %%, deviation 2 %%, 8 %% at "
      "one look\n\n");
  std::printf("| looks | of | m | comparisons unchanged at the threshold |\n|---|---|---|---|\n");
  struct Looks {
    int one = 0, given = 0;
  };
  for (const Looks looks : {Looks{0, 0}, Looks{0, 24}, Looks{0, 74}, Looks{24, 0}}) {
    for (const int comparisons : {1, 24}) {
      Scenario scenario{Noise::sticky, looks.one > 0 ? 0.08 : 0.02, 0.10, 1.0, comparisons,
                        reports};
      scenario.pairs = looks.one;
      scenario.given = looks.given;
      scenario.complete = looks.given > 0;
      std::printf("| %d | %d | %d | %.2f %% |\n", looks.one > 0 ? 1 : 6, looks.one + looks.given,
                  comparisons, 100 * perf::replay::run(scenario).unchanged);
      std::fflush(stdout);
    }
  }
}

void print_expectations(int reports) {
  struct Setting {
    double deviation, threshold;
  };
  for (const Setting setting : {Setting{0.02, 0.10}, Setting{0.02, 0.02}, Setting{0.005, 0.02}}) {
    std::printf(
        "\nPair differences t with 3 degrees of freedom, deviation %.1f %%, threshold %.0f %%, m = "
        "24\n\n",
        100 * setting.deviation, 100 * setting.threshold);
    std::printf(
        "| true change / threshold | regressed | unchanged | inconclusive | mean pairs |\n");
    std::printf("|---|---|---|---|---|\n");
    for (const double change : {0.0, 0.5, 0.8, 0.9, 1.0, 1.2, 1.5}) {
      Scenario scenario;
      scenario.deviation = setting.deviation;
      scenario.threshold = setting.threshold;
      scenario.change = change;
      scenario.reports = reports / 10 + 1;
      const Outcome outcome = perf::replay::run(scenario);
      std::printf("| %.1f | %.3f | %.3f | %.3f | %.1f |\n", change, outcome.regressed,
                  outcome.unchanged, outcome.inconclusive, outcome.mean_pairs);
      std::fflush(stdout);
    }
  }
}

/// Of three scales of the noise and three changes, each taken at its worst.
perf::replay::Errors worst_errors(Noise noise, int judged, int replays, History history) {
  std::vector<std::future<perf::replay::Errors>> all;
  for (const double scale : {0.3, 1.0, 2.0}) {
    for (const double change : {0.0, 0.5, 1.0}) {
      all.push_back(std::async(std::launch::async, perf::replay::early_errors, noise, scale, change,
                               judged, replays, history));
    }
  }
  perf::replay::Errors worst;
  for (auto& one : all) {
    const perf::replay::Errors errors = one.get();
    worst = {std::max(worst.early, errors.early), std::max(worst.with, errors.with),
             std::max(worst.before, errors.before)};
  }
  return worst;
}

/// The most wrong in a hundred: a comparison, and a report of m such ones.
void print_early_errors(int replays) {
  std::printf(
      "\nEarly looks: %d comparisons of dear pairs, the worst of three scales of noise and "
      "changes; "
      "reports of m in brackets\n\n"
      "| noise of a process | m | wrong early | in all | without early looks | early, with history "
      "| "
      "with unlike history |\n"
      "|---|---|---|---|---|---|---|\n",
      replays);
  for (const Noise noise :
       {Noise::normal, Noise::student3, Noise::student2, Noise::laplace, Noise::lognormal,
        Noise::uniform, Noise::outliers, Noise::two_modes, Noise::modes_10, Noise::modes_30,
        Noise::modes_50, Noise::three_modes, Noise::ticks, Noise::side_sticky, Noise::head_mode}) {
    for (const int judged : {1, 4, 24, 100}) {
      const perf::replay::Errors worst = worst_errors(noise, judged, replays, History::none);
      const int alike = worst_errors(noise, judged, replays, History::alike).early,
                unlike = worst_errors(noise, judged, replays, History::unlike).early;
      std::printf("| %s | %d |", perf::replay::to_string(noise).c_str(), judged);
      for (const int wrong : {worst.early, worst.with, worst.before, alike, unlike}) {
        const double share = 1.0 * wrong / replays;
        std::printf(" %.3f %% (%.2f %%) |", 100 * share, 100 * (1 - std::pow(1 - share, judged)));
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  }
}

/// Of normal noise: how many pairs half of the comparisons take.
void print_early_pairs() {
  std::printf(
      "\nMedian pairs without early looks, with them, and with history, normal noise\n\n"
      "| m | noise / threshold | no change | 1.5 thresholds | 2 thresholds |\n"
      "|---|---|---|---|---|\n");
  for (const int judged : {1, 4, 24, 100}) {
    for (const double scale : {0.05, 0.1, 0.2, 0.4}) {
      std::printf("| %d | %g |", judged, scale);
      for (const double change : {0.0, 1.5, 2.0}) {
        std::printf(" %d, %d, %d |", perf::replay::median_pairs(scale, change, judged, false),
                    perf::replay::median_pairs(scale, change, judged, true),
                    perf::replay::median_pairs(scale, change, judged, true, History::alike));
      }
      std::printf("\n");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int reports = argc > 1 ? std::atoi(argv[1]) : 3000;
  if (reports < 1) {
    std::fprintf(stderr, "verdict_replay: '%s' is no number of reports\n", argv[1]);
    return 2;
  }
  print_error_rates(reports);
  print_known_pairs(reports);
  print_sticky_pairs(reports);
  print_expectations(reports);
  print_early_errors(7 * reports);
  print_early_pairs();
  return 0;
}

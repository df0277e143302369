// The tables of docs/detector.md, "Algorithm": what find_steps, find_suspects and find_slope do
// on series of every nature. Fixed seeds.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "tests/analyzer/detector/noise_histories.h"
#include "tests/analyzer/detector/synthetic_series.h"

namespace perf::test {
namespace {

constexpr std::size_t kReplicas = 1000;

void print_steps() {
  std::puts("| noise | clean series alarmed | false alarms per 1,000 points | steps found |");
  std::puts("|---|---|---|---|");
  for (const Nature nature : all_natures()) {
    const Score score = score_steps(nature, kReplicas, 0.05, 21);
    std::printf(
        "| %s | %.1f %% | %.2f | %.3f |\n", name_of(nature).c_str(), 100 * score.clean_rate(),
        1000.0 * static_cast<double>(score.false_alarms) / static_cast<double>(score.points),
        score.recall());
  }
}

void print_many_steps() {
  struct Row {
    const char* what;
    std::function<Planted(std::mt19937_64&)> series;
  };
  const auto even = [](std::size_t points, std::size_t steps, double change, Course course) {
    return [=](std::mt19937_64& random) {
      return with_steps(points, steps, change, course, 0.01, random);
    };
  };
  std::puts("\n| series, 1 % white noise | steps found | false steps a series |");
  std::puts("|---|---|---|");
  for (const Row& row :
       {Row{"150 points, 4 steps of 5 % up and down in turn", even(150, 4, 0.05, Course::in_turn)},
        Row{"150 points, 6 such", even(150, 6, 0.05, Course::in_turn)},
        Row{"100 points, 3 such of 30 %", even(100, 3, 0.30, Course::in_turn)},
        Row{"60 points, 2 such of 30 %", even(60, 2, 0.30, Course::in_turn)},
        Row{"150 points, 4 rises of 10 %", even(150, 4, 0.10, Course::onward)},
        Row{"40 points, 4 such", even(40, 4, 0.10, Course::onward)},
        Row{"200 points that drift by 5 %, a step of 5 %", step_beside_drift}}) {
    const Score score = score_planted(row.series, kReplicas, 26);
    std::printf("| %s | %.3f | %.3f |\n", row.what, score.recall(),
                static_cast<double>(score.extra) / static_cast<double>(score.series));
  }
}

void print_noise_changes() {
  std::puts("\n| a move between shared runners and a quiet machine | steps found | false, clean |");
  std::puts("|---|---|---|");
  struct Row {
    const char* what;
    Move move;
  };
  for (const Row& row : {Row{"calm last: 72 points, a step, 40 more", {72, 40, true}},
                         Row{"calm last: 72 points, a step, 9 more", {72, 9, true}},
                         Row{"calm first: 72 points, a step, 40 more", {72, 40, false}},
                         Row{"calm first: 72 points, a step, 9 more", {72, 9, false}}}) {
    const Move& move = row.move;
    const Score found = score_planted(
        [&](std::mt19937_64& random) { return moved_suite(move, random); }, kReplicas, 28);
    const Move clean{move.before + move.after, 0, move.noisy_first};
    const Score quiet = score_clean(
        [&](std::mt19937_64& random) { return moved_suite(clean, random).values; }, kReplicas, 29);
    std::printf(
        "| %s | %.3f | %.1f %%, %.2f per 1,000 points |\n", row.what, found.recall(),
        100 * quiet.clean_rate(),
        1000.0 * static_cast<double>(quiet.false_alarms) / static_cast<double>(quiet.points));
  }
}

void print_plateaus() {
  std::puts("\n| plateau, step before 12 points more | alone | behind a step of 17 times |");
  std::puts("|---|---|---|");
  for (const double deviations : {4.0, 6.0}) {
    for (const std::size_t points : {5U, 7U, 10U, 20U}) {
      std::printf("| %zu points, %.0f deviations | %.2f | %.2f |\n", points, deviations,
                  share_behind({0, points, deviations}, kReplicas, 30),
                  share_behind({12, points, deviations}, kReplicas, 30));
    }
  }
  std::printf("like lrzip: %.3f\n", share_of_both_like_lrzip(kReplicas, 31));
}

/// Series of two modes, chosen anew for every point, and of whole numbers; all clean.
void print_uneven_modes() {
  std::puts("\n| 300 clean points | series alarmed, %, for shares or deviations as told |");
  std::puts("|---|---|");
  const auto print = [](const std::function<std::vector<double>(std::mt19937_64&)>& series) {
    std::printf(" %.1f", 100 * score_clean(series, kReplicas / 2, 27).clean_rate());
  };
  for (const double deviation : {0.001, 0.002, 0.005, 0.01}) {
    std::printf("| modes 2 to 6 %% apart, %.1f %% each, shares .1 to .4 |", 100 * deviation);
    for (const double share : {0.1, 0.2, 0.3, 0.4}) {
      print([&](std::mt19937_64& random) {
        const double gap = std::uniform_real_distribution<double>(0.02, 0.06)(random);
        std::vector<double> noise = uneven_modes(300, gap / deviation, share, random);
        for (double& one : noise) {
          one *= deviation;
        }
        return times(noise);
      });
    }
    std::puts(" |");
  }
  for (const double level : {10.3, 20.5, 50.0}) {
    std::printf("| whole numbers about %.1f, deviations .2, .3, .5, .8 |", level);
    for (const double deviation : {0.2, 0.3, 0.5, 0.8}) {
      print([&](std::mt19937_64& random) { return whole_ticks(300, level, deviation, random); });
    }
    std::puts(" |");
  }
}

void print_modes() {
  std::puts(
      "\n| modes apart, deviations | kept for, points | clean series alarmed | steps found |");
  std::puts("|---|---|---|---|");
  for (const double apart : {2.0, 3.0, 4.0, 6.0}) {
    for (const double run : {2.0, 5.0, 10.0, 20.0}) {
      const Score score = score_steps(
          [&](std::size_t points, std::mt19937_64& random) {
            return two_modes(points, apart, run, random);
          },
          kReplicas / 2, 0.05, 22);
      std::printf("| %.0f | %.0f | %.1f %% | %.2f |\n", apart, run, 100 * score.clean_rate(),
                  score.recall());
    }
  }
}

bool is_near(const std::vector<FoundStep>& steps, std::size_t index) {
  return std::any_of(steps.begin(), steps.end(), [index](const FoundStep& step) {
    return step.index <= index + 5 && index <= step.index + 5;
  });
}

/// Points after a step until a tier shows it: the median and the 90th of 100 series.
void print_delays() {
  constexpr std::size_t kStep = 150, kLongest = 60, kSeries = 200;
  std::puts("\n| step, 1 % white noise | steps: median, 90 % | suspects: median, 90 % |");
  std::puts("|---|---|---|");
  for (const double change : {0.02, 0.03, 0.05, 0.10}) {
    std::mt19937_64 random(23);
    std::vector<std::size_t> step_delays, suspect_delays;
    for (std::size_t replica = 0; replica < kSeries; ++replica) {
      const std::vector<double> values =
          times(noise_of(Nature::white, kStep + kLongest, 0.01, random), kStep, change);
      std::size_t by_step = kLongest, by_suspect = kLongest;
      for (std::size_t seen = kLongest; seen > 0; --seen) {
        const std::vector<double> prefix(
            values.begin(), values.begin() + static_cast<std::ptrdiff_t>(kStep + seen));
        const std::vector<FoundStep> steps = find_steps(prefix);
        if (is_near(steps, kStep)) {
          by_step = seen;
        }
        if (is_near(steps, kStep) || is_near(find_suspects(prefix, steps), kStep)) {
          by_suspect = seen;
        }
      }
      step_delays.push_back(by_step);
      suspect_delays.push_back(by_suspect);
    }
    std::sort(step_delays.begin(), step_delays.end());
    std::sort(suspect_delays.begin(), suspect_delays.end());
    std::printf("| %.0f %% | %zu, %zu | %zu, %zu |\n", 100 * change, step_delays[kSeries / 2],
                step_delays[kSeries * 9 / 10], suspect_delays[kSeries / 2],
                suspect_delays[kSeries * 9 / 10]);
  }
}

void print_suspects_and_slopes() {
  std::puts(
      "\n| noise | suspects per 1,000 clean points | clean: slopes | a 5 % step: slopes | a 5 % "
      "drift: slopes |");
  std::puts("|---|---|---|---|---|");
  for (const Nature nature : all_natures()) {
    std::mt19937_64 random(24);
    std::size_t points = 0, suspects = 0, on_clean = 0, on_step = 0, on_drift = 0;
    for (std::size_t replica = 0; replica < kReplicas; ++replica) {
      const std::vector<double> clean = times(noise_of(nature, 200, 0.01, random));
      const std::vector<FoundStep> steps = find_steps(clean);
      points += clean.size();
      suspects += find_suspects(clean, steps).size();
      on_clean += find_slope(clean, steps) ? 1 : 0;
      const std::vector<double> step =
          times(noise_of(nature, 200, 0.01, random), 50 + replica % 100, 0.05);
      on_step += find_slope(step, find_steps(step)) ? 1 : 0;
      std::vector<double> drift = noise_of(nature, 200, 0.01, random);
      for (std::size_t i = 0; i < drift.size(); ++i) {
        drift[i] += std::log1p(0.05) * static_cast<double>(i) / 199;
      }
      drift = times(drift);
      on_drift += find_slope(drift, find_steps(drift)) ? 1 : 0;
    }
    const double replicas = static_cast<double>(kReplicas);
    std::printf("| %s | %.2f | %.1f %% | %.1f %% | %.1f %% |\n", name_of(nature).c_str(),
                1000.0 * static_cast<double>(suspects) / static_cast<double>(points),
                100 * static_cast<double>(on_clean) / replicas,
                100 * static_cast<double>(on_step) / replicas,
                100 * static_cast<double>(on_drift) / replicas);
  }
}

/// How often the 95 % interval of a step found holds the change that was planted.
void print_coverage() {
  std::puts("\n| noise, 100 points | step of 2 % found | covered | step of 5 % found | covered |");
  std::puts("|---|---|---|---|---|");
  for (const Nature nature : all_natures()) {
    std::mt19937_64 random(25);
    std::printf("| %s |", name_of(nature).c_str());
    for (const double change : {0.02, 0.05}) {
      std::size_t found = 0, covered = 0;
      for (std::size_t replica = 0; replica < kReplicas; ++replica) {
        const std::size_t at = 20 + replica % 60;
        const std::vector<FoundStep> steps =
            find_steps(times(noise_of(nature, 100, 0.01, random), at, change));
        for (const FoundStep& step : steps) {
          if (!is_near({step}, at)) {
            continue;
          }
          ++found;
          covered += step.interval.low <= change && change <= step.interval.high ? 1 : 0;
          break;
        }
      }
      std::printf(" %.2f | %.2f |", static_cast<double>(found) / kReplicas,
                  static_cast<double>(covered) / static_cast<double>(found));
    }
    std::puts("");
  }
}

}  // namespace
}  // namespace perf::test

int main() {
  perf::test::print_steps();
  perf::test::print_many_steps();
  perf::test::print_noise_changes();
  perf::test::print_plateaus();
  perf::test::print_uneven_modes();
  perf::test::print_modes();
  perf::test::print_delays();
  perf::test::print_suspects_and_slopes();
  perf::test::print_coverage();
}

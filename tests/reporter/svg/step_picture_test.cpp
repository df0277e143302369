#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reporter/svg/pictures.h"
#include "tests/contains.h"
#include "tests/reporter/svg/drawn.h"

namespace perf::reporter::svg {
namespace {

using samples::drawn_with;
using samples::texts_of;

/// Pairs of processes of steps of about 0.1 s at base and 0.12 s at head, two of them warm-up.
MeasuredWorkload session_of(int pairs, int steps) {
  MeasuredWorkload measured{"training/lm", {}, {}};
  for (int i = 0; i < 2 * pairs; ++i) {
    MeasuredProcess process;
    process.side = (i + i / 2) % 2 == 0 ? Side::base : Side::head;
    process.pair = i / 2;
    process.start_order = i;
    for (int step = 0; step < steps; ++step) {
      const double usual = process.side == Side::base ? 0.1 : 0.12;
      const double value = step < 2 ? 0.5 - 0.1 * step : usual + 0.0001 * ((i + step) % 7 - 3);
      process.steps.push_back({step, step < 2, value, std::nullopt});
    }
    measured.processes.push_back(process);
  }
  return measured;
}

std::size_t dots_of(const std::string& svg, const std::string& side) {
  std::size_t count = 0;
  for (const auto& path : drawn_with(svg, "path", side)) {
    count += path.places().size();
  }
  return count;
}

TEST(StepPicture, DrawsEveryStepOfBothSides) {
  const std::string svg = step_picture(session_of(8, 10));
  EXPECT_EQ(dots_of(svg, "base"), 80u);
  EXPECT_EQ(dots_of(svg, "head"), 80u);
  EXPECT_EQ(dots_of(svg, "paper"), 32u) << "a hole in each dot of the warm-up";
  samples::expect_within(svg, "steps");
}

TEST(StepPicture, DrawsMediansOfTimedSteps) {
  const std::string svg = step_picture(session_of(8, 10));
  const std::string texts = texts_of(svg);
  EXPECT_TRUE(contains_all(texts, {"base 100 ms", "head 120 ms"}));
  const double base = drawn_with(svg, "line", "base").at(0).number("y1");
  const double head = drawn_with(svg, "line", "head").at(0).number("y1");
  EXPECT_LT(head, base) << "longer is higher up";
}

TEST(StepPicture, HasASeparateScaleForHighWarmup) {
  const std::string svg = step_picture(session_of(8, 10));
  const auto strip = drawn_with(svg, "rect", "band");
  ASSERT_EQ(strip.size(), 1u);
  const double bottom = strip[0].number("y") + strip[0].number("height");
  for (const auto& path : drawn_with(svg, "path", "ring")) {
    for (const Point& place : path.places()) {
      EXPECT_LE(place.y, bottom);
    }
  }
  for (const auto& path : drawn_with(svg, "path", "faint")) {
    for (const Point& place : path.places()) {
      EXPECT_GT(place.y, bottom);
    }
  }
  EXPECT_TRUE(contains(texts_of(svg), "grey strip: another scale"));
}

TEST(StepPicture, DrawsTimeToTheRight) {
  const std::string svg = step_picture(session_of(1, 4));
  const auto base = drawn_with(svg, "path", "base"), head = drawn_with(svg, "path", "head");
  double last_of_base = 0, first_of_head = 1e9;
  for (const auto& path : base) {
    for (const Point& place : path.places()) {
      last_of_base = std::max(last_of_base, place.x);
    }
  }
  for (const auto& path : head) {
    for (const Point& place : path.places()) {
      first_of_head = std::min(first_of_head, place.x);
    }
  }
  EXPECT_LT(last_of_base, first_of_head) << "base ran first here";
}

TEST(StepPicture, ThinsOutManyStepsWithANote) {
  const std::string svg = step_picture(session_of(200, 100));  // 20,000 a side
  const double warmups = 2 * 200;                              // of a side, far above
  EXPECT_NEAR(static_cast<double>(dots_of(svg, "base")), 2000 + warmups, 60);
  EXPECT_NEAR(static_cast<double>(dots_of(svg, "head")), 2000 + warmups, 60);
  EXPECT_TRUE(contains(texts_of(svg), "grey strip: another scale; under it 1 in 9.8 drawn"));
  EXPECT_TRUE(contains(texts_of(svg), "base 100 ms")) << "of all, not of the drawn";
  EXPECT_EQ(static_cast<double>(dots_of(svg, "paper")), 2 * warmups) << "the strip has room";
  EXPECT_FALSE(contains(texts_of(step_picture(session_of(200, 10))), "drawn"));
}

/// A session in which one step of process 4 took ten times as long, and how high it is drawn.
void expect_drawn_far_above(MeasuredWorkload measured, std::size_t step, const std::string& side) {
  measured.processes[4].steps[step].seconds = 1.019;
  measured.processes[4].steps[step].warmup = false;
  const std::string svg = step_picture(measured);
  const auto strip = drawn_with(svg, "rect", "band");
  ASSERT_EQ(strip.size(), 1U) << step;
  const double top = strip[0].number("y");
  std::size_t at_top = 0;
  for (const auto& path : drawn_with(svg, "path", side)) {
    for (const Point& place : path.places()) {
      at_top += place.y < top + 0.2 * strip[0].number("height");
    }
  }
  EXPECT_EQ(at_top, 1U) << "the one that the scale of the strip is for, step " << step;
}

TEST(StepPicture, KeepsOutliers) {
  const MeasuredWorkload measured = session_of(16, 300);
  const std::string side = measured.processes[4].side == Side::base ? "base" : "head";
  for (std::size_t step = 120; step < 130; ++step) {
    expect_drawn_far_above(measured, step, side);
  }
}

TEST(StepPicture, KeepsTheHighestOfAThinnedStrip) {
  MeasuredWorkload measured = session_of(60, 100);
  for (MeasuredProcess& process : measured.processes) {
    for (std::size_t i = 0; i < 50; ++i) {
      process.steps[i].warmup = true;
      process.steps[i].seconds = 0.5;
    }
  }
  EXPECT_TRUE(
      contains(texts_of(step_picture(measured)), "grey strip: another scale, 1 in 1.5 drawn"));
  const std::string side = measured.processes[4].side == Side::base ? "base" : "head";
  for (std::size_t step = 20; step < 30; ++step) {
    expect_drawn_far_above(measured, step, side);
  }
}

TEST(StepPicture, OmitsNonFiniteSteps) {
  MeasuredWorkload measured = session_of(2, 4);
  measured.processes[0].steps[3].seconds = std::numeric_limits<double>::quiet_NaN();
  measured.processes[1].steps[3].seconds = INFINITY;
  const std::string svg = step_picture(measured);
  EXPECT_EQ(dots_of(svg, "base") + dots_of(svg, "head"), 14u);
  samples::expect_within(svg, "no numbers");
}

TEST(StepPicture, IsEmptyWithoutData) {
  EXPECT_EQ(step_picture({}), "");
  EXPECT_EQ(step_picture(session_of(3, 0)), "");
}

}  // namespace
}  // namespace perf::reporter::svg

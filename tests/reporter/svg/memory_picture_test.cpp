#include <gtest/gtest.h>

#include "reporter/svg/pictures.h"
#include "tests/contains.h"
#include "tests/reporter/svg/drawn.h"

namespace perf::reporter::svg {
namespace {

using samples::drawn_with;
using samples::texts_of;

constexpr double kMib = 1024 * 1024;

MeasuredWorkload session_of(int processes) {
  MeasuredWorkload measured{"training/lm", {}, {}};
  for (int i = 0; i < processes; ++i) {
    MeasuredProcess process;
    process.side = i % 2 == 0 ? Side::base : Side::head;
    process.start_order = i;
    process.values = {{"peak_rss", (i % 2 == 0 ? 100 : 120) * kMib},
                      {"tokens_per_second", i % 2 == 0 ? 5000.0 : 4000.0}};
    for (int step = 0; step < 3; ++step) {
      process.steps.push_back(
          {step, false, 0.1, static_cast<std::int64_t>((80 + 5 * step) * kMib)});
    }
    measured.processes.push_back(process);
  }
  return measured;
}

TEST(MemoryPicture, DrawsThePeakOfEveryProcess) {
  const std::string svg = memory_picture(session_of(12));
  std::size_t peaks = 0, steps = 0;
  for (const auto& path : drawn_with(svg, "path", "faint")) {
    (path.has_class("small") ? steps : peaks) += path.places().size();
  }
  EXPECT_EQ(peaks, 12u);
  EXPECT_EQ(steps, 36u);
  EXPECT_TRUE(contains(texts_of(svg), "base 100 MiB"));
  EXPECT_TRUE(contains(texts_of(svg), "head 120 MiB"));
  EXPECT_TRUE(contains(texts_of(svg), "small: resident after a step"));
  samples::expect_within(svg, "memory");
}

TEST(MemoryPicture, IsEmptyWithoutData) {
  MeasuredWorkload measured = session_of(4);
  for (MeasuredProcess& process : measured.processes) {
    process.values.clear();
    process.steps.clear();
  }
  EXPECT_EQ(memory_picture(measured), "");
  EXPECT_EQ(memory_picture({}), "");
}

TEST(ProcessPicture, DrawsAnyMetric) {
  const Metric tokens{"tokens_per_second", "1/s", Better::higher};
  const std::string svg = process_picture(session_of(6), tokens);
  EXPECT_TRUE(contains(texts_of(svg), "tokens_per_second, k/s"));
  EXPECT_TRUE(contains(texts_of(svg), "base 5.00 k/s"));
  EXPECT_LT(drawn_with(svg, "line", "base").at(0).number("y1"),
            drawn_with(svg, "line", "head").at(0).number("y1"));
  EXPECT_EQ(process_picture(session_of(6), {"other", "", Better::lower}), "");
}

}  // namespace
}  // namespace perf::reporter::svg

#include "ci/cli/run/progress.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/contains.h"

namespace perf {
namespace {

/// What a run of calls writes, captured through a stream in memory.
template <typename Calls>
std::string written(ProgressView::Style style, const Calls& calls) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  {
    ProgressView view(out, style, 600, 100);
    calls(view);
  }
  std::fclose(out);
  const std::string result(text, size);
  std::free(text);
  return result;
}

Plan two_workloads() {
  Plan plan;
  plan.workloads.resize(2);
  return plan;
}

Demand one_demand() {
  Demand demand;
  demand.workloads.push_back({0, 3, true, 8, 2});
  demand.workloads.push_back({1, 2, false, 8, 2});
  return demand;
}

Report after_look(int look) {
  Comparison comparison;
  comparison.workload = "parser";
  comparison.metric = kStepTime;
  comparison.base = SideStats{};
  comparison.head = SideStats{};
  comparison.change = 0.031;
  comparison.interval = Interval{0.01, 0.05};
  comparison.look = look;
  comparison.pairs = 12;
  comparison.verdict = Verdict::unchanged;
  Report report;
  report.comparisons.push_back(comparison);
  return report;
}

TEST(Progress, ShowsABuildAsABarOrALineEachQuarter) {
  const auto build = [](ProgressView& view) {
    for (const int files : {140, 4, 8}) {
      for (int done = 1; done <= files; ++done) {
        view.update(BuildProgress{done, files, false});
      }
    }
    view.update(BuildProgress{60, 100, true});
  };
  EXPECT_EQ(written(ProgressView::Style::lines, build),
            "  35 of 140 files\n  70 of 140 files\n  105 of 140 files\n  140 of 140 files\n"
            "  2 of 8 files\n  4 of 8 files\n  6 of 8 files\n  8 of 8 files\n");
  EXPECT_EQ(written(ProgressView::Style::bar,
                    [](ProgressView& view) {
                      view.update(BuildProgress{3, 140, false});
                      view.update(BuildProgress{12, 100, true});
                      view.say("built");
                    }),
            "\r\x1b[K  3 of 140 files\r\x1b[K  12 %\r\x1b[Kbuilt\n");
  EXPECT_EQ(written(ProgressView::Style::silent, build), "");
}

TEST(Progress, WritesPlainLinesToALog) {
  const std::string text = written(ProgressView::Style::lines, [](ProgressView& view) {
    view.begin(two_workloads(), one_demand(), 61);
    view.update({"parser", Side::head, 1, 8, 62});
  });
  EXPECT_EQ(text, "measuring 2 of 2 workloads, 8 processes (1:01 of 10:00 used)\n");
}

// A pair at a time, of which a line each would flood a log.
TEST(Progress, WritesNoLineForEachDearPair) {
  Demand one_pair;
  one_pair.workloads.push_back({0, 1, true, 8, 2});
  const std::string text = written(ProgressView::Style::lines, [&](ProgressView& view) {
    for (const double measured : {0.0, 5.0, 10.0, 31.0, 36.0}) {
      view.begin(two_workloads(), one_pair, measured);
    }
  });
  EXPECT_EQ(text,
            "measuring 1 of 2 workloads, 2 processes (0:00 of 10:00 used)\n"
            "measuring 1 of 2 workloads, 2 processes (0:31 of 10:00 used)\n");
}

TEST(Progress, PrintsThePriceOfFirstVerdictsOnce) {
  const std::string text = written(ProgressView::Style::lines, [](ProgressView& view) {
    view.tell_price(std::nullopt);
    view.tell_price(FirstVerdicts{6, 11, 240, 540});
    view.tell_price(FirstVerdicts{6, 11, 200, 500});
  });
  EXPECT_EQ(text, "first verdicts take 6 to 11 pairs of a workload: 4 min to 9 min in all\n");
}

TEST(Progress, WritesALineToALogEveryHalfMinute) {
  const std::string text = written(ProgressView::Style::lines, [](ProgressView& view) {
    view.begin(two_workloads(), one_demand(), 0);
    for (int done = 1; done < 8; ++done) {
      view.update({"parser", Side::head, done, 8, 10.0 * done});
    }
  });
  EXPECT_TRUE(contains(text, "  3 of 8 processes, about 0:50 to the next look\n"));
  EXPECT_FALSE(contains(text, "4 of 8"));
}

TEST(Progress, RedrawsABarThatFits) {
  const std::string text = written(ProgressView::Style::bar, [](ProgressView& view) {
    view.begin(two_workloads(), one_demand(), 0);
    view.update({std::string(500, 'x'), Side::base, 4, 8, 10});
  });
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_TRUE(contains(text, "4/8"));
  EXPECT_LT(text.size(), 130u);
}

TEST(Progress, ShowsEachLookOnce) {
  const std::string text = written(ProgressView::Style::lines, [](ProgressView& view) {
    view.show(after_look(0));
    view.show(after_look(1));
    view.show(after_look(1));
  });
  EXPECT_EQ(text,
            "after look 1 (0:00 measured):\n  parser step_time +3.1 % [+1.0, +5.0], 12 pairs: "
            "unchanged\n");
}

TEST(Progress, EscapesNames) {
  const std::string text = written(ProgressView::Style::lines, [](ProgressView& view) {
    view.say("metric x\n::error file=a::pwned\x1b[31m");
    Report report = after_look(1);
    report.comparisons[0].metric.name = "m\n##[error]\x1b[2J";
    view.show(report);
  });
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_FALSE(contains(text, "\n::"));
  EXPECT_FALSE(contains(text, "##["));
}

TEST(Progress, PrintsOnceThatTheBudgetIsTooSmall) {
  const auto printed = [](double needed, bool several) {
    Report report = after_look(0);
    report.comparisons[0].pairs_needed = 15;
    if (several) {
      report.comparisons.push_back(report.comparisons[0]);
      report.comparisons[1].workload = "reader";
    }
    report.undecided = Undecided{std::nullopt, needed, 1};
    return written(ProgressView::Style::lines, [&report](ProgressView& view) {
      view.show(report);
      view.show(report);
    });
  };
  EXPECT_EQ(printed(2400, true),
            "a budget of 10 min allows about 3 of the 15 pairs that a first look takes; the first "
            "look needs --budget "
            "48m, or fewer workloads (-w NAME)\n");
  EXPECT_EQ(printed(1000, false),
            "a budget of 10 min allows about 9 of the 15 pairs that a first look takes; the first "
            "look needs --budget "
            "20m\n");
  EXPECT_EQ(printed(600, true), "");
}

TEST(Progress, PrintsNothingIfSilent) {
  EXPECT_EQ(written(ProgressView::Style::silent,
                    [](ProgressView& view) {
                      view.say("x");
                      view.begin(two_workloads(), one_demand(), 0);
                      view.show(after_look(1));
                    }),
            "");
}

}  // namespace
}  // namespace perf

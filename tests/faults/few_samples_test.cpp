// No samples, one, two, all of them the same, zeros, one side only: which word a report says of
// them, and that no format of it holds a number that is none.

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>

#include "analyzer/analyze.h"
#include "analyzer/detector/change_points.h"
#include "analyzer/judge/judge.h"
#include "analyzer/next.h"
#include "analyzer/samples/measured_workloads.h"
#include "reporter/render.h"
#include "tests/analyzer/samples/scripted_run.h"
#include "tests/faults/effort.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::failed_invocation;
using scripted::invocation_of;
using scripted::plan_of;

constexpr int kFirstLook = 12;  // n_1 of two judged rows at alpha = 1 %: 2^(1-12) <= 0.01 / (2 * 6)

/// A page without its program, which may well speak of Infinity; its data stay.
std::string without_program(std::string page) {
  for (std::size_t from; (from = page.find("<script>")) != std::string::npos;) {
    page.erase(from, page.find("</script>", from) - from);
  }
  return page;
}

/// Every format in which people or programs may read the report.
std::map<std::string, std::string> every_format(const Plan& plan, const Measurements& history,
                                                const Report& report) {
  const std::vector<MeasuredWorkload> measured = measured_workloads(plan, history);
  std::map<std::string, std::string> texts{
      {"terminal", render_terminal(report, false)},
      {"markdown", render_markdown(report)},
      {"json", render_json(report)},
      {"html", without_program(render_html(report, measured))},
      {"junit", render_junit(report)},
      {"openmetrics", render_openmetrics(report)},
      {"summary", render_github_summary(report, 900'000)},
      {"annotations", render_github_annotations(report)},
      {"outputs", render_github_outputs(report, 0)},
  };
  for (const Picture& picture : plots(report, measured)) {
    texts["picture " + picture.name] = picture.svg;
  }
  return texts;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether a text holds what printing a NaN or an infinity gives, as a word of its own.
bool holds_no_number(const std::string& text, std::string& found) {
  for (const std::string word : {"nan", "-nan", "NaN", "inf", "-inf", "Infinity", "infinity"}) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const bool begins = at == 0 || !is_word(text[at - 1]);
      const bool ends = at + word.size() == text.size() || !is_word(text[at + word.size()]);
      if (begins && ends) {
        found = text.substr(at < 40 ? 0 : at - 40, 80);
        return true;
      }
    }
  }
  return false;
}

int reports = 0, judged_cases = 0;

struct FewSamples : testing::Test {
  static void TearDownTestSuite() {
    test::figure("few samples", std::to_string(reports) + " reports and " +
                                    std::to_string(judged_cases) +
                                    " judged cases, each in every format");
  }
};

/// Analyzes and renders; every number of every row must be one.
Report reported(const Plan& plan, const Measurements& history,
                const std::vector<Target>& targets = {}) {
  ++reports;
  Report report = analyze(plan, history, Policy{}, targets);
  for (const Comparison& row : report.comparisons) {
    for (const std::optional<double>& number :
         {row.change, row.p_value, row.smallest_visible, row.look_alpha}) {
      EXPECT_TRUE(!number || std::isfinite(*number)) << row.workload << " " << row.metric.name;
    }
    if (row.interval) {
      EXPECT_TRUE(std::isfinite(row.interval->low) && std::isfinite(row.interval->high));
    }
  }
  for (const auto& [format, text] : every_format(plan, history, report)) {
    std::string found;
    EXPECT_FALSE(holds_no_number(text, found)) << format << ": ..." << found << "...";
  }
  return report;
}

std::optional<Verdict> verdict_of(const Report& report, const std::string& workload,
                                  const std::string& metric = "step_time") {
  for (const Comparison& row : report.comparisons) {
    if (row.workload == workload && row.metric.name == metric) {
      return row.verdict;
    }
  }
  return std::nullopt;
}

TEST_F(FewSamples, FindNumbersThatAreNotFinite) {
  std::string found;
  EXPECT_TRUE(holds_no_number("a: nan s", found));
  EXPECT_TRUE(holds_no_number("{\"x\":-inf}", found));
  EXPECT_FALSE(holds_no_number("inference nanoseconds info", found));
}

TEST_F(FewSamples, AreInconclusiveBelowTheFirstLook) {
  for (const int pairs : {0, 1, 2, 3, kFirstLook - 1}) {
    for (const auto& [base, head] : {std::pair(0.01, 0.01), std::pair(0.01, 1.0),
                                     std::pair(5e-324, 1e308), std::pair(1e308, 5e-324)}) {
      const Plan plan = plan_of({"w"});
      Measurements history;
      for (int pair = 0; pair < pairs; ++pair) {
        add_pair(history, "w", pair, base, head);
      }
      const Report report = reported(plan, history);
      EXPECT_EQ(verdict_of(report, "w"), Verdict::inconclusive) << pairs << " of " << base;
      EXPECT_EQ(report.summary.verdict, Verdict::inconclusive);
      EXPECT_EQ(report.nothing_ran, pairs == 0);
      EXPECT_TRUE(next(plan, history, Policy{})) << "more are wanted";
    }
  }
}

TEST_F(FewSamples, AreUnchangedWhereTheyAreEqual) {
  for (const double seconds : {5e-324, 1e-300, 0.01, 1e300}) {
    const Plan plan = plan_of({"w"});
    Measurements history;
    for (int pair = 0; pair < kFirstLook; ++pair) {
      add_pair(history, "w", pair, seconds, seconds);
    }
    const Report report = reported(plan, history);
    EXPECT_EQ(verdict_of(report, "w"), Verdict::unchanged) << seconds;
    EXPECT_EQ(verdict_of(report, "w", "peak_rss"), Verdict::unchanged);
    EXPECT_EQ(report.comparisons.back().change, 0.0);
    EXPECT_FALSE(next(plan, history, Policy{}));
  }
}

TEST_F(FewSamples, MayBeZero) {
  struct Case {
    double base, head;
    Better better;
    Verdict verdict;
    std::optional<double> change;
  };
  for (const Case& one : {Case{0, 0, Better::lower, Verdict::unchanged, 0.0},
                          Case{0, 1, Better::lower, Verdict::regressed, std::nullopt},
                          Case{1, 0, Better::lower, Verdict::improved, -1.0},
                          Case{0, 0, Better::higher, Verdict::unchanged, 0.0},
                          Case{0, 1, Better::higher, Verdict::improved, std::nullopt},
                          Case{1, 0, Better::higher, Verdict::regressed, -1.0}}) {
    const Plan plan = plan_of({"w"});
    Measurements history;
    for (int pair = 0; pair < 15; ++pair) {
      add_pair(history, "w", pair, 0.01, 0.01);
    }
    for (Invocation& invocation : history.invocations) {
      invocation.blocks[0].metrics = {{Metric{"x", "1", one.better},
                                       invocation.side == Side::base ? one.base : one.head, true}};
    }
    const Report report = reported(plan, history);
    EXPECT_EQ(verdict_of(report, "w", "x"), one.verdict) << one.base << " " << one.head;
    for (const Comparison& row : report.comparisons) {
      if (row.metric.name == "x") {
        EXPECT_EQ(row.change, one.change) << one.base << " " << one.head;
      }
    }
  }
}

TEST_F(FewSamples, GiveNoTargetOverZero) {
  struct Case {
    double of, over;
    bool measured;
  };
  for (const Case& one : {Case{0, 0, false}, Case{1, 0, false}, Case{0, 1, true},
                          Case{1e308, 5e-324, false}, Case{1, 2, true}}) {
    const Plan plan = plan_of({"v", "w"});
    Measurements history;
    for (int pair = 0; pair < 15; ++pair) {
      add_pair(history, "v", pair, 0.01, 0.01);
      add_pair(history, "w", pair, 0.01, 0.01);
    }
    for (Invocation& invocation : history.invocations) {
      invocation.blocks[0].metrics = {
          {Metric{"x", "1", Better::lower}, invocation.workload == "v" ? one.of : one.over, true}};
    }
    Target target;
    target.name = "ratio";
    target.metric = "x";
    target.of = "v";
    target.over = "w";
    target.at_most = 3;
    const Report report = reported(plan, history, {target});
    ASSERT_EQ(report.targets.size(), 1U);
    EXPECT_EQ(report.targets[0].value.has_value(), one.measured) << one.of << " / " << one.over;
    EXPECT_EQ(report.targets[0].met.has_value(), one.measured);
  }
}

TEST_F(FewSamples, AreNewMissingOrFailedOnOneSide) {
  Plan plan = plan_of({"added", "broken"}, true);
  plan.missing = {"gone"};
  Measurements history;
  for (const int attempt : {1, 2}) {
    Invocation head = invocation_of("added", Side::head, 0, {0.01});
    head.attempt = attempt;
    history.invocations.push_back(head);
    history.invocations.push_back(failed_invocation("added", Side::base, 0, attempt));
    history.invocations.push_back(failed_invocation("broken", Side::head, 0, attempt));
    Invocation base = invocation_of("broken", Side::base, 0, {0.01});
    base.attempt = attempt;
    history.invocations.push_back(base);
  }
  const Report report = reported(plan, history);
  EXPECT_EQ(verdict_of(report, "added"), Verdict::fresh);
  EXPECT_EQ(verdict_of(report, "gone"), Verdict::missing);
  EXPECT_EQ(verdict_of(report, "broken"), Verdict::failed);
  EXPECT_EQ(report.summary.verdict, Verdict::failed);
}

TEST_F(FewSamples, AreNewAtHeadAlone) {
  for (const int invocations : {1, 2, 12}) {
    const Plan plan = plan_of({"w"}, false);
    Measurements history;
    for (int i = 0; i < invocations; ++i) {
      Invocation alone = invocation_of("w", Side::head, i, {0.01});
      alone.paired = false;
      history.invocations.push_back(alone);
    }
    const Report report = reported(plan, history);
    EXPECT_EQ(verdict_of(report, "w"), Verdict::fresh) << invocations;
    EXPECT_EQ(report.judged, 0);
  }
}

TEST_F(FewSamples, AreJudgedAlikeByJudge) {
  for (const int pairs : {0, 1, 2, 4, 5, 11, 74}) {
    for (const double value : {0.0, 5e-324, 1.0, 1e308}) {
      JudgeCase one;
      one.name = "case";
      one.base.assign(static_cast<std::size_t>(pairs), {value});
      one.head = one.base;
      ++judged_cases;
      Report report;
      report.comparisons = judge({one}, Policy{}, false);
      report.head.kind = SideKind::files;
      EXPECT_EQ(report.comparisons.front().verdict,
                pairs < 5 ? Verdict::inconclusive : Verdict::unchanged)
          << pairs << " of " << value;
      std::string found;
      EXPECT_FALSE(holds_no_number(render_json(report), found)) << found;
      EXPECT_FALSE(holds_no_number(render_terminal(report, false), found)) << found;
    }
  }
}

TEST_F(FewSamples, HaveNoSteps) {
  for (const std::size_t length : {0U, 1U, 2U, 3U, 4U, 50U}) {
    for (const double value : {5e-324, 1.0, 1e308}) {
      for (const Scale scale : {Scale::log, Scale::linear}) {
        EXPECT_TRUE(find_steps(std::vector<double>(length, value), scale).empty())
            << length << " of " << value;
      }
    }
  }
  EXPECT_TRUE(find_steps(std::vector<double>(50, 0.0), Scale::linear).empty());
}

}  // namespace
}  // namespace perf

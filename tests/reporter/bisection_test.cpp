#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reporter/render.h"
#include "reporter/text/sentences.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

TEST(BisectionReport, ShowsTheFirstBadCommitFirst) {
  const std::string text = render_terminal(samples::found_commit(), false);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "First bad commit: 444444444444 Compute more (Ada, 2026-01-31)");
  EXPECT_TRUE(contains_all(text, {"+5.0 % [+4.6, +5.4] at BAD against GOOD (11 pairs)",
                                  "3 of 64 commits measured, 16 pairs",
                                  "skipped 666666666666: the build `make` ended"}));
  EXPECT_TRUE(contains(text, "Regressed: ")) << "the last comparison is shown: ";
  EXPECT_FALSE(contains(text, "Not certain"));
}

TEST(BisectionReport, ShowsEveryCommitMeasured) {
  const std::string text = render_terminal(samples::found_commit(), false);
  EXPECT_TRUE(contains(text, "333333333333  +0.1 % [-1.0, +1.2]      2  good"));
  EXPECT_TRUE(contains(text, "444444444444  +5.1 % [+4.0, +6.0]      3  bad"));
}

TEST(BisectionReport, ShowsDoubtsAboutTheAnswer) {
  const std::string text = render_terminal(samples::found_among_three(), false);
  EXPECT_TRUE(contains_all(
      text, {"First bad commit is one of 3, up to: 444444444444", "Not certain",
             "the probability is 80 %", "666666666666 Break the build (Ada, 2026-01-31)"}));
}

TEST(BisectionReport, NamesNoCommitThatIsNotConfirmed) {
  const std::string text = render_terminal(samples::unconfirmed_commit(), false);
  EXPECT_TRUE(contains(text, "No commit could be confirmed: the search led to 444444444444"));
  EXPECT_FALSE(contains(text, "First bad commit"));
  const auto json = nlohmann::json::parse(render_bisection_json(samples::unconfirmed_commit()));
  EXPECT_EQ(json.at("answer"), "unconfirmed");
  EXPECT_TRUE(json.at("first_bad").is_null());
  EXPECT_EQ(json.at("likeliest").at("oid"), std::string(40, '4'));
}

TEST(BisectionReport, BlamesNoOutsideCauseWithoutEvidence) {
  Bisection bisection = samples::unconfirmed_commit();
  bisection.answer = BisectionAnswer::same_program;
  for (const bool certain : {true, false}) {
    bisection.certain = certain;
    const std::string text = render_terminal(bisection, false);
    EXPECT_TRUE(contains(text, "No commit can be blamed: the search led to 444444444444"));
    EXPECT_EQ(contains(text, "the cause is outside the program"), certain) << text;
    EXPECT_EQ(contains(text, "several commits may have changed a little"), !certain) << text;
  }
  ASSERT_TRUE(bisection.comparison);  // pairs differ: the trace is wrong
  bisection.comparison->summary.verdict = Verdict::regressed;
  const std::string text = render_terminal(bisection, false);
  EXPECT_TRUE(contains(text, "trace alarm: its pairs differ"));
  EXPECT_FALSE(contains(text, "outside"));
}

TEST(BisectionReport, ShowsWhyNothingWasCompared) {
  const Bisection bisection = samples::uncompared_commit();
  const std::string text = render_terminal(bisection, false);
  EXPECT_TRUE(contains(text, "could not be compared with the last good commit"));
  EXPECT_FALSE(contains(text, "not shown to be worse"));
  const std::string reason =
      reporter::sentence(samples::build_failed().comparisons.front().warnings.front());
  EXPECT_TRUE(contains(text, reason.substr(0, 20)));
  EXPECT_EQ(nlohmann::json::parse(render_bisection_json(bisection)).at("answer"), "unmeasured");
}

TEST(BisectionReport, ReportsThatThereIsNothingToFind) {
  const std::string text = render_terminal(samples::nothing_to_find(), false);
  EXPECT_TRUE(contains(text, "No regression to search for: BAD is not worse than GOOD by 1 % or"));
  EXPECT_TRUE(nlohmann::json::parse(render_bisection_json(samples::nothing_to_find()))
                  .at("first_bad")
                  .is_null());
}

TEST(BisectionReport, ShowsHowToContinue) {
  const std::string text = render_terminal(samples::stopped_bisection(), false);
  EXPECT_TRUE(contains(text,
                       "Interrupted after 12.5 s of measuring; measurements are kept, and the same "
                       "command continues"));
  EXPECT_TRUE(contains(text, "likeliest so far (30 %): 444444444444"));
  const auto json = nlohmann::json::parse(render_bisection_json(samples::stopped_bisection()));
  EXPECT_EQ(json.at("answer"), "unfinished");
  EXPECT_TRUE(json.at("first_bad").is_null()) << "what is likeliest is no answer";
}

TEST(BisectionReport, HasTheEvidenceInJson) {
  const auto json = nlohmann::json::parse(render_bisection_json(samples::found_commit()));
  EXPECT_EQ(json.at("schema"), "perf-compare/bisect/1");
  EXPECT_EQ(json.at("first_bad").at("oid"), std::string(40, '4'));
  EXPECT_EQ(json.at("last_good").at("oid"), std::string(40, '3'));
  EXPECT_EQ(json.at("visited").size(), 3U);
  EXPECT_EQ(json.at("pairs"), 16);
  EXPECT_EQ(json.at("comparison").at("schema"), "perf-compare/report/2");
}

TEST(BisectionReport, ShowsHostileTextsAsText) {
  for (const std::string& text : samples::hostile_texts()) {
    const Bisection bisection = samples::poisoned_bisection(text);
    for (const std::string& output :
         {render_terminal(bisection, false), render_markdown(bisection)}) {
      EXPECT_FALSE(samples::is_obeyed(output)) << text;
    }
    EXPECT_FALSE(contains(render_markdown(bisection), "<script")) << text;
    EXPECT_NO_THROW(nlohmann::json::parse(render_bisection_json(bisection)));
  }
}

}  // namespace
}  // namespace perf

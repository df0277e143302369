#include "reporter/text/sentences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace perf {
namespace {

using reporter::sentence;

TEST(Sentences, ExistForEveryKindOfWarning) {
  for (const WarningKind kind : kWarningKinds) {
    const reporter::Wording* wording = reporter::find_wording(kind);
    ASSERT_NE(wording, nullptr) << to_string(kind) << " has no sentence";
    const std::string text(wording->text), topic(wording->topic);
    EXPECT_FALSE(text.empty()) << to_string(kind);
    for (const char* braces : {"{}", "[]"}) {
      EXPECT_EQ(std::count(text.begin(), text.end(), braces[0]),
                std::count(text.begin(), text.end(), braces[1]))
          << to_string(kind);
    }
    EXPECT_EQ(text.rfind(topic, 0), 0U) << to_string(kind) << " begins with its topic";
  }
}

TEST(Sentences, HaveFiguresAndNames) {
  EXPECT_EQ(sentence({WarningKind::too_few_given, {{"pairs", 1}, {"needed", 11}}}),
            "only 1 pair: a verdict needs 11");
  EXPECT_EQ(sentence({WarningKind::too_few_given, {{"pairs", 7}, {"needed", 11}}}),
            "only 7 pairs: a verdict needs 11");
  EXPECT_EQ(sentence({WarningKind::halves_disagree, {{"first", 0.02}, {"second", -0.124}}}),
            "halves disagree: +2 % in the first half of the session, -12 % in the second");
  EXPECT_EQ(sentence({WarningKind::count_varies, {{"base_spread", 0}, {"head_spread", 1e-5}}}),
            "the count varies between runs: by 0 % at base and 0.0010 % at head");
  EXPECT_EQ(
      sentence(
          {WarningKind::planted, {{"slowdown", 0.15}, {"stop_and_go", 1}}, {{"workload", "a"}}}),
      "planted in a at head: a slowdown of 15 %, by stopping and continuing it");
  EXPECT_EQ(
      sentence({WarningKind::planted, {{"allocation", 4096}, {"preload", 1}}, {{"workload", "a"}}}),
      "planted in a at head: an allocation of 4096 B, by a preloaded library");
  EXPECT_EQ(sentence({WarningKind::unlike_environments,
                      {},
                      {{"name", "threads"}, {"base", "1"}, {"head", "{base} [x]"}}}),
            "different environments: threads is 1 at base, {base} [x] at head")
      << "values are not patterns";
}

TEST(Sentences, ShowClocksInMegahertz) {
  const auto clocks = [](double base, double head) {
    const std::string text =
        sentence({WarningKind::clocks_differ, {{"base", base}, {"head", head}}});
    return text.substr(0, text.find(';'));
  };
  EXPECT_EQ(clocks(1.8304e9, 1.605e9), "clocks differ: 1,830 and 1,605 MHz");
  EXPECT_EQ(clocks(-1, 1e300), "clocks differ: ? and ? MHz");  // of a stranger's store
}

TEST(Sentences, OmitUnknownItems) {
  EXPECT_EQ(sentence({WarningKind::control_shift, {{"change", 0.05}}}),
            "control arm: base against itself changed by +5 %, more than chance explains");
  EXPECT_EQ(sentence({WarningKind::nothing_to_confirm}),
            "nothing to compare: every alert and suspect has a comparison");
  EXPECT_EQ(
      sentence({WarningKind::nothing_to_confirm, {}, {{"only_kept", "a, b"}}}),
      "nothing to compare: the remaining alerts and suspects cannot be measured again, because "
      "they were imported or are no longer in the config: a, b");
  EXPECT_EQ(sentence({WarningKind::control_shift}),
            "control arm: base against itself changed, more than chance explains");
  EXPECT_EQ(sentence({WarningKind::bimodal_pairs, {{"apart", 0.2}}, {{"side", "base"}}}),
            "two groups: the runs of base fall into two groups, 20 % apart");
  EXPECT_EQ(sentence({WarningKind::bimodal_pairs, {{"apart", 0.2}}}),
            "two groups: the changes of the pairs fall into two groups, 20 % apart");
  EXPECT_EQ(sentence({WarningKind::failed, {}, {{"side", "head"}, {"why", "timed out"}}}),
            "head failed: timed out");
  EXPECT_EQ(sentence({WarningKind::failed,
                      {},
                      {{"side", "head"}, {"why", "x"}, {"at_both", "x"}, {"alike", " alike"}}}),
            "fails on both sides alike: x");
  EXPECT_EQ(sentence({WarningKind::failed,
                      {},
                      {{"side", "head"}, {"why", "x"}, {"at_base", "y"}, {"alike", ""}}}),
            "fails on both sides: base: y; head: x");
  EXPECT_EQ(sentence({WarningKind::failed, {}, {{"why", "head does not build"}}}),
            "head does not build");
  EXPECT_EQ(sentence({WarningKind::noisy}), "noisy") << "without figures";
}

}  // namespace
}  // namespace perf

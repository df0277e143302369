#include "reporter/text/sentences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace perf {
namespace {

using reporter::sentence;

TEST(Sentences, every_kind_of_warning_has_one) {
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

TEST(Sentences, tell_figures_and_whom_they_are_about) {
  EXPECT_EQ(sentence({WarningKind::too_few_given, {{"pairs", 1}, {"needed", 11}}}),
            "only 1 pair: no verdict is possible before 11");
  EXPECT_EQ(sentence({WarningKind::too_few_given, {{"pairs", 7}, {"needed", 11}}}),
            "only 7 pairs: no verdict is possible before 11");
  EXPECT_EQ(sentence({WarningKind::halves_disagree, {{"first", 0.02}, {"second", -0.124}}}),
            "halves disagree: +2 % in the first half of the session, -12 % in the second");
  EXPECT_EQ(sentence({WarningKind::count_varies, {{"base_spread", 0}, {"head_spread", 1e-5}}}),
            "the count does not repeat: from run to run it differs by 0 % at base and 0.0010 % at "
            "head");
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
            "unlike environments: threads is 1 at base, {base} [x] at head")
      << "what others said is no pattern";
}

TEST(Sentences, leave_out_what_is_not_known) {
  EXPECT_EQ(sentence({WarningKind::control_shift, {{"change", 0.05}}}),
            "control arm: base against itself moved by +5 %, more than chance explains");
  EXPECT_EQ(sentence({WarningKind::nothing_to_confirm}),
            "nothing to compare: no alert or suspect is left without a comparison");
  EXPECT_EQ(sentence({WarningKind::nothing_to_confirm, {}, {{"only_kept", "a, b"}}}),
            "nothing to compare: what is left in doubt cannot be measured again, for it was "
            "imported or the config has it no longer: a, b");
  EXPECT_EQ(sentence({WarningKind::control_shift}),
            "control arm: base against itself moved, more than chance explains");
  EXPECT_EQ(sentence({WarningKind::bimodal_pairs, {{"apart", 0.2}}, {{"side", "base"}}}),
            "two groups: the runs of base fall into two groups, 20 % apart");
  EXPECT_EQ(sentence({WarningKind::bimodal_pairs, {{"apart", 0.2}}}),
            "two groups: the changes of the pairs fall into two groups, 20 % apart");
  EXPECT_EQ(sentence({WarningKind::failed, {}, {{"side", "head"}, {"why", "timed out"}}}),
            "head failed: timed out");
  EXPECT_EQ(sentence({WarningKind::failed, {}, {{"why", "head does not build"}}}),
            "head does not build");
  EXPECT_EQ(sentence({WarningKind::noisy}), "noisy") << "a sentence that has nothing to go by";
}

}  // namespace
}  // namespace perf

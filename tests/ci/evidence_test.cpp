// The table of ci/evidence, from reports that are already there; nothing is measured.

#include <gtest/gtest.h>

#include <fstream>

#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

class Evidence : public testing::Test {
 protected:
  /// One repetition's report: its step_time rows end as told, its memory unchanged.
  void report(const std::string& kind, int number, const std::vector<std::string>& verdicts) {
    std::string rows, worst = "unchanged";
    for (const std::string& verdict : verdicts) {
      rows += R"({"metric": "step_time", "judged": true, "verdict": ")" + verdict + "\"}, ";
      worst = verdict == "regressed" ? verdict : worst;
    }
    std::ofstream(folder_.path() / (kind + "-00" + std::to_string(number) + ".json"))
        << R"({"measured": 30, "summary": {"verdict": ")" << worst << R"("}, "comparisons": [)"
        << rows << R"({"metric": "peak_rss", "judged": true, "verdict": "unchanged"},
            {"metric": "gflops", "judged": false, "verdict": null}]})";
  }

  Outcome show(const std::string& repetitions) const {
    return run({PERF_SOURCE_DIR "/ci/evidence", "--show", "-n", repetitions, "--out",
                folder_.path().string()},
               folder_.path());
  }

  TemporaryFolder folder_;
};

TEST_F(Evidence, PassesIfEveryBoundIsMet) {
  report("aa", 1, {"unchanged", "unchanged"});
  report("planted", 1, {"regressed", "regressed"});
  const Outcome outcome = show("1");
  EXPECT_TRUE(ended(outcome, 0, {"| A/A | 1 | 3 | 0 | 3 (100.0 %) | - | 30 |"}));
  EXPECT_TRUE(
      contains(outcome.out, "| 1 | 3 | 0 | 1 (33.3 %) | 2 of 2 (100.0 %), gate failed in 1 |"));
}

TEST_F(Evidence, FailsOnAFalseVerdict) {
  report("aa", 1, {"unchanged", "improved"});
  report("planted", 1, {"regressed"});
  EXPECT_EQ(show("1").exit_code, 1);
}

TEST_F(Evidence, FailsIfTooLittleIsProvenUnchanged) {
  report("aa", 1, {"unchanged", "inconclusive"});
  report("planted", 1, {"regressed"});
  EXPECT_EQ(show("1").exit_code, 1);
}

TEST_F(Evidence, FailsIfASlowdownIsMissed) {
  report("aa", 1, {"unchanged"});
  report("planted", 1, {"regressed", "inconclusive"});
  EXPECT_EQ(show("1").exit_code, 1);
  report("planted", 1, std::vector<std::string>(30, "regressed"));
  EXPECT_EQ(show("1").exit_code, 0);
  std::vector<std::string> denied(30, "regressed");
  denied[7] = "unchanged";
  report("planted", 1, denied);
  EXPECT_EQ(show("1").exit_code, 1);
}

TEST_F(Evidence, ReportsThatItIsNotFinished) {
  report("aa", 1, {"unchanged"});
  report("planted", 1, {"regressed"});
  EXPECT_TRUE(ended(show("2"), 4, {"not all repetitions are done"}));
  EXPECT_EQ(run({PERF_SOURCE_DIR "/ci/evidence", "--slice", "soon"}, folder_.path()).exit_code, 2);
}

TEST_F(Evidence, RefusesAnInvalidReport) {
  std::ofstream(folder_.path() / "aa-001.json") << "{";
  EXPECT_EQ(show("1").exit_code, 3);
}

}  // namespace
}  // namespace perf::test

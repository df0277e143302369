// The glossary explains every verdict and state, and docs/warnings.md every warning.

#include <gtest/gtest.h>

#include "schema/alert.h"
#include "schema/files/content.h"
#include "schema/metric.h"
#include "schema/plan.h"
#include "schema/selftest.h"
#include "schema/trend.h"
#include "schema/verdict.h"
#include "schema/warning.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

/// Whether the first cell of a table row has the word.
bool explains(const std::string& page, const std::string& word) {
  for (std::size_t row = page.find("\n| "); row != std::string::npos;
       row = page.find("\n| ", row + 1)) {
    const std::string cell = page.substr(row + 3, page.find(" |", row + 3) - row - 3);
    for (std::size_t at = cell.find(word); at != std::string::npos; at = cell.find(word, at + 1)) {
      const auto letter = [&](std::size_t i) {
        return i < cell.size() && std::isalnum(static_cast<unsigned char>(cell[i])) != 0;
      };
      if ((at == 0 || !letter(at - 1)) && !letter(at + word.size())) {
        return true;
      }
    }
  }
  return false;
}

TEST(Glossary, ExplainsEveryVerdictAndStateOfAnAlert) {
  const std::string page = content_of(PERF_SOURCE_DIR "/docs/glossary.md");
  for (const Verdict verdict : kVerdicts) {
    EXPECT_TRUE(explains(page, std::string(to_string(verdict)))) << to_string(verdict);
  }
  for (const AlertNews news :
       {AlertNews::confirmed, AlertNews::refuted, AlertNews::recovered, AlertNews::withdrawn,
        AlertNews::acknowledged, AlertNews::ignored, AlertNews::fixed}) {
    EXPECT_TRUE(explains(page, std::string(to_string(news)))) << to_string(news);
  }
  for (const AlertKind kind : {AlertKind::step, AlertKind::slope, AlertKind::drift}) {
    EXPECT_TRUE(explains(page, std::string(to_string(kind)))) << to_string(kind);
  }
  EXPECT_TRUE(explains(page, std::string(to_string(AlertState::reopened))));
  for (const char* word :
       {"significant", "relevant", "pair", "baseline", "fingerprint", "policy"}) {
    EXPECT_TRUE(explains(page, word)) << word;
  }
  EXPECT_FALSE(explains(page, "frobnicated"));
}

TEST(Glossary, NamesTheMetricsPurposesAndStatesOfAGate) {
  const std::string page = content_of(PERF_SOURCE_DIR "/docs/glossary.md");
  for (const std::string& name : {kStepTime.name, kPeakRss.name, kInstructions.name}) {
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
  }
  for (const Purpose purpose : {Purpose::compare, Purpose::calibrate, Purpose::selftest,
                                Purpose::bisect, Purpose::collect, Purpose::ratchet}) {
    EXPECT_NE(page.find("`" + std::string(to_string(purpose)) + "`"), std::string::npos)
        << to_string(purpose);
  }
  for (const GateState state : {GateState::works, GateState::broken, GateState::unproven}) {
    EXPECT_NE(page.find("**" + std::string(to_string(state)) + "**"), std::string::npos)
        << to_string(state);
  }
}

TEST(Warnings, HaveARowInTheirPage) {
  const std::string page = content_of(PERF_SOURCE_DIR "/docs/warnings.md");
  for (const WarningKind kind : kWarningKinds) {
    const std::string code = "`" + std::string(to_string(kind)) + "`";
    EXPECT_TRUE(explains(page, code)) << code;
  }
  EXPECT_FALSE(explains(page, "`warning`"));
}

}  // namespace
}  // namespace perf::test

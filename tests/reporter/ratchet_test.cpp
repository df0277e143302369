#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reporter/render.h"
#include "tests/contains.h"

namespace perf {
namespace {

RatchetRun attempt(int number, AttemptOutcome outcome, const std::string& reason) {
  RatchetRun run;
  run.run_id = "run-" + std::to_string(number);
  run.name = "best";
  run.number = number;
  run.alpha = 0.01;
  run.goal = {"step_time", 0.01, "ci", {}};
  run.best.oid = std::string(40, '1');
  run.best.subject = "Begin";
  run.head.oid = std::string(40, '2');
  run.head.subject = "Try `it`";
  run.end = RatchetEnd{.outcome = outcome,
                       .at = "2026-01-31T12:00:00Z",
                       .reason = reason,
                       .gains = {std::log(1.03), std::log(1.03)},
                       .estimate = std::log(1.03),
                       .evidence = 412};
  run.end->guarded = {{"parser", "peak_rss", {0.0, std::log(0.98)}, -0.01, 0.1, true}};
  return run;
}

RatchetAnswer answer(AttemptOutcome outcome, const std::string& reason = {}) {
  RatchetAnswer said;
  said.run = attempt(12, outcome, reason);
  said.level = 0.01 / 2.612 / 41.57;
  said.measured = 12;
  return said;
}

RatchetLog log() {
  RatchetLog log;
  log.name = "best";
  log.best = {"best", std::string(40, '2'), "ratchet: attempt 1", "2026-01-31T12:00:00Z"};
  log.runs = {attempt(1, AttemptOutcome::accepted, ""),
              attempt(2, AttemptOutcome::worse, "peak_rss of parser looks worse"),
              attempt(3, AttemptOutcome::accepted, "")};
  log.runs[0].head.oid = log.runs[2].best.oid = std::string(40, '3');
  RatchetRun killed = attempt(4, AttemptOutcome::stopped, "");
  killed.end.reset();
  log.runs.push_back(killed);
  return log;
}

RatchetRun whole_gain() {
  RatchetRun gain = attempt(1, AttemptOutcome::measured, "");
  gain.is_attempt = false;
  gain.end->interval = Interval{std::log(1.02), std::log(1.04)};
  return gain;
}

std::string page(const RatchetAnswer& said) {
  return render_terminal(said, false);
}

TEST(RatchetReport, SaysWhatBecameOfAnAttempt) {
  const std::string accepted = page(answer(AttemptOutcome::accepted));
  EXPECT_TRUE(contains_all(accepted, {"Accepted: 222222222222 Try `it` is the new best",
                                      "step_time +3.0 % against 111111111111 Begin, 2 pairs",
                                      "peak_rss", "proven by the range of its pairs"}));
  EXPECT_TRUE(contains(page(answer(AttemptOutcome::refused)),
                       "Not accepted: the estimated gain is below 1 % (+3.0 %, 2 pairs)"));
  EXPECT_TRUE(
      contains(page(answer(AttemptOutcome::not_proven, "the gain is not proven")),
               "Not accepted: the gain is not proven by 2 pairs; the same command continues"));
  EXPECT_TRUE(contains(page(answer(AttemptOutcome::stopped, "interrupted")),
                       "Not accepted: interrupted after 2 pairs; the same command continues"));
  EXPECT_TRUE(contains(page(answer(AttemptOutcome::failed, "head: exit status 7")),
                       "Not measured: head: exit status 7"));
  EXPECT_TRUE(
      contains(page(answer(AttemptOutcome::proven)), "Proven, but not accepted (--dry-run)"));
}

TEST(RatchetReport, ShowsTheWholeGain) {
  RatchetAnswer fifth = answer(AttemptOutcome::accepted);
  fifth.gain = whole_gain();
  EXPECT_TRUE(contains(page(fifth),
                       "The whole gain, measured anew: step_time +3.0 % [+2.0, +4.0] (2 pairs"));
  fifth.gain->end->interval.reset();
  fifth.gain->end->reason = "interrupted";
  EXPECT_TRUE(contains(page(fifth), "The whole gain was not measured: interrupted"));
}

TEST(RatchetReport, ListsAllAttempts) {
  RatchetLog shown = log();
  std::string text = render_terminal(shown, false);
  EXPECT_TRUE(contains_all(
      text, {"best is 222222222222: 2 of 4 attempts accepted",
             "perf-compare ratchet best --log --measure",
             "sum of the estimates of its accepted attempts: step_time +6.1 %",
             "worse: peak_rss of parser looks worse", "unfinished: still measuring, or killed"}));
  shown.runs.push_back(whole_gain());
  text = render_terminal(shown, false);
  EXPECT_TRUE(contains(text, "The whole gain, measured anew: step_time +3.0 % [+2.0, +4.0]"));
}

TEST(RatchetReport, HasGainsThatAreRelative) {
  const auto json = nlohmann::json::parse(render_ratchet_json(answer(AttemptOutcome::accepted)));
  EXPECT_NEAR(json["gain"], 0.03, 1e-12);
  EXPECT_NEAR(json["pair_gains"][1], 0.03, 1e-12);
  EXPECT_NEAR(json["guarded"][0]["gains"][1], -0.02, 1e-12);
  EXPECT_EQ(json["goal"]["at_least"], 0.01);
  EXPECT_TRUE(json["whole_gain"].is_null());
  RatchetLog shown = log();
  shown.runs.push_back(whole_gain());
  const auto listed = nlohmann::json::parse(render_ratchet_log_json(shown));
  EXPECT_EQ(listed["attempts"].size(), 4U);
  EXPECT_TRUE(listed["attempts"][3]["outcome"].is_null());
  EXPECT_NEAR(listed["claimed"], 1.03 * 1.03 - 1, 1e-12);
  EXPECT_NEAR(listed["whole_gains"][0]["interval"][1], 0.04, 1e-12);
}

}  // namespace
}  // namespace perf

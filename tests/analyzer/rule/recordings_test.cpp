// The rule replayed on pairs that were really measured: recordings/*.json, made by
// recordings/record. Of identical code nothing may be called changed, of code that was made slower
// nothing unchanged; on the quiet ones it must be found, too.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/rule/look_schedule.h"
#include "schema/formats/json.h"

namespace perf {
namespace {

struct RecordedSeries {
  std::string name;  ///< "workload metric"
  bool of_time = false;
  std::vector<double> differences;  ///< ln(second/first) by pair
};

struct Recording {
  std::string file;
  double planted = 0;
  bool quiet = false;  ///< made on a machine that did nothing else
  std::vector<RecordedSeries> series;
};

const formats::JsonValue& member(const formats::JsonObject& object, const char* name) {
  return formats::find_member(object, name)->value;
}

Recording read_recording(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const formats::JsonValue json = formats::read_json(text);
  const formats::JsonObject& all = formats::as_object(json, "recording");
  Recording recording;
  recording.file = file.stem().string();
  recording.planted = formats::as_number(member(all, "planted"), "planted");
  recording.quiet = recording.file.rfind("quiet", 0) == 0;
  for (const formats::JsonValue& value : formats::as_array(member(all, "series"), "series")) {
    const formats::JsonObject& one = formats::as_object(value, "series");
    RecordedSeries series;
    const std::string& metric = formats::as_text(member(one, "metric"), "metric");
    series.name = formats::as_text(member(one, "workload"), "workload") + " " + metric;
    series.of_time = metric == "step_time";
    for (const formats::JsonValue& change :
         formats::as_array(member(one, "pair_changes"), "pair_changes")) {
      series.differences.push_back(std::log1p(formats::as_number(change, "change")));
    }
    recording.series.push_back(std::move(series));
  }
  return recording;
}

std::vector<Recording> recordings() {
  std::vector<Recording> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(PERF_SOURCE_DIR "/tests/analyzer/recordings")) {
    if (entry.path().extension() == ".json") {
      all.push_back(read_recording(entry.path()));
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Recording& a, const Recording& b) { return a.file < b.file; });
  return all;
}

/// The verdict as a report of all the recording's series would give it, with the pairs in the order
/// measured but begun at pair `start`: as many different runs as there are pairs. `added`: ln of
/// what the second side was made longer by afterwards.
Verdict verdict_of(const Recording& recording, const RecordedSeries& series, double threshold,
                   std::size_t start = 0, double added = 0) {
  const Policy policy;
  const int judged = static_cast<int>(recording.series.size());
  Rule rule;
  rule.bounds = bounds_for(threshold, policy);
  rule.look_alpha = look_alpha(policy, judged);
  rule.most_looks = policy.looks;
  rule.looks = look_schedule(policy, judged);
  std::vector<double> differences = series.differences;
  std::rotate(differences.begin(), differences.begin() + static_cast<std::ptrdiff_t>(start),
              differences.end());
  for (double& difference : differences) {
    difference += added;
  }
  return decide(differences, rule, true).verdict;
}

bool is_alarm(Verdict verdict) {
  return verdict == Verdict::regressed || verdict == Verdict::improved;
}

TEST(Recordings, Exist) {
  const std::vector<Recording> all = recordings();
  for (const bool quiet : {false, true}) {
    for (const bool planted : {false, true}) {
      EXPECT_TRUE(std::any_of(
          all.begin(), all.end(),
          [&](const Recording& one) { return one.quiet == quiet && (one.planted > 0) == planted; }))
          << (quiet ? "quiet" : "busy") << (planted ? ", made slower" : ", identical");
    }
  }
  for (const Recording& recording : all) {
    EXPECT_GE(recording.series.size(), 8U) << recording.file;
    for (const RecordedSeries& series : recording.series) {
      EXPECT_GE(series.differences.size(), 24U) << recording.file << ": " << series.name;
    }
  }
}

TEST(Recordings, CallNothingIdenticalChanged) {
  for (const Recording& recording : recordings()) {
    for (const RecordedSeries& series : recording.series) {
      if (recording.planted > 0 && series.of_time) {
        continue;
      }
      for (const double threshold : {0.02, 0.05, 0.10}) {
        for (std::size_t start = 0; start < series.differences.size(); ++start) {
          EXPECT_FALSE(is_alarm(verdict_of(recording, series, threshold, start)))
              << recording.file << ": " << series.name << " at " << threshold << " from " << start;
        }
      }
    }
  }
}

TEST(Recordings, ProveMemoryUnchanged) {
  for (const Recording& recording : recordings()) {
    for (const RecordedSeries& series : recording.series) {
      if (!series.of_time) {
        EXPECT_EQ(verdict_of(recording, series, 0.10), Verdict::unchanged)
            << recording.file << ": " << series.name;
      }
    }
  }
}

// A slowdown added to what was measured: 1.5 thresholds must never be denied, half of one never be
// called a regression.
TEST(Recordings, NeverDenyAnAddedSlowdown) {
  for (const Recording& recording : recordings()) {
    for (const RecordedSeries& series : recording.series) {
      if (recording.planted > 0) {
        continue;
      }
      for (const double threshold : {0.05, 0.10}) {
        for (std::size_t start = 0; start < series.differences.size(); ++start) {
          const Verdict large =
              verdict_of(recording, series, threshold, start, std::log1p(1.5 * threshold));
          EXPECT_TRUE(large == Verdict::regressed || large == Verdict::inconclusive)
              << recording.file << ": " << series.name;
          EXPECT_FALSE(is_alarm(
              verdict_of(recording, series, threshold, start, std::log1p(0.5 * threshold))))
              << recording.file << ": " << series.name;
        }
      }
    }
  }
}

// Head's steps really were 8 % longer, and the threshold is 5 %.
TEST(Recordings, NeverDenyARealSlowdown) {
  for (const Recording& recording : recordings()) {
    for (const RecordedSeries& series : recording.series) {
      if (recording.planted <= 0 || !series.of_time) {
        continue;
      }
      for (std::size_t start = 0; start < series.differences.size(); ++start) {
        const Verdict verdict = verdict_of(recording, series, 0.05, start);
        EXPECT_TRUE(verdict == Verdict::regressed || verdict == Verdict::inconclusive)
            << recording.file << ": " << series.name;
        EXPECT_TRUE(!recording.quiet || verdict == Verdict::regressed)
            << recording.file << ": " << series.name << " from " << start;
      }
    }
  }
}

// On a machine that does nothing else, no change is proven and 1.5 thresholds are found.
TEST(Recordings, DecideOnAQuietMachine) {
  for (const Recording& recording : recordings()) {
    if (!recording.quiet || recording.planted > 0) {
      continue;
    }
    for (const RecordedSeries& series : recording.series) {
      EXPECT_EQ(verdict_of(recording, series, 0.10), Verdict::unchanged)
          << recording.file << ": " << series.name;
      EXPECT_EQ(verdict_of(recording, series, 0.10, 0, std::log1p(0.15)), Verdict::regressed)
          << recording.file << ": " << series.name;
    }
  }
}

}  // namespace
}  // namespace perf

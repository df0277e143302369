// The workload sets the wall clock with libfaketime while perf-compare runs. Measurements and
// verdicts must not change.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"
#include "tests/faults/effort.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// From the Debian package faketime, in the folder of the processor's architecture.
fs::path faketime_library() {
  for (const fs::directory_entry& folder : fs::directory_iterator("/usr/lib")) {
    const fs::path library = folder.path() / "faketime" / "libfaketime.so.1";
    if (fs::exists(library)) {
      return library;
    }
  }
  ADD_FAILURE() << "the package faketime is not installed";
  return {};
}

/// Claims the step time in the file `work`, after setting the clock to the next line of `jumps`.
/// The new time is renamed into place, so that it is never half written, and the old one again, so
/// that both sides write it.
const std::string kJumpingBenchmark = R"sh(#!/bin/sh
turn=$(($(cat "$CLOCK_FOLDER/turn") + 1))
echo "$turn" > "$CLOCK_FOLDER/turn"
jump=$(sed -n "$((turn % 7 + 1))p" "$CLOCK_FOLDER/jumps")
[ -z "$jump" ] || echo "$jump" >> "$CLOCK_FOLDER/jumped"
echo "${jump:-$(cat "$CLOCK_FOLDER/now")}" > "$CLOCK_FOLDER/now.$turn"
mv "$CLOCK_FOLDER/now.$turn" "$CLOCK_FOLDER/now"
if [ "$(cat work)" = hangs ]; then exec sleep 600; fi
exec awk -v work="$(cat work)" -v steps="$PERF_COMPARE_STEPS" 'BEGIN {
  print "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"claimed\",\"params\":{}}"
  for (i = 0; i < steps + 1; i++)
    printf "{\"type\":\"step\",\"index\":%d,\"warmup\":%s,\"seconds\":%.9f}\n", i, i == 0 ? "true" : "false", work / 1000 * (1 + 0.001 * (i % 3))
  print "{\"type\":\"end\"}"
}' > "$PERF_COMPARE_OUT"
)sh";

std::string config(const std::string& timeout) {
  return R"({"workloads": [{"name": "claimed", "command": ["./bench"], "timeout": ")" + timeout +
         "\"}]}";
}

/// Times to set, relative to the true time: a day back, ten years ahead, right, before 1970, after
/// 2038.
const std::vector<std::string> kJumps = {"-1d", "+3653d", "", "+0", "-21915d", "+10957d", ""};

/// A history that takes 30 % longer from the fourth commit on, and a clock beside it.
struct ClockedMachine : ScratchRepository {
  explicit ClockedMachine(const std::vector<std::string>& jumps) {
    write("bench", kJumpingBenchmark, true);
    write("perf-compare.json", config("5m"));
    for (const char* work : {"100", "101", "100", "130", "131", "130"}) {
      write("work", work);
      commit(std::string("Take ") + work + " ms");
    }
    put("turn", "0\n");
    put("now", "+0\n");
    std::string lines;
    for (const std::string& jump : jumps) {
      lines += jump + "\n";
    }
    put("jumps", lines);
  }

  fs::path clock(const std::string& name) const { return clock_.path() / name; }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(clock(name)) << text;
  }
  int jumped() const {
    if (!fs::exists(clock("jumped"))) {
      return 0;
    }
    const std::string lines = content_of(clock("jumped"));
    return static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
  }

  /// Only the wall clock is set: the monotonic clock and the times of files stay true.
  Outcome perf(const std::vector<std::string>& arguments) const {
    return perf_compare(arguments, {{"LD_PRELOAD", faketime_library().string()},
                                    {"FAKETIME_TIMESTAMP_FILE", clock("now").string()},
                                    {"FAKETIME_NO_CACHE", "1"},
                                    {"FAKETIME_DONT_FAKE_MONOTONIC", "1"},
                                    {"FAKETIME_DISABLE_SHM", "1"},
                                    {"NO_FAKE_STAT", "1"},
                                    {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                                    {"CLOCK_FOLDER", clock_.path().string()}});
  }

 private:
  TemporaryFolder clock_;
};

/// Warnings that depend on other load of the machine, or contain a run and its day.
bool is_of_the_moment(const Json& warning) {
  const std::string kind = warning.value("kind", "");
  return kind == "machine_pressure" || kind == "steal" || kind == "stored";
}

/// Removes such warnings from both lists of an object.
void strip_warnings(Json& json) {
  if (!json.contains("warning_details")) {
    return;
  }
  Json details = Json::array(), texts = Json::array();
  for (const Json& warning : json["warning_details"]) {
    if (is_of_the_moment(warning)) {
      continue;
    }
    details.push_back(warning);
    texts.push_back(warning.at("text"));
  }
  EXPECT_EQ(json.at("warnings").size(), json["warning_details"].size()) << json;
  json["warning_details"] = std::move(details);
  json["warnings"] = std::move(texts);
}

/// Removes what differs between two equal runs; durations must be numbers.
void strip(Json& json, const std::string& name = {}) {
  if (json.is_object()) {
    strip_warnings(json);
    for (const char* key :
         {"id", "run", "seed", "generated_at", "started_at", "reproduce", "peak_rss", "store"}) {
      json.erase(key);
    }
    if (name == "facts") {
      for (const char* fact : {"load_average", "memory_available"}) {
        json.erase(fact);
      }
    }
    for (auto& [key, value] : json.items()) {
      strip(value, key);
    }
  } else if (json.is_array()) {
    for (Json& value : json) {
      strip(value, name);
    }
  } else if (json.is_number() && (name == "measured" || name == "seconds")) {
    EXPECT_GE(json.get<double>(), 0) << name;
    EXPECT_LT(json.get<double>(), 1000) << name;
    json = "a duration";
  } else if (json.is_string() && name == "host") {  // each has a cache of its own
    json = "a host";
  } else if (json.is_string() && (name == "measured_because" || name == "because")) {
    json = "a reason";  // a jump gives files other dates, which is one
  }
}

struct Told {
  std::string command;
  int exit_code = -1;
  std::string text;
};

/// The output of a day of work.
std::vector<Told> a_day(const ClockedMachine& machine) {
  const std::vector<std::vector<std::string>> commands = {
      {"HEAD~3", "HEAD", "--metric", "step_time", "--pairs", "12", "--seed", "1", "--json", "-"},
      {"collect", "HEAD~5..HEAD", "--json", "-"},
      {"trend", "--metric", "step_time", "--json", "-"},
      {"bisect", "HEAD~5", "HEAD", "-w", "claimed", "--seed", "1", "--json", "-"},
      {"judge", "HEAD~3", "HEAD", "--metric", "step_time", "--json", "-"},
      {"list", "--json", "-"}};
  std::vector<Told> told;
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = machine.perf(command);
    Told& one = told.emplace_back();
    one.command = command[0];
    one.exit_code = outcome.exit_code;
    Json json = Json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << command[0] << outcome.out << outcome.err;
    strip(json);
    one.text = json.dump(1);
  }
  return told;
}

TEST(Clock, JumpsWithoutEffect) {
  const ClockedMachine jumping(kJumps), steady({});
  for (int day = 0; day < tries(1, 10); ++day) {
    const std::vector<Told> expected = a_day(steady), told = a_day(jumping);
    for (std::size_t i = 0; i < told.size(); ++i) {
      EXPECT_EQ(told[i].exit_code, expected[i].exit_code) << told[i].command;
      EXPECT_EQ(told[i].text, expected[i].text) << told[i].command;
    }
  }
  EXPECT_GE(jumping.jumped(), 30);
  EXPECT_EQ(steady.jumped(), 0);
  figure("clock", std::to_string(jumping.jumped()) + " jumps in mid-run; only dates differ");
}

// With a clock ten years ahead every step is old and would be deleted.
TEST(Clock, PrunesNothingWhereItIsAhead) {
  const ClockedMachine machine({});
  ASSERT_EQ(machine.perf({"collect", "HEAD~2..HEAD"}).exit_code, 0);
  for (const std::string jump : {"-1d", "+0", "-21915d"}) {
    machine.put("now", jump + "\n");
    const Outcome pruned = machine.perf({"prune", "--keep-steps", "2d"});
    EXPECT_EQ(pruned.exit_code, 0) << jump << pruned.err;
    EXPECT_EQ(pruned.out.rfind("removed 0 raw steps", 0), 0U) << jump << pruned.out;
  }
  for (const std::string jump : {"+3653d", "+10957d"}) {
    machine.put("now", jump + "\n");
    const Outcome pruned = machine.perf({"prune", "--keep-steps", "2d"});
    EXPECT_EQ(pruned.exit_code, 3) << jump << pruned.out;
    EXPECT_TRUE(contains(pruned.err, "by this machine's clock"));
  }
}

// A timeout does not depend on the date.
TEST(Clock, KeepsTimeoutsWhereItIsSetBack) {
  ClockedMachine machine({"-1d", "-1d", "-1d", "-1d", "-1d", "-1d", "-1d"});
  machine.write("perf-compare.json", config("2s"));
  machine.write("work", "hangs");
  machine.commit("Hang");
  EXPECT_TRUE(ended(machine.perf({"collect", "HEAD", "--json", "-"}), 3, {"timeout"}));
  EXPECT_GE(machine.jumped(), 1);
}

// The order of commits is that of their parents, whatever their dates.
TEST(Clock, OfACommitterHasNoEffect) {
  ClockedMachine machine({});
  const std::vector<std::string> dates = {"@4102444800 +0000", "@0 +0000", "@2147483648 +0000",
                                          "@2085978496 +0000", "@1 +0000", "@253402300799 +0000"};
  for (const std::string& date : dates) {
    machine.write("work", date == dates[0] || date == dates[1] ? "130" : "160");
    machine.git({"add", "-A"});
    const Outcome made =
        run({"git", "commit", "-q", "--allow-empty", "-m", "At " + date}, machine.path(),
            {{"GIT_AUTHOR_DATE", date}, {"GIT_COMMITTER_DATE", date}});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  const Json report = json_of(
      machine.perf({"HEAD~4", "HEAD", "--metric", "step_time", "--pairs", "12", "--json", "-"}), 1);
  EXPECT_EQ(report.at("base").at("committed_at"), "1970-01-01T00:00:00Z");
  EXPECT_EQ(report.at("head").at("committed_at"), "9999-12-31T23:59:59Z");
  ASSERT_EQ(machine.perf({"collect", "HEAD~8..HEAD"}).exit_code, 0);
  const Json trend =
      Json::parse(machine.perf({"trend", "--metric", "step_time", "--json", "-"}).out);
  std::vector<std::string> subjects;
  for (const Json& commit : trend.at("commits")) {
    subjects.push_back(commit.at("subject"));
  }
  ASSERT_GE(subjects.size(), dates.size());
  for (std::size_t i = 0; i < dates.size(); ++i) {
    EXPECT_EQ(subjects[subjects.size() - dates.size() + i], "At " + dates[i]);
  }
  EXPECT_EQ(machine.perf({"list"}).exit_code, 0);
  EXPECT_EQ(machine.perf({"show", "HEAD"}).exit_code, 0);
  EXPECT_EQ(machine.perf({"trend", "--html", "-", "--metric", "step_time"}).exit_code, 0);
}

}  // namespace
}  // namespace perf::test

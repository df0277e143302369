#include "schema/formats/foreign.h"
#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_perf_stat;

namespace {

// What perf 6.1 wrote twice under
//   perf stat -j -o FILE --append -e task-clock,page-faults,duration_time,cycles true
std::string two_runs() {
  std::string text;
  for (const char* run : {"4.822627 48 11984385", "5.822627 49 12984385"}) {
    const std::string_view values(run);
    const std::string clock(values.substr(0, 8)), faults(values.substr(9, 2)),
        time(values.substr(12));
    text += "# started on Wed Nov 25 08:09:35 2026\n\n{\"counter-value\" : \"" + clock +
            "\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : 4822627, "
            "\"pcnt-running\" : 100.00, \"metric-value\" : 0.402409, \"metric-unit\" : \"CPUs "
            "utilized\"}\n{\"counter-value\" : \"" +
            faults +
            ".000000\", \"unit\" : \"\", \"event\" : \"page-faults\", \"event-runtime\" : 4822627, "
            "\"pcnt-running\" : 100.00}\n{\"counter-value\" : \"" +
            time +
            ".000000\", \"unit\" : \"ns\", \"event\" : \"duration_time\"}\n"
            "{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : \"cycles\"}\n";
  }
  return text;
}

TEST(PerfStat, ReadsAValuePerAppendedRun) {
  ASSERT_EQ(format_of(two_runs()).name, "perf stat");
  const SampleSet set = read_samples(two_runs(), "new.json");
  EXPECT_EQ(set.source, "new.json");
  ASSERT_EQ(set.series.size(), 3u) << "cycles were not counted";
  const SampleSeries& time = series_in(set, "perf stat");
  EXPECT_EQ(time.metric, kStepTime);
  ASSERT_EQ(time.values.size(), 2u);
  EXPECT_DOUBLE_EQ(time.values[0], 0.011984385);
  const SampleSeries& clock = series_in(set, "perf stat", "task-clock");
  EXPECT_EQ(clock.metric.unit, "s");
  EXPECT_TRUE(clock.judge);
  EXPECT_DOUBLE_EQ(clock.values[1], 0.005822627);
  const SampleSeries& faults = series_in(set, "perf stat", "page-faults");
  EXPECT_EQ(faults.values, (std::vector<double>{48, 49}));
  EXPECT_EQ(faults.metric.unit, "1");
  EXPECT_FALSE(faults.judge);
}

TEST(PerfStat, JudgesCyclesUnderAllTheirNames) {
  for (const char* event : {"cycles", "cycles:u", "cpu_core/cycles/u", "instructions:u"}) {
    const std::string text = std::string("{\"counter-value\" : \"5.0\", \"unit\" : \"\", ") +
                             "\"event\" : \"" + event + "\"}\n";
    EXPECT_TRUE(series_in(samples_of(read_perf_stat, text), "perf stat", event).judge) << event;
  }
}

TEST(PerfStat, RefusesCountersOfPartsOfARun) {
  const auto refused = [](const std::string& text) {
    return refusal_of([&] { read_perf_stat(text, "f"); });
  };
  const std::string counter = "\"counter-value\" : \"5\", \"unit\" : \"\", \"event\" : \"x\"}\n";
  EXPECT_EQ(refused("{\"interval\" : 1.0, " + counter).what,
            "counters of one interval, not of a whole run");
  EXPECT_NE(refused("{\"cpu\" : \"0\", " + counter).hint.find("-A"), std::string::npos);
  EXPECT_EQ(refused("{\"counter-value\" : \"<not counted>\", \"event\" : \"x\"}\n").what,
            "no benchmark result");
  EXPECT_EQ(refused("\n{\"counter-value\" : \"many\", \"event\" : \"x\"}\n").subject, "f:2:1");
  EXPECT_EQ(refused("{\"counter-value\" : \"5\", \"event\" : \"x\"").subject.substr(0, 4), "f:1:");
}

}  // namespace
}  // namespace perf::formats

#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_catch2;

namespace {

SampleSet catch_set(const std::string& elements) {
  return samples_of(read_catch2, "<Catch2TestRun>" + elements + "</Catch2TestRun>");
}

std::string benchmark(const std::string& name, const std::string& mean) {
  return "<BenchmarkResults name='" + name + "'><mean value='" + mean + "'/></BenchmarkResults>";
}

// files/catch2.xml was written by Catch2 3.7.1.
TEST(Catch2, ReadsMeans) {
  const SampleSet set = samples_of(read_catch2, fixture_file("catch2.xml"));
  EXPECT_EQ(series_in(set, "sorting/short/sort").metric, kStepTime);
  EXPECT_EQ(series_in(set, "sorting/short/sort").values.size(), 1u);
  EXPECT_NE(series_in(set, "sorting/long/sort").values,
            series_in(set, "sorting/short/sort").values);
  EXPECT_EQ(series_in(set, "sorting/sort 2000 & <copy>").values.size(), 2u)
      << "it ran before each section";
  ASSERT_EQ(set.failures.size(), 1u);
  EXPECT_EQ(set.failures.begin()->first.name, "failing/throws");
  EXPECT_EQ(set.failures.begin()->second, "no file");
}

TEST(Catch2, ReadsVersion2) {
  const SampleSet set =
      samples_of(read_catch2,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Catch name='x'><Group name='x'>"
                 "<TestCase name='t'>" +
                     benchmark("b", "1.5e+04") + "</TestCase></Group></Catch>");
  EXPECT_DOUBLE_EQ(series_in(set, "t/b").values.at(0), 15e-6);
}

TEST(Catch2, RefusesEqualNamesOfOneSection) {
  const SampleSet set = catch_set(
      "<TestCase name='t'>" + benchmark("a", "1") + benchmark("b", "1") + benchmark("b", "9") +
      "</TestCase><TestCase name='u'>" + benchmark("b", "1") + "</TestCase>");
  ASSERT_EQ(set.series.size(), 2u);
  EXPECT_EQ(set.series[0].name, "t/a");
  EXPECT_EQ(set.series[1].name, "u/b");
}

TEST(Catch2, LosesWhatAFailedTestCaseDidNotReach) {
  const auto lost = [](const std::string& elements, const std::string& success = "false") {
    const std::string failing = "<TestCase name='t'>" + benchmark("a", "1") + elements +
                                "<OverallResult success='" + success + "'/></TestCase>";
    std::string all;
    for (const LostBenchmarks& one :
         catch_set(failing + "<TestCase name='u'>" + benchmark("b", "1") + "</TestCase>").lost) {
      all += one.within + ": " + one.why + "\n";
    }
    return all;
  };
  EXPECT_EQ(lost("<Exception>\n  no file\n  x\n</Exception>"), "t/: no file\n");
  EXPECT_EQ(lost("<Section name='s'><Failure>no</Failure></Section>"), "t/: no\n");
  EXPECT_EQ(lost("<FatalErrorCondition>SIGSEGV</FatalErrorCondition>"), "t/: SIGSEGV\n: SIGSEGV\n")
      << "it ended the program";
  EXPECT_EQ(lost("<Expression success='false'><Original>x</Original></Expression>"),
            "t/: a check failed\n");
  EXPECT_EQ(lost(""), "t/: failed\n");
  EXPECT_EQ(lost("<Exception>expected</Exception>", "true"), "");
  EXPECT_EQ(refusal_of([] { read_catch2("<Catch><TestCase>", "c.xml"); }).what,
            "the file is cut short");
}

TEST(Catch2, FailsBenchmarksAndNotTheFile) {
  const std::string good = benchmark("good", "5");
  for (const std::string bad :
       {"<BenchmarkResults name='bad'/>",
        "<BenchmarkResults name='bad'><mean value='3'/><failed message='m'/></BenchmarkResults>",
        "<BenchmarkResults name='bad'><mean value='0'/></BenchmarkResults>",
        "<BenchmarkResults name='bad'><mean value='nan'/></BenchmarkResults>"}) {
    const SampleSet set = samples_of("catch2", "<Catch2TestRun><TestCase name='t'>" + good + bad +
                                                   "</TestCase></Catch2TestRun>");
    ASSERT_EQ(set.series.size(), 1u) << bad;
    EXPECT_EQ(set.failures.size(), 1u) << bad;
  }
}

TEST(Catch2, RefusesOtherTextWithThePlace) {
  std::string deep;
  for (int i = 0; i < 64; ++i) {
    deep += "<Section name='s'>";
  }
  expect_refused(read_catch2, "c.xml:",
                 {{"", "invalid XML"},
                  {"<testsuites/>", "not a report of Catch2"},
                  {"<Catch2TestRun>\n<TestCase>", "the file is cut short"},
                  {"<Catch2TestRun>\xff</Catch2TestRun>", "invalid XML"},
                  {"<!DOCTYPE Catch [<!ENTITY a 'b'>]>\n<Catch>&a;</Catch>", "a document type"},
                  {"<Catch2TestRun>" + deep, "more than 64 levels"},
                  {"<Catch><BenchmarkResults name='b'>\n<mean/></BenchmarkResults></Catch>",
                   "a mean without a number"}});
}

}  // namespace
}  // namespace perf::formats

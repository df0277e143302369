#include <gtest/gtest.h>

#include "tests/schema/config/config_text.h"

namespace perf {
namespace {

std::string target(const std::string& keys) {
  return config_with("\"targets\": [{\"name\": \"t\"" + keys + "}]");
}

TEST(TargetEntry, RequiresAWorkloadAndOneBound) {
  const Target read_target =
      read(target(R"(, "of": "w", "at_least": 2, "size": "full")")).targets[0];
  EXPECT_EQ(read_target.name, "t");
  EXPECT_EQ(read_target.of, "w");
  EXPECT_EQ(read_target.over, "");
  EXPECT_EQ(read_target.at_least, 2.0);
  EXPECT_EQ(read_target.at_most, std::nullopt);
  EXPECT_EQ(read_target.size, "full");
  EXPECT_REFUSED(target(R"(, "at_least": 2)"), "target \"t\" has no \"of\"");
  EXPECT_REFUSED(target(R"(, "of": "w")"), "needs either");
  EXPECT_REFUSED(target(R"(, "of": "w", "at_least": 1, "at_most": 2)"), "needs either");
  EXPECT_REFUSED(config_with(R"("targets": [{"of": "w", "at_most": 1}])"),
                 "a target has no \"name\"");
  EXPECT_REFUSED(config_with(R"("targets": {})"), "targets must be an array");
}

TEST(TargetEntry, ReadsTheFactsOfWhen) {
  const std::string start = R"(, "of": "w", "at_least": 1, "when": )";
  const Target read_target =
      read(target(start + R"({"isa": "avx512", "blas_core": "Haswell"})")).targets[0];
  EXPECT_EQ(read_target.when,
            (std::map<std::string, std::string>{{"isa", "avx512"}, {"blas_core", "Haswell"}}));
  EXPECT_REFUSED(target(start + "{}"), "when must name a fact");
  EXPECT_REFUSED(target(start + R"({"": "x"})"), "when must name a fact");
  EXPECT_REFUSED(target(start + R"({"isa": 2})"), "when.isa must be text");
  EXPECT_REFUSED(target(start + R"("isa")"), "when must be an object");
}

TEST(TargetEntry, ReadsBoundsAsNumbersOrDurations) {
  EXPECT_EQ(read(target(R"(, "of": "w", "at_most": "2m")")).targets[0].at_most, 120.0);
  EXPECT_EQ(read(target(R"(, "of": "w", "at_most": 0.5)")).targets[0].at_most, 0.5);
  EXPECT_REFUSED(target(R"(, "of": "w", "at_most": "50%")"), "is not a duration");
  EXPECT_REFUSED(target(R"(, "of": "w", "at_most": null)"), "a number, or a duration");
}

TEST(TargetEntry, ReadsBoundsInTheUnitOfTheMetric) {
  const auto at_most = [](const std::string& metric, const std::string& bound) {
    return target(R"(, "of": "w", "metric": ")" + metric + R"(", "at_most": )" + bound);
  };
  const auto bound_of = [&](const std::string& metric, const std::string& bound) {
    return read(at_most(metric, bound)).targets[0].at_most;
  };
  EXPECT_EQ(bound_of("total_time", R"("2m")"), 120.0);
  EXPECT_EQ(bound_of("peak_rss", R"("100MiB")"), 104857600.0);
  EXPECT_EQ(bound_of("written_bytes", R"("2GB")"), 2e9);
  EXPECT_EQ(bound_of("gpu_rss", R"("512 KiB")"), 524288.0);
  EXPECT_EQ(bound_of("peak_rss", "5"), 5.0);
  EXPECT_EQ(bound_of("tokens_per_second", "5"), 5.0);
  EXPECT_REFUSED(
      at_most("peak_rss", R"("1s")"),
      R"(at_most: "1s" is not a size in bytes @2:71 | write a number and a unit, such as 512KiB)");
  EXPECT_REFUSED(
      at_most("step_time", R"("100MiB")"),
      R"(at_most: "100MiB" is not a duration @2:72 | write a number and a unit, such as 250ms)");
  EXPECT_REFUSED(at_most("peak_rss", R"("0B")"), "must be above 0");
  EXPECT_REFUSED(at_most("peak_rss", "null"), "a number, or a size such as");
  EXPECT_REFUSED(at_most("tokens_per_second", R"("1s")"),
                 "at_most must be a number, not text @2:80 | write a number in the unit of metric "
                 "\"tokens_per_second\"");
  EXPECT_REFUSED(target(R"(, "of": "w", "over": "w/b", "at_least": "2s")"),
                 "at_least must be a number, not text @2:65 | write a ratio without a unit");
}

TEST(TargetEntry, TakesWorkloadsOfTheConfigAndTheirChildren) {
  EXPECT_EQ(read(target(R"(, "of": "w/child", "over": "w", "at_most": 1)")).targets[0].of,
            "w/child");
  EXPECT_REFUSED(target(R"(, "of": "ww", "at_most": 1)"),
                 R"(unknown workload "ww" in of @2:33 | did you mean "w"?)");
  EXPECT_REFUSED(target(R"(, "of": "w", "over": "parser", "at_most": 1)"), "known: w");
  EXPECT_REFUSED(target(R"(, "of": "", "at_most": 1)"), "empty");
}

TEST(TargetEntry, ReadsParameters) {
  const Target set =
      read(
          target(
              R"(, "of": "w", "of_set": {"backend": "a"}, "over_set": {"threads": 2}, "at_least": 2)"))
          .targets[0];
  EXPECT_EQ(set.of_set, (Params{{"backend", std::string("a")}}));
  EXPECT_EQ(set.over, "w");  // one workload in two settings
  EXPECT_EQ(set.over_set, (Params{{"threads", std::int64_t{2}}}));
  EXPECT_REFUSED(target(R"(, "of": "w", "of_set": {"a b": 1}, "at_most": 1)"),
                 "invalid parameter name");
  EXPECT_REFUSED(target(R"(, "of": "w", "of_set": 1, "at_most": 1)"), "of_set must be");
  EXPECT_REFUSED(target(R"(, "of": "w", "over_set": {}, "at_least": "2s")"),
                 "write a ratio without a unit");
}

TEST(TargetEntry, RefusesUnknownSizes) {
  EXPECT_REFUSED(target(R"(, "of": "w", "at_most": 1, "size": "ful")"), "did you mean \"full\"?");
}

}  // namespace
}  // namespace perf

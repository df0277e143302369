// Numbers that are invalid or give no ratio, in every place of every file: readers and the command
// refuse them with the line. Accepted numbers at the limits give finite ratios and valid reports.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "schema/config.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/formats/judge_cases.h"
#include "schema/formats/report_json.h"
#include "schema/formats/series_file.h"
#include "schema/formats/steps.h"
#include "tests/ci/scratch_repository.h"
#include "tests/faults/effort.h"
#include "tests/faults/number_places.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

std::string with(const Place& place, const std::string& number) {
  std::string text = place.text;
  return text.replace(text.find('@'), 1, number);
}

void read(const std::string& format, const std::string& text) {
  if (format == "judge") {
    formats::read_judge_cases(text, "f");
  } else if (format == "detect") {
    formats::read_series_file(text, "f");
  } else if (format == "report") {
    formats::read_report_json(text, "f");
  } else if (format == "config") {
    read_config(text, "f");
  } else {
    formats::read_foreign(format, text, "f");
  }
}

/// What was refused, and where; both empty if nothing was.
struct Refusal {
  std::string what, subject;
};

Refusal refused(const std::string& format, const std::string& text) {
  try {
    read(format, text);
    return {};
  } catch (const Error& error) {
    return {error.what, error.subject};
  }
}

std::string refusal(const std::string& format, const std::string& text) {
  return refused(format, text).subject;
}

/// "f:2" or "f:2:7".
bool is_line(const std::string& subject, int line) {
  const std::string place = "f:" + std::to_string(line);
  return subject == place || subject.rfind(place + ":", 0) == 0;
}

TEST(Numbers, AreRefusedWithTheirLineWhereInvalid) {
  int refused = 0;
  for (const Place& place : number_places()) {
    EXPECT_EQ(refusal(place.format, with(place, place.good)), "") << place.text;
    for (const std::string& number : bad_numbers()) {
      const std::string subject = refusal(place.format, with(place, number));
      const bool allowed = std::count(place.allowed.begin(), place.allowed.end(), number) > 0;
      if (allowed) {
        EXPECT_EQ(subject, "") << with(place, number);
        continue;
      }
      EXPECT_TRUE(is_line(subject, 2))
          << number << ": '" << subject << "': " << with(place, number);
      ++refused;
    }
  }
  figure("numbers refused with their line",
         std::to_string(refused) + " (" + std::to_string(number_places().size()) + " places)");
}

/// The format of such a file is not known before it is read.
TEST(Numbers, AreRefusedWithTheirLineWhereAnyFormatMayBe) {
  int documents = 0;
  for (const Place& place : number_places()) {
    const std::string good = with(place, place.good);
    if (!formats::format_of(good).is_session || good.front() == 'B' || good.front() == 't') {
      continue;  // in lines of Go and cargo it costs its own benchmark
    }
    ++documents;
    for (const std::string number : {"1e400", "-1e400", "1e-400"}) {
      for (const std::string before : {"", "Running ./bench\n"}) {
        if (place.format == "steps" && !before.empty()) {
          continue;  // the protocol has no other lines
        }
        try {
          formats::read_one_session(before + with(place, number), "f");
          ADD_FAILURE() << number << place.text;
        } catch (const UsageError& error) {
          EXPECT_TRUE(is_line(error.subject, before.empty() ? 2 : 3))
              << error.subject << place.text;
          EXPECT_TRUE(contains(error.what, number)) << place.text;
        }
      }
    }
  }
  EXPECT_GT(documents, 20);
}

/// Zero is not a step time, but an amount of memory.
TEST(Numbers, AreNoStepTimesWhereZero) {
  EXPECT_EQ(refusal("steps", with(number_places()[0], "0")), "f:2");
  for (const char* format : {"hyperfine", "go", "google-benchmark", "pytest-benchmark"}) {
    const auto place = std::find_if(number_places().begin(), number_places().end(),
                                    [&](const Place& one) { return one.format == format; });
    const formats::ForeignBlocks found =
        formats::blocks_of(formats::read_foreign(format, with(*place, "0"), "f").front());
    EXPECT_EQ(found.failures.size(), 1u) << format;
  }
}

TEST(Numbers, HaveNoDuplicateNamesAndFewLevels) {
  const std::string deep(1'000'000, '[');
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) {
    objects += "{\"a\":";
  }
  int documents = 0;
  for (const Place& place : number_places()) {
    if (place.text.front() != '{' && place.text.front() != '\n') {
      continue;  // no JSON
    }
    ++documents;
    for (const std::string& nested : {deep, objects}) {
      const std::string subject = refusal(place.format, with(place, nested));
      EXPECT_TRUE(is_line(subject, 2) || (place.format == "steps" && is_line(subject, 4)))
          << subject << place.text;  // steps: cut short, where the text ends
    }
    // The position is that of the second name; in the protocol it is a line.
    const bool one_line = place.format == "steps" || place.format == "criterion";
    std::string twice = with(place, place.good);
    const std::size_t inside = twice.rfind('{', place.text.find('@')) + 1;
    const auto begin = std::count(twice.begin(), twice.begin() + std::ptrdiff_t(inside), '\n') + 1;
    twice.insert(inside, one_line ? R"("zz":1,"zz":2,)" : "\n\n\"zz\":1,\n\"zz\":2,");
    const Refusal found = refused(place.format, twice);
    EXPECT_TRUE(is_line(found.subject, static_cast<int>(begin) + (one_line ? 0 : 3)))
        << found.subject << twice;
    EXPECT_TRUE(contains(found.what, R"(duplicate key "zz")")) << twice;
  }
  figure("names twice, and a million levels", std::to_string(documents) + " documents");
}

/// The command itself: exit code 2 and the place on standard error.
TEST(Numbers, AreRefusedByTheCommandWithTheirLine) {
  ScratchRepository repository;
  repository.write("a.txt", "a");
  repository.commit("a");
  const std::size_t stride = tries(3, 1);
  for (std::size_t i = 0; i < number_places().size(); i += stride) {
    const Place& place = number_places()[i];
    if (place.format == "report" || place.text.starts_with("test ")) {
      continue;  // read only where no revision has the file's name; costs its own benchmark alone
    }
    for (const char* number : {"1e309", "--1"}) {
      std::ofstream(repository.path() / "file.txt") << with(place, number);
      std::vector<std::string> arguments{"import", place.format, "file.txt", "--rev", "HEAD"};
      if (place.format == "judge" || place.format == "detect") {
        arguments = {place.format, "file.txt"};
      } else if (place.format == "config") {
        arguments = {"HEAD", "HEAD", "--config", "file.txt"};
      }
      const Outcome outcome = repository.perf_compare(arguments);
      EXPECT_TRUE(ended(outcome, 2, {"file.txt:2"})) << place.text;
      EXPECT_EQ(outcome.out, "");
    }
  }
}

/// An invalid number of a workload is a failed invocation with the line, never a ratio.
TEST(Numbers, FailAnInvocationWhereInvalid) {
  ScratchRepository repository;
  Json workloads = Json::array();
  const std::vector<std::string> numbers = with_more(bad_numbers(), {"0", "-0.0", "1e-16", "2e9"});
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string file = "out" + std::to_string(i);
    repository.write(file, "{\"type\":\"begin\",\"protocol\":1}\n{\"type\":\"step\",\"seconds\":" +
                               numbers[i] + "}\n{\"type\":\"end\"}\n");
    workloads.push_back({{"name", "w" + std::to_string(i)},
                         {"command", {"sh", "-c", "cat " + file + " > \"$PERF_COMPARE_OUT\""}}});
  }
  repository.write("perf-compare.json", Json{{"workloads", workloads}}.dump());
  repository.commit("all");
  const Json report = repository.json({"HEAD", "HEAD", "--pairs", "12"}, 3);
  int failed = 0;
  for (const Json& row : report.at("comparisons")) {
    EXPECT_EQ(row.at("verdict"), "failed") << row;
    EXPECT_TRUE(row.at("change").is_null()) << row;
    EXPECT_TRUE(contains(row.dump(), "line 2"));
    ++failed;
  }
  EXPECT_EQ(failed, static_cast<int>(numbers.size()));
  figure("numbers written by workloads", std::to_string(failed) + ", each a failed invocation");
}

/// JSON has no infinity and no NaN.
void expect_finite(const Json& value) {
  if (value.is_number_float()) {
    EXPECT_TRUE(std::isfinite(value.get<double>())) << value;
  }
  for (const Json& part : value) {
    if (value.is_structured()) {
      expect_finite(part);
    }
  }
}

TEST(Numbers, GiveFiniteRatiosAtTheLimits) {
  ScratchRepository repository;
  Json cases = Json::object();
  const std::vector<double> edges{0, 1e-150, 1e-15, 1, 1e9, 1e150};
  for (const double base : edges) {
    for (const double head : edges) {
      Json& one =
          cases[std::to_string(std::log10(base)) + " to " + std::to_string(std::log10(head))];
      for (int pair = 0; pair < 12; ++pair) {
        one["base"].push_back({base, base});
        one["head"].push_back({pair % 3 == 0 ? base : head, head});
      }
    }
  }
  std::ofstream(repository.path() / "cases.json") << Json{{"cases", cases}};
  const Outcome outcome = repository.perf_compare({"judge", "cases.json", "--json", "-"});
  ASSERT_LE(outcome.exit_code, 1) << outcome.err;
  const Json judged = Json::parse(outcome.out);
  EXPECT_EQ(judged.at("cases").size(), cases.size());
  expect_finite(judged);
  figure("pairs of the smallest and largest that are allowed", std::to_string(cases.size()));
  for (const char* scale : {"log", "linear"}) {
    std::ofstream series(repository.path() / "series.txt");
    series << "edge";
    for (int i = 0; i < 60; ++i) {
      series << (i < 30 ? " 5e-324" : " 1.7e308");
    }
    series << "\nmixed";
    for (int i = 0; i < 60; ++i) {
      series << (i % 2 == 0 ? " -1.7e308" : " 1.7e308");
    }
    series << "\ntiny";
    for (int i = 0; i < 60; ++i) {
      series << (i % 2 == 0 ? " 5e-324" : " 1e-323");
    }
    series.close();
    const Json found =
        json_of(repository.perf_compare({"detect", "series.txt", "--scale", scale}), 0);
    EXPECT_EQ(found.at("edge"), Json::array({30})) << scale << found;
  }
}

}  // namespace
}  // namespace perf::test

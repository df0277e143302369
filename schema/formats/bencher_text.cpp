#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr std::string_view kTest = "test ";
constexpr std::string_view kDots = " ... ";
constexpr std::string_view kBench = "bench:";
constexpr std::string_view kPerIteration = "/iter";
constexpr double kMegabyte = 1e6;

/// Whether commas stand between groups of three digits, and nowhere else.
bool is_grouped(std::string_view text) {
  std::string_view whole = text.substr(0, text.find('.'));
  std::size_t comma = whole.find(',');
  bool right = comma == std::string_view::npos || (comma >= 1 && comma <= 3);
  while (comma != std::string_view::npos) {
    whole = whole.substr(comma + 1);
    comma = whole.find(',');
    right = right && std::min(comma, whole.size()) == 3;
  }
  return right &&
         text.substr(std::min(text.find('.'), text.size())).find(',') == std::string_view::npos;
}

/// "1,234.5" -> 1234.5.
double number_of(std::string_view text) {
  std::string digits(text);
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  const std::optional<double> value = parsed<double>(digits);
  if (!value || *value < 0 || !is_measurable(*value) || !is_grouped(text) ||
      is_large_integer(digits)) {
    throw Fault("invalid number " + in_quotes(text));
  }
  return *value;
}

/// The name of a test and its result: "bench: 25 ns/iter (+/- 3)", "FAILED", "ok".
struct TestLine {
  std::string name;
  std::string_view result;
};

std::optional<TestLine> test_line(std::string_view line) {
  line = trimmed(line);
  const std::size_t dots = line.find(kDots);
  if (!line.starts_with(kTest) || dots == std::string_view::npos || dots < kTest.size()) {
    return std::nullopt;
  }
  const std::string_view name = trimmed(line.substr(kTest.size(), dots - kTest.size()));
  return name.empty() ? std::nullopt
                      : std::optional<TestLine>(
                            {std::string(name), trimmed(line.substr(dots + kDots.size()))});
}

void take_measured(const std::string& name, std::string_view result, SeriesList& series) {
  const double value = number_of(take_word(result));
  const std::string_view unit = take_word(result);
  if (!unit.ends_with(kPerIteration)) {
    throw Fault("no unit such as ns/iter after the number: " + in_quotes(unit),
                "was the file cut off?");
  }
  const std::string of_time(unit.substr(0, unit.size() - kPerIteration.size()));
  const std::optional<double> seconds = seconds_in(of_time);
  series.add(name, {}, seconds ? step_times(*seconds) : Meaning{{"value", of_time, Better::lower}},
             value);
  const std::size_t rate = result.find("= ");
  if (rate != std::string_view::npos && result.ends_with(" MB/s")) {
    result.remove_prefix(rate + 2);
    series.add(name, {}, {{"bytes_per_second", "B/s", Better::higher}, kMegabyte},
               number_of(take_word(result)));
  }
}

void take_bencher_line(std::string_view line, SeriesList& series) {
  const std::optional<TestLine> test = test_line(line);
  const bool is_measured = test && test->result.starts_with(kBench);
  if (!is_measured && !(test && test->result == "FAILED")) {
    return;
  }
  series.begin(test->name);
  if (is_measured) {
    take_measured(test->name, test->result.substr(kBench.size()), series);
  } else {
    series.set.failures.insert({{test->name}, "FAILED"});
  }
}

}  // namespace

bool is_bencher_text(std::string_view text) {
  while (!text.empty()) {
    const std::optional<TestLine> test = test_line(take_line(text));
    if (test && test->result.starts_with(kBench)) {
      return true;
    }
  }
  return false;
}

/// Reads what `cargo bench -- --output-format bencher` prints, and `cargo bench` of #[bench]
/// functions: `test NAME ... bench: 1,234 ns/iter (+/- 56)`. It holds one value, a median. A test
/// that FAILED is a failure; other lines are skipped.
Sessions read_bencher_text(std::string_view text, const std::string& filename) {
  SeriesList series;
  for_each_line(text, filename, "",
                [&](std::string_view line) { take_bencher_line(line, series); });
  return with_places(text, filename, [&] {
    return one_session(
        series.take(0,
                    "expected a line such as test decode ... bench: 1,234 ns/iter (+/- 56), or "
                    "the output of cargo criterion --message-format=json"));
  });
}

}  // namespace perf::formats

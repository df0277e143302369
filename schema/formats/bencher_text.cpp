#include "schema/formats/readers.h"

#include <algorithm>
#include <optional>
#include <set>

#include "schema/error.h"
#include "schema/formats/json_value.h"
#include "schema/formats/magnitude.h"
#include "schema/formats/series_list.h"

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
    throw Fault{"no number of measurable magnitude: " + in_quotes(text)};
  }
  return *value;
}

/// What a line says of which test: "bench: 25 ns/iter (+/- 3)", "FAILED", "ok".
struct TestLine {
  std::string name;
  std::string_view says;
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

class BencherReader {
 public:
  void take(std::string_view line) {
    const std::optional<TestLine> test = test_line(line);
    if (!test) {
      return;
    }
    const bool is_result = test->says.starts_with(kBench);
    if (!is_result && test->says != "FAILED") {
      return;
    }
    if (!seen_.insert(test->name).second) {
      throw Fault{"the benchmark " + in_quotes(test->name) + " stands twice"};
    }
    if (is_result) {
      take_result(test->name, test->says.substr(kBench.size()));
    } else {
      set_.failures.emplace(test->name, "FAILED");
    }
  }

  SampleSet finish(const std::string& filename, std::size_t last_line) {
    if (seen_.empty()) {
      throw UsageError("no benchmark result", filename + ":" + std::to_string(last_line),
                       "expected a line such as test decode ... bench: 1,234 ns/iter (+/- 56), or "
                       "what cargo criterion --message-format=json prints");
    }
    set_.source = filename;
    set_.series = series_.take();
    return std::move(set_);
  }

 private:
  void take_result(const std::string& name, std::string_view result) {
    std::string_view rest = result;
    const double value = number_of(take_word(rest));
    const std::string_view unit = take_word(rest);
    if (!unit.ends_with(kPerIteration)) {
      throw Fault{"no unit such as ns/iter after the number: " + in_quotes(unit),
                  "was the file cut off?"};
    }
    const std::string_view of_time = unit.substr(0, unit.size() - kPerIteration.size());
    if (const std::optional<double> seconds = seconds_in(of_time)) {
      series_.add(name, {}, step_times(*seconds), value);
    } else {
      series_.add(name, {}, {{"value", std::string(of_time), Better::lower}}, value);
    }
    const std::size_t rate = rest.find("= ");
    if (rate != std::string_view::npos && rest.ends_with(" MB/s")) {
      rest = rest.substr(rate + 2);
      series_.add(name, {}, {{"bytes_per_second", "B/s", Better::higher}, kMegabyte},
                  number_of(take_word(rest)));
    }
  }

  SampleSet set_;
  SeriesList series_;
  std::set<std::string> seen_;
};

}  // namespace

bool is_bencher_text(std::string_view text) {
  while (!text.empty()) {
    const std::optional<TestLine> test = test_line(take_line(text));
    if (test && test->says.starts_with(kBench)) {
      return true;
    }
  }
  return false;
}

SampleSet read_bencher_text(std::string_view text, const std::string& filename) {
  BencherReader reader;
  const std::size_t lines =
      for_each_line(text, filename, "", [&](std::string_view line) { reader.take(line); });
  return reader.finish(filename, std::max<std::size_t>(lines, 1));
}

}  // namespace perf::formats

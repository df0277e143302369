#include "tests/fuzz/checks.h"

#include <algorithm>
#include <cstdio>

#include "schema/files/content.h"
#include "schema/formats/reading.h"
#include "schema/text/utf8.h"
#include "schema/workload_name.h"

namespace perf::fuzz {
namespace {

constexpr std::size_t kLongestMessage = 1000;  // B: a line of a log

std::string text_of(const Metric& metric) {
  return metric.name + " [" + metric.unit + (metric.better == Better::lower ? "] -" : "] +");
}

template <class Map>
std::string text_of_map(const Map& map) {
  std::string text;
  for (const auto& [key, value] : map) {
    text += " " + key + "=" + value;
  }
  return text;
}

}  // namespace

void require_printable(const std::string& text, const std::string& what) {
  require(is_utf8(text), what + " is no UTF-8");
  require(std::none_of(text.begin(), text.end(),
                       [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }),
          what + " has control characters");
}

void require_error(const Error& error, std::string_view place) {
  require(!error.what.empty(), "an error without a message");
  require_printable(error.what, "the message");
  require_printable(error.hint, "the hint");
  require(error.what.size() + error.hint.size() < kLongestMessage, "a message of any length");
  if (error.what == "file of unknown format" || error.what.starts_with("not a file of ")) {
    require(error.subject.starts_with(place.substr(0, place.find(':'))), "an error without a file");
    return;
  }
  require(error.subject.rfind(place, 0) == 0 && error.subject.size() > place.size() &&
              error.subject[place.size()] >= '1' && error.subject[place.size()] <= '9',
          "an error without a line: " + error.subject);
}

void require_usable(const SampleSet& samples) {
  require(!samples.series.empty() || !samples.failures.empty() || !samples.skipped.empty() ||
              !samples.warnings.empty() || !samples.lost.empty(),
          "a session of nothing");
  for (const SampleSeries& series : samples.series) {
    require(!series.metric.name.empty(), "a metric without a name");
    require(!series.values.empty() || series.summary, "a series without values");
    for (const double value : series.values) {
      require(std::isfinite(value) && std::isfinite(value * value), "a value beyond squaring");
      require(value == 0 || value * value > 0, "a value that vanishes");
      require(series.metric != kStepTime || value >= 0, "a negative time");
    }
    if (series.summary) {
      for (const double value :
           {series.summary->median, series.summary->p90, series.summary->mean,
            series.summary->stddev, series.summary->min, series.summary->max}) {
        require(formats::is_measurable(value), "a statistic beyond measure");
      }
      require(series.summary->invocations >= 0 && series.summary->steps >= 0, "a negative count");
    }
  }
  require_usable(samples.warnings);
}

void require_usable(const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings) {
    for (const auto& [name, text] : warning.about) {
      require_printable(text, "what a warning is about");
    }
    for (const auto& [name, figure] : warning.figures) {
      require(std::isfinite(figure), "a figure of a warning");
    }
  }
}

void require_usable(const Block& block) {
  require(block.workload.empty() || fault_in_workload_name(block.workload).empty(),
          "a name that no workload may have");
  require(!block.steps.empty() || !block.metrics.empty(), "a block of nothing");
  for (const Step& step : block.steps) {
    require(step.seconds >= formats::kShortestStep && step.seconds <= formats::kLongestStep,
            "a time that is no step");
    require(!step.rss || *step.rss > 0, "a process in no memory");
    for (const auto& [name, seconds] : step.phases) {
      require(seconds >= 0 && seconds <= formats::kLongestStep, "a phase that is no time");
    }
  }
  for (const MetricValue& reported : block.metrics) {
    require(formats::is_measurable(reported.value), "a metric beyond measure");
    require(!reported.judge || reported.value >= 0, "a negative metric that is judged");
  }
  require(!block.tokens_per_step || *block.tokens_per_step > 0, "steps of no tokens");
}

std::string exactly(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%a", number);
  return text;
}

std::string text_of(const Params& params) {
  std::string text;
  for (const auto& [name, value] : params) {
    text += " " + name + "=" + std::to_string(value.index()) + ":" + to_text(value);
  }
  return text;
}

std::string text_of(const Block& block) {
  std::string text = block.workload + text_of(block.params) + "\n" + text_of_map(block.facts);
  if (block.tokens_per_step) {
    text += " tokens " + exactly(*block.tokens_per_step);
  }
  for (const Step& step : block.steps) {
    text += "\n" + std::to_string(step.index) + (step.warmup ? "w " : " ") + exactly(step.seconds);
    text += step.rss ? " rss " + std::to_string(*step.rss) : "";
    for (const auto& [name, seconds] : step.phases) {
      text += " " + name + "=" + exactly(seconds);
    }
  }
  for (const MetricValue& reported : block.metrics) {
    text += "\n" + text_of(reported.metric) + exactly(reported.value) + (reported.judge ? "!" : "");
  }
  for (const Check& check : block.checks) {
    text += "\n" + check.name + (check.passed ? " passed" : " failed") +
            (check.error ? exactly(*check.error) : "") + "/" +
            (check.tolerance ? exactly(*check.tolerance) : "");
  }
  return text + "\n";
}

std::string text_of(const SampleSet& samples) {
  std::string text = samples.source + "\n" + text_of_map(samples.environment.machine) + "\n" +
                     text_of_map(samples.environment.facts) + samples.environment.fingerprint;
  for (const SampleSeries& series : samples.series) {
    text += "\n" + series.name + text_of(series.params) + text_of(series.metric);
    for (const double value : series.values) {
      text += " " + exactly(value);
    }
    if (series.summary) {
      text += " median " + exactly(series.summary->median);
    }
  }
  for (const auto& [benchmark, why] : samples.failures) {
    text += "\n" + benchmark.name + text_of(benchmark.params) + why;
  }
  for (const Warning& warning : samples.warnings) {
    text += "\n" + std::string(to_string(warning.kind)) + text_of_map(warning.about);
    for (const auto& [name, figure] : warning.figures) {
      text += " " + name + " " + exactly(figure);
    }
  }
  return text + "\n";
}

std::string source_file(const std::string& path) {
  return content_of(PERF_SOURCE_DIR "/" + path);
}

}  // namespace perf::fuzz

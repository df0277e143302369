#include "workloads/program/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "workloads/kernels/instruction_set.h"
#include "workloads/kernels/ledger.h"
#include "workloads/program/emitted.h"
#include "workloads/program/environment.h"
#include "workloads/program/layer_rows.h"
#include "workloads/program/restart.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size >= 1e6 || size < 1e-3)) {
    return fmt::format("{:.2e}", value);
  }
  const int digits = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
  return fmt::format("{:.{}f}", value, digits);
}

std::string percent(double share) {
  return three_digits(100 * share) + " %";
}

// A part of a whole, or what was added to one.
bool is_share(const perf_compare::Metric& metric) {
  const auto ends_with = [&](std::string_view end) {
    return std::string_view(metric.name).ends_with(end);
  };
  return metric.unit == "1" &&
         (ends_with("_share") || ends_with("_change") || ends_with("_overhead"));
}

// Of the names' column: no name runs into what stands beside it.
std::size_t name_width(const perf_compare::StepEmitter& out) {
  std::size_t width = kNameWidth;
  for (const perf_compare::Metric& metric : out.metrics()) {
    width = std::max(width, is_layer_bytes(metric.name) ? 0 : metric.name.size());
  }
  for (const perf_compare::Check& check : out.checks()) {
    width = std::max(width, check.name.size());
  }
  return width;
}

std::string step_rows(const perf_compare::StepEmitter& out, std::size_t width) {
  double least = INFINITY, most = 0;
  for (const perf_compare::Step& step : out.steps()) {
    if (step.warmup) {
      continue;
    }
    least = std::min(least, step.seconds);
    most = std::max(most, step.seconds);
  }
  const double median = out.median_seconds();
  std::string rows =
      fmt::format("  {:<{}}{:>14}   median of {}, {} to {}\n", "step", width, scaled(median, "s"),
                  out.wanted().steps, scaled(least, "s"), scaled(most, "s"));
  for (std::size_t i = 0; i < out.phase_names().size(); ++i) {
    const double seconds = out.median_phase(i);
    rows += fmt::format("    {:<{}}{:>14}   {:.1f} %\n", out.phase_names()[i], width - 2,
                        scaled(seconds, "s"), 100 * seconds / median);
  }
  return rows;
}

bool is_memory_by_purpose(const std::string& metric) {
  return std::any_of(kPurposeNames.begin(), kPurposeNames.end(), [&](std::string_view purpose) {
    return metric == std::string(purpose) + "_bytes";
  });
}

// Memory by purpose, as counted, beside what the memory model predicted, where there is one;
// nothing where a workload has no such metrics.
std::string memory_rows(const perf_compare::StepEmitter& out, std::size_t width) {
  const auto& begin = out.begin_fields();
  const bool has_model = std::any_of(begin.begin(), begin.end(), [](const auto& field) {
    return field.first.rfind("predicted_", 0) == 0;
  });
  std::string rows;
  double counted = 0, predicted = 0;
  const auto row = [&](const std::string& name, double bytes, double expected) {
    rows += fmt::format("    {:<{}}{:>14}", name, width - 2, scaled(bytes, "B"));
    if (has_model) {
      rows += fmt::format("{:>14}{:>+9.1f} %", scaled(expected, "B"),
                          expected > 0 ? 100 * (bytes / expected - 1) : 0.0);
    }
    rows += '\n';
  };
  for (const perf_compare::Metric& metric : out.metrics()) {
    if (!is_memory_by_purpose(metric.name)) {
      continue;
    }
    const double expected = number_of(begin, "predicted_" + metric.name);
    row(metric.name.substr(0, metric.name.rfind("_bytes")), metric.value, expected);
    counted += metric.value;
    predicted += expected;
  }
  if (rows.empty()) {
    return rows;
  }
  row("all", counted, predicted);
  return fmt::format("  {:<{}}{:>14}{}\n", "memory", width, "counted",
                     has_model ? "     predicted" : "") +
         rows;
}

// "0" where 0 is the default: the model's own, or none.
bool leaves_it_open(const std::vector<Parameter>& parameters, const std::string& name,
                    const std::string& value) {
  return value == "0" &&
         std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
           return parameter.name == name &&
                  std::count(parameter.defaults.begin(), parameter.defaults.end(), "0") == 3;
         });
}

// A shape that was set apart is called by several words, with commas between them.
void append_words(const std::string& text, std::vector<std::string>& words) {
  constexpr std::string_view kBetween = ", ";
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(kBetween, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + kBetween.size();
  }
}

// The parameters that are in force, those that people ask for first; wrapped.
std::string header(const perf_compare::StepEmitter& out, const std::vector<Parameter>& parameters,
                   const std::string& before) {
  constexpr std::size_t kWidth = 80;
  std::vector<std::string> names = {"size", "model", "dtype", "backend", "batch-size", "seq-len"};
  for (const auto& [name, value] : out.params()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  std::vector<std::string> words;
  const std::string model = text_of(out.environment(), "model");
  for (const std::string& name : names) {
    const std::string given = text_of(out.params(), name);
    if (given.empty() || leaves_it_open(parameters, name, given) ||
        model.find(" " + name + " " + given) != std::string::npos) {  // its name says it
      continue;
    }
    const std::string chosen = text_of(out.environment(), name);
    if (const std::string value = chosen.empty() ? given : chosen; value != "auto") {
      append_words(name + " " + value, words);
    }
  }
  std::string text, line = before + out.workload() + ":";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = " " + words[i] + (i + 1 < words.size() ? "," : "");
    if (line.size() + word.size() > kWidth) {
      text += line + "\n";
      line = " ";
    }
    line += word;
  }
  return text + line + "\n";
}

}  // namespace

std::string scaled(double value, const std::string& unit) {
  struct Scale {
    double factor;
    const char* unit;
  };
  const auto pick = [value](const auto& scales) {
    for (const Scale& scale : scales) {
      if (std::abs(value) >= scale.factor) {
        return three_digits(value / scale.factor) + " " + scale.unit;
      }
    }
    return three_digits(value / scales.back().factor) + " " + scales.back().unit;
  };
  if (unit == "s") {
    return pick(std::array{Scale{1, "s"}, Scale{1e-3, "ms"}, Scale{1e-6, "us"}});
  }
  if (unit == "B") {
    return pick(std::array{Scale{1 << 30, "GiB"}, Scale{1 << 20, "MiB"}, Scale{1024, "KiB"}});
  }
  if (unit == "B/s") {
    return pick(std::array{Scale{1e9, "GB/s"}, Scale{1e6, "MB/s"}});
  }
  if (unit == "flop/s") {
    return pick(std::array{Scale{1e9, "GFLOP/s"}, Scale{1e6, "MFLOP/s"}});
  }
  if (unit == "1/s") {
    return (std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : three_digits(value)) + " /s";
  }
  if (unit == "1") {
    return three_digits(value);
  }
  return three_digits(value) + " " + unit;
}

std::string run_table(const perf_compare::StepEmitter& out,
                      const std::vector<Parameter>& parameters, const std::string& before) {
  std::string text = header(out, parameters, before);
  text +=
      fmt::format("{} with {} kernels, {} thread{}, {}\n\n", text_of(out.environment(), "blas"),
                  text_of(out.environment(), "blas_core"), text_of(out.environment(), "threads"),
                  number_of(out.environment(), "threads") == 1 ? "" : "s",
                  text_of(out.environment(), "compiler"));
  if (instruction_set() == std::string_view("avx512") && !is_avx512_core(blas_core())) {
    text += fmt::format(
        "  note: OPENBLAS_CORETYPE={} was set from outside; without it OpenBLAS would use\n"
        "  AVX-512 kernels, at about twice the rate\n\n",
        blas_core());
  }
  if (const double threads = number_of(out.environment(), "threads"); threads > usable_cores()) {
    text += fmt::format(
        "  note: {} threads share {} core{} and wait for one another; --threads 0 takes as\n"
        "  many as there are cores\n\n",
        threads, usable_cores(), usable_cores() == 1 ? "" : "s");
  }
  const std::size_t width = name_width(out);
  text += step_rows(out, width);
  text += roofline_rows(out, width);
  text += memory_rows(out, width);
  for (const perf_compare::Metric& metric : out.metrics()) {
    if (!is_memory_by_purpose(metric.name) && !is_layer_bytes(metric.name)) {
      text +=
          fmt::format("  {:<{}}{:>14}\n", metric.name, width,
                      is_share(metric) ? percent(metric.value) : scaled(metric.value, metric.unit));
    }
  }
  text += layer_rows(out, width);
  if (!text_of(out.params(), "learning-rate").empty() &&
      !std::isfinite(metric_value(out, "loss").value_or(0))) {
    text += "  note: the training diverged; hint: a smaller --learning-rate or --loss-scale\n";
  }
  for (const perf_compare::Check& check : out.checks()) {
    text += fmt::format("  {:<{}}{:>14}   error {:.1e}, tolerance {:.1e}\n", check.name, width,
                        check.passed() ? "passed" : "FAILED", check.error, check.tolerance);
  }
  return text;
}

std::string list_table(const std::vector<Workload>& workloads) {
  std::size_t width = 0;
  for (const Workload& workload : workloads) {
    width = std::max(width, workload.name.size());
  }
  std::string text, family;
  for (const Workload& workload : workloads) {
    const std::string own = workload.name.substr(0, workload.name.find('/'));
    text += fmt::format("{}{:<{}}  {}\n", family.empty() || own == family ? "" : "\n",
                        workload.name, width, workload.summary);
    family = own;
  }
  return text;
}

std::string description(const Workload& workload) {
  const std::vector<Parameter> parameters = all_parameters(workload);
  std::size_t names = 0, values = 5;  // "smoke"
  for (const Parameter& parameter : parameters) {
    names = std::max(names, parameter.name.size());
    for (const std::string& value : parameter.defaults) {
      values = std::max(values, value.size());
    }
  }
  std::string text =
      fmt::format("{}: {}\n\n  {:<{}}", workload.name, workload.summary, "parameter", names + 2);
  for (const std::string_view size : kSizeNames) {
    text += fmt::format("  {:>{}}", size, values);
  }
  text += "\n";
  for (const Parameter& parameter : parameters) {
    text += fmt::format("  --{:<{}}", parameter.name, names);
    for (const std::string& value : parameter.defaults) {
      text += fmt::format("  {:>{}}", value, values);
    }
    text += "   " + parameter.help;
    if (!parameter.choices.empty()) {
      text += fmt::format(": {}", fmt::join(parameter.choices, ", "));
    }
    text += "\n";
  }
  text += fmt::format("\n  phases   {}\n  metrics  step_time, peak_rss, {}\n",
                      fmt::join(workload.phases, ", "), fmt::join(workload.metrics, ", "));
  if (!workload.metrics_of_some_machines.empty()) {
    text += fmt::format("           if the machine provides it: {}\n",
                        fmt::join(workload.metrics_of_some_machines, ", "));
  }
  return text + fmt::format("  checks   {}\n", fmt::join(workload.checks, ", "));
}

}  // namespace perf::workloads

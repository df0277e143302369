#include "workloads/commands/suite_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workloads/program/emitted.h"
#include "workloads/program/run_command.h"
#include "workloads/program/table.h"

namespace perf::workloads {

namespace {

// More than all of a limit is no feat: it was none.
std::string share_of(double share, const char* limit) {
  return share > 1 ? fmt::format("over 100 % of {}", limit)
                   : fmt::format("{:.0f} % of {}", 100 * share, limit);
}

// Of which of the machine's limits, program/roofline.h.
std::string share_of_roof(const SuiteRow& row) {
  std::string text;
  if (row.gemm_share > 0) {
    text = share_of(row.gemm_share, "GEMM");
  }
  if (row.read_share > 0 || row.unknown_share) {
    text += (text.empty() ? "" : ", ") +
            (row.unknown_share ? "unknown of reading" : share_of(row.read_share, "reading"));
  }
  return text;
}

std::string checks(const SuiteRow& row) {
  if (!row.checks_failed.empty()) {
    return fmt::format("FAILED: {}", fmt::join(row.checks_failed, ", "));
  }
  return row.checks_passed == 0 ? "none" : fmt::format("{} passed", row.checks_passed);
}

std::string summary(const std::vector<SuiteRow>& rows, double elapsed) {
  std::size_t ran = 0, passed = 0, failed = 0;
  for (const SuiteRow& row : rows) {
    ran += row.failure.empty() ? 1 : 0;
    passed += static_cast<std::size_t>(row.checks_passed);
    failed += row.checks_failed.size();
  }
  std::string text = fmt::format("{} series measured in {}, {} check{} passed", ran,
                                 clock_text(elapsed), passed, passed == 1 ? "" : "s");
  if (failed > 0) {
    text += fmt::format(", {} FAILED", failed);
  }
  if (ran < rows.size()) {
    text += fmt::format(", {} could not run", rows.size() - ran);
  }
  return text + "\n";
}

}  // namespace

SuiteRow row_of(const perf_compare::StepEmitter& out) {
  SuiteRow row;
  row.name = out.workload();
  row.step_time = out.median_seconds();
  for (const perf_compare::Step& step : out.steps()) {
    row.peak_rss = std::max(row.peak_rss, step.rss);
  }
  row.gemm_share = metric_value(out, "gemm_share").value_or(0);
  row.read_share = metric_value(out, "read_share").value_or(0);
  row.unknown_share = metric_value(out, "read_rate") && !metric_value(out, "read_share");
  row.energy = metric_value(out, "energy_per_step").value_or(0);
  for (const perf_compare::Check& check : out.checks()) {
    if (check.passed()) {
      ++row.checks_passed;
    } else {
      row.checks_failed.push_back(check.name);
    }
  }
  return row;
}

SuiteRow row_of_failure(const std::string& name, const std::string& what) {
  SuiteRow row;
  row.name = name;
  for (const char letter : what) {
    if (letter != '\n') {
      row.failure += letter;
    } else if (!row.failure.empty()) {
      row.failure += "; ";
    }
  }
  return row;
}

std::string suite_table(const std::vector<SuiteRow>& rows, double elapsed) {
  std::size_t names = 8, shares = 11;  // of the headings
  bool has_energy = false, lacks_energy = false;
  for (const SuiteRow& row : rows) {
    names = std::max(names, row.name.size());
    shares = std::max(shares, share_of_roof(row).size());
    has_energy = has_energy || row.energy > 0;
    lacks_energy = lacks_energy || row.lacks_energy;
  }
  const auto line = [&](const std::string& name, const std::string& step, const std::string& share,
                        const std::string& memory, const std::string& energy,
                        const std::string& last) {
    return fmt::format("{:<{}}  {:>10}  {:>{}}  {:>10}  {}{}\n", name, names, step, share, shares,
                       memory, has_energy ? fmt::format("{:>10}  ", energy) : "", last);
  };
  std::string text = line("workload", "step", "of its roof", "memory", "energy", "checks");
  for (const SuiteRow& row : rows) {
    text +=
        row.failure.empty()
            ? line(row.name, scaled(row.step_time, "s"), share_of_roof(row),
                   row.peak_rss == 0 ? "unknown" : scaled(static_cast<double>(row.peak_rss), "B"),
                   row.energy > 0 ? scaled(row.energy, "J") : "", checks(row))
            : fmt::format("{:<{}}  could not run: {}\n", row.name, names, row.failure);
  }
  return text + summary(rows, elapsed) + (lacks_energy ? kNoEnergy : "");
}

std::string clock_text(double seconds) {
  const long whole = std::lround(std::max(0.0, seconds));
  const long minutes = whole / 60;
  return minutes < 60 ? fmt::format("{}:{:02}", minutes, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

}  // namespace perf::workloads

#include "workloads/commands/suite_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "workloads/commands/suite_choice.h"
#include "workloads/commands/suite_progress.h"
#include "workloads/commands/suite_table.h"
#include "workloads/program/memory.h"
#include "workloads/program/run_command.h"

namespace perf::workloads {

namespace {

std::string output_path() {
  const char* path = std::getenv("PERF_COMPARE_OUT");
  return path == nullptr ? "" : path;
}

// An hour's work must not end at a path with a slip in it.
void require_writable_output() {
  const std::string path = output_path();
  if (path.empty()) {
    return;
  }
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) {
    throw std::runtime_error("cannot write PERF_COMPARE_OUT: " + path);
  }
  std::fclose(file);
}

int status_of(const std::vector<SuiteRow>& rows) {
  const auto any = [&](auto is_so) { return std::any_of(rows.begin(), rows.end(), is_so); };
  if (any([](const SuiteRow& row) { return !row.failure.empty(); })) {
    return 3;
  }
  return output_path().empty() &&
         any([](const SuiteRow& row) { return !row.checks_failed.empty(); });
}

SuiteRow run_one(const SuiteSeries& one) {
  try {
    const perf_compare::StepEmitter measured = run_series(*one.workload, one.name, one.request);
    SuiteRow row = row_of(measured);
    row.lacks_energy = lacks_energy(*one.workload, measured);
    return row;
  } catch (const std::exception& error) {
    return row_of_failure(one.name, error.what());
  }
}

}  // namespace

SuiteAnswer suite_answer(const std::vector<Workload>& all, const std::vector<std::string>& patterns,
                         const std::map<std::string, std::string>& options) {
  const std::vector<SuiteSeries> series = read_suite_series(all, patterns, options);
  require_writable_output();
  keep_freed_memory();

  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto elapsed = [start] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  ProgressBar bar(stderr);
  SuiteAnswer answer;
  std::vector<SuiteRow> rows;
  for (const SuiteSeries& one : series) {
    bar.show({rows.size(), series.size(), elapsed(), one.name});
    rows.push_back(run_one(one));
    give_back_freed_memory();
  }
  answer.table = suite_table(rows, elapsed());
  answer.status = status_of(rows);
  return answer;
}

}  // namespace perf::workloads

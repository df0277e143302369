#include <cstdio>
#include <exception>
#include <string>

#include "workloads/commands/export_command.h"
#include "workloads/commands/memory_model_command.h"
#include "workloads/commands/settings_command.h"
#include "workloads/commands/suite_command.h"
#include "workloads/commands/trace_command.h"
#include "workloads/kernels/instruction_set.h"
#include "workloads/program/command_line.h"
#include "workloads/program/error.h"
#include "workloads/program/restart.h"
#include "workloads/program/run_command.h"
#include "workloads/program/table.h"
#include "workloads/registry.h"

using namespace perf::workloads;

namespace {

constexpr int kUsageError = 2, kCouldNotRun = 3;

struct Answer {
  std::string text;
  int status = 0;
};

Answer answer(const CommandLine& line) {
  switch (line.verb) {
    case CommandLine::Verb::help:
      return {help_text()};
    case CommandLine::Verb::version:
      return {"perf-workloads " PERF_WORKLOADS_VERSION "\n"};
    case CommandLine::Verb::list:
      return {list_table(workloads())};
    case CommandLine::Verb::describe:
      return {description(workload_named(line.workload))};
    case CommandLine::Verb::run:
      return {run_answer(workload_named(line.workload), line.options)};
    case CommandLine::Verb::suite: {
      const SuiteAnswer suite = suite_answer(workloads(), line.patterns, line.options);
      return {suite.table, suite.status};
    }
    case CommandLine::Verb::memory_model:
      return {memory_model_answer(line.workload, line.options)};
    case CommandLine::Verb::export_model:
      if (line.workload.find('/') != std::string::npos)  // no model's name has one
      {
        return {export_inputs_answer(workload_named(line.workload), line.file, line.options)};
      }
      return {export_answer(line.workload, line.file, line.options)};
    case CommandLine::Verb::settings:
      return {settings_answer(workload_named(line.workload), line.options)};
    case CommandLine::Verb::trace:
      return {trace_answer(workload_named(line.workload), line.file, line.options)};
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (const std::string missing = missing_instructions(); !missing.empty()) {
      throw Error("this CPU lacks what the program was built for", missing,
                  "perf-workloads, which chooses by itself, on a CPU with AVX2 (since 2013)");
    }
    const CommandLine line = read_command_line({argv + 1, argv + argc});
    if (line.verb == CommandLine::Verb::run || line.verb == CommandLine::Verb::suite ||
        line.verb == CommandLine::Verb::settings || line.verb == CommandLine::Verb::trace) {
      restart_in_better_environment(argv);
    }
    const Answer given = answer(line);
    std::fputs(given.text.c_str(), stdout);
    return given.status;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kUsageError;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kCouldNotRun;
  }
}

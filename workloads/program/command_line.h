#pragma once

#include <map>
#include <string>
#include <vector>

namespace perf::workloads {

/// What the user asked for. Parameters stay text here: which ones exist depends on the workload.
struct CommandLine {
  enum class Verb {
    help,
    version,
    list,
    describe,
    run,
    suite,
    memory_model,
    export_model,
    settings,
    trace
  };

  Verb verb = Verb::help;
  std::string workload;                        ///< memory-model, export: a model, or ""; not list
  std::string file;                            ///< export and trace
  std::vector<std::string> patterns;           ///< suite: names, globs, families; none: all
  std::map<std::string, std::string> options;  ///< without dashes; run: `size` among them
};

/// Reads the arguments after the program's name; `--name value` and `--name=value` are the same.
/// Throws Error for anything it does not understand.
CommandLine read_command_line(const std::vector<std::string>& arguments);

std::string help_text();

}  // namespace perf::workloads

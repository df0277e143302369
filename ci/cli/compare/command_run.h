#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "ci/cli/run/run.h"
#include "collector/trace/trace_programs.h"

namespace perf {

// Runs of commands, without a repository: those of `ab`, and of `bisect` with a list.

/// The words of a command that is one string. Throws UsageError for what only a shell can do, with
/// a hint how to run one.
std::vector<std::string> words_of(const std::string& command, const std::string& to_run_a_shell);

/// Adds the variables of an option. Throws UsageError for those that perf-compare sets itself.
void set_variables(const std::string& option, const std::vector<Setting>& settings,
                   std::map<std::string, std::string>& variables);

/// Throws UsageError if there is no such program, unless a preparation may make it.
void require_program(const Workload& workload, const std::filesystem::path& directory);

/// Sets the name and the format of all sides: those of the options; else the program that the first
/// and the last execute, and whether the first writes PERF_COMPARE_OUT, by running both once.
void name_and_format(std::vector<CommandSide>& sides, const Options& options, std::uint64_t seed,
                     const Policy& policy, const RunProcess& run_process);

/// A side as a revision of a name; its id is a digest of what was asked for, of the program, and of
/// `content`.
Revision command_revision(SideKind kind, const std::string& name, const CommandSide& side,
                          const std::string& program, const std::string& content = {});

/// The context of commands: without --db, the store is a file in `folder`.
Context open_commands(const Options& options, Spawner& spawner,
                      const std::filesystem::path& folder);

PlannedRun plan_commands(const Context& context, const Revision& base_revision,
                         const CommandSide& base, const Revision& head_revision,
                         const CommandSide& head, std::uint64_t seed);

/// What stands for checkouts, where nothing is traced.
Checkouts folders_of(const CommandSide& base, const CommandSide& head);

/// Finds out whether both commands run the same program; `folder` is new and kept as long as `run`.
void trace_commands(Run& run, const CommandSide& base, const CommandSide& head,
                    const std::filesystem::path& folder);

}  // namespace perf

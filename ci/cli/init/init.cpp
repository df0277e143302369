#include <filesystem>
#include <system_error>

#include "ci/cli/commands.h"
#include "ci/cli/init/proposal.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "ci/cli/run/signals.h"
#include "collector/git/repository.h"
#include "collector/process/temporary_folder.h"
#include "reporter/escape/terminal.h"
#include "schema/config.h"
#include "schema/error.h"
#include "schema/text/lists.h"
#include "schema/text/shell_words.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using reporter::terminal_text;

constexpr const char* kFile = "perf-compare.json";

fs::path config_path(const Options& options, const Repository& repository) {
  return options.config.empty() ? repository.workdir() / kFile : fs::path(options.config);
}

/// Throws UsageError for a path that must not be written. A dangling link counts as a file.
void require_free(const fs::path& file, bool force, const char* otherwise) {
  std::error_code ignored;
  const fs::file_status there = fs::symlink_status(file, ignored);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!fs::is_directory(folder, ignored)) {
    throw UsageError("no such folder", folder.string(), "mkdir -p " + folder.string());
  }
  refuse_links_out(folder, file.string());
  if (fs::is_directory(there)) {
    throw UsageError("not a file", file.string(), "pass a file: --config FILE");
  }
  if (fs::exists(there) && !force) {
    throw UsageError("the config exists already", file.string(),
                     std::string("--force overwrites it, ") + otherwise);
  }
}

std::string found_text(const Proposal& proposal) {
  const std::string found = joined(proposal.found, "", [](const std::string& one) {
    return "  found " + terminal_text(one) + "\n";
  });
  return (found.empty() ? "  found no known project: docs/init.md lists them\n" : found) +
         joined(proposal.notes, "",
                [](const std::string& note) { return "  to do: " + terminal_text(note) + "\n"; });
}

std::string written_text(const std::string& file, const Proposal& proposal) {
  const std::string workloads =
      counted(proposal.workloads.size(), "workload") + (proposal.tried ? " that worked" : "");
  const std::string begin = "Wrote " + terminal_text(file) + ": ";
  if (proposal.basis == Basis::example) {
    return begin + "an example to replace, because nothing to measure was found\n";
  }
  const bool is_program = proposal.basis == Basis::program;
  return begin + workloads +
         (is_program ? ", a whole program, because no benchmark was found\n" : "\n");
}

/// What is to be done to the config before anything is measured with it.
std::string first_step(const std::string& file, const Proposal& proposal) {
  if (proposal.basis == Basis::example) {
    return "replace the example in " + file + ": its command does nothing";
  }
  if (proposal.tried) {
    return "read " + file;
  }
  return "read " + file + ", and try its " +
         (build_lines(proposal).empty() ? "" : "build and its ") +
         (proposal.workloads.size() == 1 ? "command" : "commands") + " in a fresh clone";
}

std::string next_text(const std::string& file, bool elsewhere, const Proposal& proposal) {
  const std::string name = terminal_text(shell_word(file));
  const std::string config = elsewhere ? " --config " + name : "";
  std::string text = "\nNext:\n  " + first_step(terminal_text(file), proposal) + "\n";
  if (!proposal.tried && proposal.basis != Basis::example) {
    text += "  perf-compare init --try --force" + config + "    # or this: keeps what works here\n";
  }
  text += "  git add " + name + " && git commit -m \"Add a config for perf-compare\"\n";
  text += "  perf-compare selftest" + config + "         # can this gate fail at all?\n";
  text += "  perf-compare baseline HEAD" + config + "    # is HEAD slower than its baseline?\n";
  return text + "  docs/ci.md of perf-compare has the CI job, docs/init.md more about this file\n";
}

void write_config(const fs::path& file, const std::string& text) {
  try {
    write_text(file.string(), text);
  } catch (const Error& error) {
    throw Error("the config could not be written", error.subject,
                "check the disk and the rights of the folder, or pass --config FILE");
  }
}

/// Throws UsageError where a folder lies in the working tree, whose commits would have it.
void require_outside(const fs::path& folder, const fs::path& workdir) {
  const fs::path below =
      fs::weakly_canonical(fs::absolute(folder)).lexically_relative(fs::weakly_canonical(workdir));
  if (!below.empty() && *below.begin() != "..") {
    throw UsageError("the folder is inside the repository", folder.string(),
                     "pass a folder outside of it");
  }
}

int write_outside(const Options& options, const Repository& repository) {
  const fs::path folder = options.outside;
  require_outside(folder, repository.workdir());
  refuse_links_out(folder, "--outside " + options.outside);
  const auto files = outside_files(read_source_tree(repository));
  std::error_code failed;
  fs::create_directories(folder, failed);  // writing the first file reports a failure
  for (const auto& [name, text] : files) {
    require_free(folder / name, options.force, "or name another folder");
  }
  for (const auto& [name, text] : files) {
    write_config(folder / name, text);
  }
  if (!options.quiet) {
    write_text("-", "Wrote perf-compare.json, build.sh and bench.sh to " +
                        terminal_text(folder.string()) +
                        "\n\nNext:\n  have bench.sh do typical work, and build.sh build what it "
                        "needs\n  perf-compare --config " +
                        terminal_text(shell_word((folder / kFile).string())) +
                        " v1.0 HEAD    # any two commits\n"
                        "  docs/init.md of perf-compare has more\n");
  }
  return kFine;
}

}  // namespace

int init_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  if (!options.outside.empty()) {
    return write_outside(options, repository);
  }
  const fs::path file = config_path(options, repository);
  if (!options.dry_run) {
    require_free(file, options.force, "--config FILE writes another, --dry-run only prints");
  }
  Proposal proposal = propose_workloads(read_source_tree(repository));
  if (options.try_out) {
    catch_interruptions();
    spawner.set_interrupted(is_interrupted);
    remove_abandoned_folders();
    ProgressView progress(options);
    try_out(proposal, repository, progress);
    if (is_interrupted()) {
      return end_command({}, kFine);
    }
  }
  const std::string text = render_config(proposal);
  read_config(text, file.string());  // only a valid config is written
  if (options.dry_run) {
    write_text("-", text);
    return kFine;
  }
  write_config(file, text);
  if (!options.quiet) {
    const std::string shown = options.config.empty() ? kFile : options.config;
    write_text("-", written_text(shown, proposal) + found_text(proposal) +
                        next_text(shown, !options.config.empty(), proposal));
  }
  return kFine;
}

}  // namespace perf

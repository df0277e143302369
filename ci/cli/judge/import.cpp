#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/judge/judge_sessions.h"
#include "ci/cli/commands.h"
#include "ci/cli/judge/judge.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "ci/cli/run/context.h"
#include "collector/git/baseline.h"
#include "collector/machine/environment.h"
#include "collector/process/captured_text.h"
#include "reporter/escape/terminal.h"
#include "reporter/text/sentences.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/text/nearest_name.h"
#include "schema/text/text_parts.h"
#include "schema/text/wording.h"
#include "schema/workload_name.h"

namespace perf {
namespace {

/// A session, and the file that holds it.
struct FoundSession {
  ImportedSession session;
  std::string file;
};

/// The commit of a session, if the repository has it.
struct FoundCommit {
  std::optional<Revision> revision;
  std::string shown;  ///< as people call it
};

/// The machine that a session was measured on, and what to call it.
struct Machine {
  Environment environment;
  std::string shown;
};

/// More sessions than this are printed as a sum.
constexpr std::size_t kPrintedSingly = 4;

struct Tally {
  std::size_t found = 0;             ///< sessions of the files
  int sessions = 0;                  ///< stored, or there already
  int known = 0;                     ///< of them there already
  std::size_t benchmarks = 0;        ///< of all sessions
  std::set<std::string> commits{};   ///< oids
  std::set<std::string> machines{};  ///< as people call them
  std::set<std::string> warned{};    ///< warnings, each printed once
  std::vector<std::string> lost;     ///< commits that the repository does not have
};

void warn(const std::string& text) {
  std::fputs(("warning: " + reporter::terminal_text(text) + "\n").c_str(), stderr);
}

void validate(const Options& options) {
  const std::vector<std::string_view>& known = formats::foreign_formats();
  if (std::ranges::find(known, options.format) == known.end()) {
    throw UsageError("unknown format", options.format, instead_of(options.format, known));
  }
  if (options.import_rev == ".") {
    throw UsageError("the working tree is not a commit", "--rev .",
                     "name the commit that was measured, or compare files: perf-compare judge");
  }
  if (options.import_as.empty()) {
    return;
  }
  if (const std::string fault = fault_in_workload_name(options.import_as); !fault.empty()) {
    throw UsageError("invalid workload name", "--as " + options.import_as + ": it " + fault,
                     "use a name such as parser or micro/matmul");
  }
}

/// All files are read before a session is stored, so that a bad file leaves nothing behind.
std::vector<FoundSession> read_all(const Options& options) {
  std::vector<FoundSession> found;
  for (const std::string& file : options.files) {
    for (ImportedSession& session : read_sessions(file, options.format)) {
      const std::string source = file == "-" ? "standard input" : session.samples.source;
      found.push_back({std::move(session), source});
    }
  }
  return found;
}

/// Every session needs a commit, and --rev can be only one.
void require_commits(const std::vector<FoundSession>& sessions, const Options& options) {
  std::set<std::string> commits;
  for (const FoundSession& one : sessions) {
    if (!one.session.commit.empty()) {
      commits.insert(one.session.commit);
    } else if (options.import_rev.empty()) {
      throw UsageError("the file does not name a commit", one.file, "pass --rev REV");
    }
  }
  if (!options.import_rev.empty() && commits.size() > 1) {
    throw UsageError(
        "--rev does not apply to sessions of " + std::to_string(commits.size()) + " commits",
        "--rev " + options.import_rev, "leave --rev out");
  }
}

bool is_oid(const std::string& text) {
  constexpr std::size_t kShortest = 4, kLongest = 64;
  return text.size() >= kShortest && text.size() <= kLongest &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// The commit that a file names, not a branch of that name.
std::optional<Revision> commit_of_file(const Repository& repository, const std::string& commit) {
  if (!is_oid(commit)) {
    return std::nullopt;
  }
  try {
    std::optional<Revision> found = repository.find(commit);
    if (found && found->oid.starts_with(commit)) {
      return found;
    }
  } catch (const Error&) {  // ambiguous, no commit, or beyond where a clone was cut
  }
  return std::nullopt;
}

FoundCommit commit_of(const FoundSession& one, const std::optional<Revision>& asked,
                      const Context& context) {
  const std::string& said = one.session.commit;
  if (asked) {
    if (!said.empty() && !asked->oid.starts_with(said)) {
      warn(one.file + " was measured at " + said + ", and not " + asked->oid);
    }
    return {asked, asked->name};
  }
  FoundCommit found{commit_of_file(*context.repository, said), said};
  if (found.revision) {
    found.revision->rule = "the commit that the file names";
    found.shown = found.revision->subject;
  }
  return found;
}

/// Other facts of the file stay outside the fingerprint.
Environment named(std::map<std::string, std::string> machine, const Environment& told) {
  Environment environment;
  environment.facts = told.machine;
  environment.facts.insert(told.facts.begin(), told.facts.end());
  for (const auto& [name, value] : machine) {
    environment.facts.erase(name);
  }
  environment.fingerprint = fingerprint_of(machine);
  environment.machine = std::move(machine);
  return environment;
}

/// --environment, else the machine that the file identifies, else this one, which is probed once.
Machine machine_of(const ImportedSession& imported, const Context& context,
                   std::optional<Environment>& here) {
  const std::string& wanted = context.options.environment;
  const Environment& told = imported.samples.environment;
  if (!wanted.empty() && wanted != ".") {
    const std::string name = to_one_line(wanted);
    return {named({{"name", name}}, told), name};
  }
  if (wanted.empty() && !told.fingerprint.empty()) {
    return {named(machine_facts(told), told), "the machine in the file"};
  }
  if (!here) {
    here = probe_environment(this_machine(context.run_process));
  }
  return {*here, "this machine"};
}

/// "2 benchmarks of hyperfine", and with --as " as NAME".
std::string benchmarks_of(std::size_t count, const Options& options) {
  return (count == 0 ? "failures" : counted(count, "benchmark")) + " of " + options.format +
         (options.import_as.empty() ? "" : " as " + options.import_as);
}

void store_session(const FoundSession& one, const FoundCommit& commit, const Machine& machine,
                   Context& context, Tally& tally) {
  const Options& options = context.options;
  const ImportedRun run = imported_run(
      one.session,
      {options.format, options.import_as, options.size, *commit.revision, machine.environment});
  for (const Warning& warning : run.plan.warnings) {
    const std::string text = one.file + ": " + reporter::sentence(warning);
    if (tally.warned.insert(text).second) {
      warn(text);
    }
  }
  if (run.invocations.empty()) {
    warn(one.file + ": no benchmark has a value; the session is left out");
    return;
  }
  ++tally.sessions;
  tally.benchmarks += run.benchmarks;
  tally.commits.insert(commit.revision->oid);
  tally.machines.insert(machine.shown);
  const bool told_singly = tally.found <= kPrintedSingly && !options.quiet;
  constexpr std::size_t kDigits = 10;
  const std::string what =
      fmt::format("{} at {} ({}) on {}", benchmarks_of(run.benchmarks, options),
                  commit.revision->oid.substr(0, kDigits), reporter::terminal_text(commit.shown),
                  reporter::terminal_text(machine.shown));
  if (const auto known = context.store.find_imported(run.digest)) {
    ++tally.known;
    if (told_singly) {
      write_text("-", fmt::format("already imported: {}, run {}\n", what, *known));
    }
    return;
  }
  context.store.add_imported(run.plan, Policy{}, PERF_COMPARE_VERSION, run.invocations,
                             {options.format, one.file, run.digest, one.session.measured_at});
  if (told_singly) {
    write_text("-", fmt::format("imported {}\n", what));
  }
}

/// One line for many sessions.
void print_sum(const Tally& tally, const Options& options) {
  if (tally.found <= kPrintedSingly || tally.sessions == 0 || options.quiet) {
    return;
  }
  const std::string machine = tally.machines.size() == 1
                                  ? reporter::terminal_text(*tally.machines.begin())
                                  : fmt::format("{} machines", tally.machines.size());
  const std::string known =
      tally.known == 0 ? "" : fmt::format("; {} of the sessions were known already", tally.known);
  write_text("-", fmt::format("imported {} sessions of {} commits on {}: {}{}\n", tally.sessions,
                              tally.commits.size(), machine,
                              benchmarks_of(tally.benchmarks, options), known));
}

void print_lost(const Tally& tally, const Context& context) {
  if (tally.lost.empty()) {
    return;
  }
  const std::string hint = context.repository->is_shallow()
                               ? "; the clone is shallow: fetch the whole history (fetch-depth: 0)"
                               : "";
  warn(fmt::format("{} left out: this repository does not have {} ({}{}){}",
                   counted(tally.lost.size(), "session was", "sessions were"),
                   tally.lost.size() == 1 ? "its commit" : "their commits", tally.lost.front(),
                   tally.lost.size() > 1 ? ", ..." : "", hint));
}

}  // namespace

int import_command(const Options& options, Spawner& spawner) {
  validate(options);
  const std::vector<FoundSession> sessions = read_all(options);
  require_commits(sessions, options);
  Context context = open_context(options, spawner);
  std::optional<Revision> asked;
  if (!options.import_rev.empty()) {
    asked = resolve_head(*context.repository, options.import_rev,
                         {context.store.pins(), {}, environment_variable});
  }
  std::optional<Environment> here;
  Tally tally;
  tally.found = sessions.size();
  for (const FoundSession& one : sessions) {
    const FoundCommit commit = commit_of(one, asked, context);
    if (commit.revision) {
      store_session(one, commit, machine_of(one.session, context, here), context, tally);
    } else {
      tally.lost.push_back(commit.shown);
    }
  }
  print_sum(tally, options);
  print_lost(tally, context);
  if (tally.sessions == 0) {
    throw UsageError("nothing was imported", options.files.front(),
                     tally.lost.empty() ? "pass a file with values of a benchmark"
                                        : "pass the commit: --rev REV");
  }
  return kFine;
}

}  // namespace perf

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/cli/run/progress.h"
#include "collector/git/repository.h"

namespace perf {

/// The files of a repository that init reads.
struct SourceTree {
  std::vector<std::string> files;  ///< regular ones: paths from the top, sorted; not foreign ones
  bool cut = false;                ///< there are more files than init reads
  /// The text of one of them; empty where it cannot be opened or is larger than any source. Throws
  /// Error where the disk fails.
  std::function<std::string(const std::string& path)> read;
};

/// More files than this are not read, nor larger ones.
inline constexpr std::size_t kMostFiles = 50'000;
inline constexpr std::size_t kLargestFile = 1 << 20;

/// The files that git tracks or would track. Links are not followed; nothing of the repository is
/// run.
SourceTree read_source_tree(const Repository& repository);

/// Whether a path is in a folder of foreign sources (third_party, node_modules, ...) or test data.
bool is_foreign_source(std::string_view path);

/// "bench" of "bench/CMakeLists.txt"; empty at the top.
std::string folder_of(const std::string& path);
/// "CMakeLists.txt" of "bench/CMakeLists.txt".
std::string filename_of(const std::string& path);
/// The files of this name, those nearest to the top first.
std::vector<std::string> files_named(const SourceTree& tree, std::string_view name);
bool has_file(const SourceTree& tree, const std::string& path);

/// Whether a file contains the text.
bool holds(const SourceTree& tree, const std::string& file, std::string_view text);

/// A letter, digit or underscore of ASCII; and a name that is made of them and begins with no
/// digit.
bool is_word(char one);
bool is_identifier(std::string_view text);

/// A line of shell that builds. Lines of several workloads that begin alike are one, with the words
/// of all, so that one `cmake` gets every target.
struct BuildLine {
  std::string begin;
  std::vector<std::string> words{};
};

/// A line of shell as it is run in a folder.
std::string line_within(const std::string& folder, const std::string& line);

/// A workload that the config could have.
struct ProposedWorkload {
  std::string name;  ///< as found; the config makes a workload's name of it
  std::vector<std::string> command;
  std::string format;
  std::string comment;                ///< its origin, and what is left to do
  std::vector<BuildLine> build = {};  ///< none: what builds the whole project
  std::map<std::string, std::string> env = {};
  std::vector<std::string> example = {};  ///< lines of code for the comment
};

/// The kind of workloads of a proposal.
enum class Basis {
  benchmarks,  ///< or commands that hyperfine times
  program,     ///< one whole program, where there is no benchmark
  example      ///< a command that does nothing, where there is no program either
};

/// What was found in a repository.
struct Proposal {
  Basis basis = Basis::benchmarks;
  std::vector<std::string> found;  ///< sentences
  std::vector<BuildLine> build;    ///< of the whole project
  bool submodules = false;         ///< the build may need them
  std::vector<ProposedWorkload> workloads;
  std::vector<std::string> notes;     ///< what could not be used or was left out
  bool tried = false;                 ///< what is in `workloads` was built and run
  std::vector<std::string> left_out;  ///< what was tried and did not work, with the reason
  /// Whole programs that could be timed where there is no benchmark.
  std::vector<ProposedWorkload> programs;
};

/// A whole program, if there is no benchmark; `origin`: what builds it, after a comma.
ProposedWorkload whole_program(const std::string& name, const std::vector<std::string>& command,
                               const std::string& origin = {});

bool is_cpp_source(const std::string& file);
/// Whether a source has BENCHMARK("name") in a test case of Catch2.
bool has_catch2_benchmarks(const std::string& text);
/// The benchmarks of a test program; `sources`: its text, for their tag.
ProposedWorkload catch2_workload(const std::string& name, const std::string& program,
                                 const std::string& place, const std::string& sources);

/// What builds the workloads: lines of shell, each after the success of the one before.
std::vector<std::string> build_lines(const Proposal& proposal);

/// Each kind of project has its own file, and adds what it finds.
void detect_cmake(const SourceTree& tree, Proposal& proposal);
void detect_cargo(const SourceTree& tree, Proposal& proposal);
void detect_go(const SourceTree& tree, Proposal& proposal);
void detect_python(const SourceTree& tree, Proposal& proposal);
/// Takes Meson for the build only where nothing else builds.
void detect_meson(const SourceTree& tree, Proposal& proposal);
/// JMH, with Gradle or Maven.
void detect_jvm(const SourceTree& tree, Proposal& proposal);
/// BenchmarkDotNet.
void detect_dotnet(const SourceTree& tree, Proposal& proposal);
/// Notes benchmarks of Catch2 of which no program was found.
void detect_catch2(const SourceTree& tree, Proposal& proposal);
/// The scripts of package.json.
void detect_javascript(const SourceTree& tree, Proposal& proposal);
/// Takes Autotools or make for the build only where nothing else builds.
void detect_make(const SourceTree& tree, Proposal& proposal);
/// Commands that hyperfine times in scripts, recipes and CI jobs.
void detect_hyperfine(const SourceTree& tree, Proposal& proposal);
/// bench.sh and the like, where nothing else was found.
void detect_scripts(const SourceTree& tree, Proposal& proposal);
/// Manifests of other tools: a workload to complete, where there are benchmarks and nothing else.
void detect_others(const SourceTree& tree, Proposal& proposal);

/// All of the above. There is at least one workload, an example if nothing was found.
Proposal propose_workloads(const SourceTree& tree);

/// A command line of a script, its words without their quotes; variables stay as written.
struct ShellLine {
  std::size_t number = 0;          ///< of the line it begins on, from 1
  std::vector<std::string> words;  ///< behind the program
  std::string before{};            ///< the program, on its first line
};

/// The variables that `env:` (or `variables:`, `environment:`) sets for a line (from 1) of a CI job
/// in YAML: of the step, its job and the whole file, the nearest ones last. Values with templates
/// are left out; `unread` counts them.
std::map<std::string, std::string> env_of_line(std::string_view yaml, std::size_t line,
                                               std::size_t& unread);

/// The lines of a script, a recipe or a CI job that run a program: its name is followed by a blank,
/// and stands at the start or behind a blank, and not in a comment. Lines that end with a backslash
/// go on in the next; a pipe, a redirection, `;`, `&` or a comment ends the words.
std::vector<ShellLine> lines_running(std::string_view program, std::string_view text);

/// A perf-compare.json of the proposal, with comments about the origin of each part. It is valid
/// for any names of files and targets.
std::string render_config(const Proposal& proposal);

/// A config with a benchmark of its own, for commits that have none, as files by name: the config,
/// what builds the benchmark into a checkout, and an example of one.
std::map<std::string, std::string> outside_files(const SourceTree& tree);

/// Builds the workloads in the state of the working tree, and runs each once. Those that fail move
/// to `left_out`, with the reason. Returns early on a signal. Throws UsageError if there is no
/// commit yet, Error if no workload could be built and run.
void try_out(Proposal& proposal, const Repository& repository, ProgressView& progress);

}  // namespace perf

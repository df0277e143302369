#include <algorithm>
#include <array>
#include <sstream>

#include "ci/cli/init/proposal.h"

namespace perf {
namespace {

constexpr std::array<std::string_view, 3> kMakefiles{"GNUmakefile", "Makefile", "makefile"};
constexpr std::array<std::string_view, 4> kTargets{"bench", "benchmark", "benchmarks", "perf"};

/// Targets that sound like a benchmark.
std::vector<std::string> benchmark_targets(const std::string& text) {
  std::vector<std::string> targets;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || line.compare(colon, 2, ":=") == 0) {
      continue;
    }
    const std::string target = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    if (std::ranges::find(kTargets, target) != kTargets.end() &&
        std::ranges::find(targets, target) == targets.end()) {
      targets.push_back(target);
    }
  }
  return targets;
}

/// The programs that an Automake file installs: `bin_PROGRAMS = NAME...`.
std::vector<std::string> installed_programs(const std::string& text) {
  std::vector<std::string> programs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string variable, equals;
    if (words >> variable >> equals && variable == "bin_PROGRAMS" &&
        (equals == "=" || equals == "+=")) {
      for (std::string word; words >> word && word.find_first_of("$@\\#") == std::string::npos;) {
        programs.push_back(word);
      }
    }
  }
  return programs;
}

/// Built in place, as Autotools do unless told otherwise.
void detect_autotools(const SourceTree& tree, Proposal& proposal) {
  if (!has_file(tree, "configure.ac") || !proposal.build.empty()) {
    return;
  }
  proposal.found.push_back("Autotools (configure.ac)");
  if (!has_file(tree, "configure")) {
    proposal.build.push_back({"autoreconf --install"});
  }
  proposal.build.push_back({"./configure --quiet"});
  proposal.build.push_back({"make --silent --jobs 2"});
  for (const std::string& file : files_named(tree, "Makefile.am")) {
    for (const std::string& program : installed_programs(tree.read(file))) {
      proposal.programs.push_back(whole_program(
          program, {"./" + (folder_of(file).empty() ? "" : folder_of(file) + "/") + program},
          ", which " + file + " builds"));
    }
  }
}

}  // namespace

void detect_make(const SourceTree& tree, Proposal& proposal) {
  detect_autotools(tree, proposal);
  for (const std::string_view makefile : kMakefiles) {
    const std::string file(makefile);
    if (!has_file(tree, file)) {
      continue;
    }
    proposal.found.push_back("a " + file);
    if (proposal.build.empty()) {
      proposal.build.push_back({"make"});
    }
    for (const std::string& target : benchmark_targets(tree.read(file))) {
      proposal.found.push_back("a target of " + file + ": " + target);
      proposal.programs.push_back({target,
                                   {"make", "--silent", target},
                                   "process",
                                   "`make " + target +
                                       "`, timed as a whole, including what it builds. Better: "
                                       "name its program and that program's format here."});
    }
    return;
  }
}

}  // namespace perf

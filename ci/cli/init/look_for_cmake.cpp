#include <algorithm>
#include <map>

#include "ci/cli/init/cmake_project.h"
#include "ci/cli/init/proposal.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// One target to a line of cmake --build, so that what is not measured need not compile.
std::vector<BuildLine> build_of(const CMakeProject& project, const CMakeProgram* program) {
  const std::string top = folder_of(project.root);
  BuildLine configure{"cmake -S " + (top.empty() ? "." : shell_word("./" + top)) + " -B " +
                      project.build + " -DCMAKE_BUILD_TYPE=Release"};
  BuildLine build{"cmake --build " + project.build + " --parallel 2"};
  if (program != nullptr) {
    for (const std::string& option : program->switches) {
      if (shell_word(option) == option) {
        configure.words.push_back("-D" + option + "=ON");
      }
    }
    build.begin += " --target";
    build.words.push_back(shell_word(program->target));
  }
  return {configure, build};
}

ProposedWorkload benchmark_of(const CMakeProject& project, const CMakeProgram& one) {
  return {one.target,
          {one.folder + "/" + one.output, "--benchmark_out={out}", "--benchmark_out_format=json",
           "--benchmark_min_time=0.05"},
          "google-benchmark",
          "Google Benchmark, target " + one.target + " of " + one.file +
              ". Each of its benchmarks gets a verdict; --benchmark_filter=REGEX takes some.",
          build_of(project, &one)};
}

/// Which program stands in for benchmarks: rather one that is called so, rather none that tests or
/// shows something.
int rank_of(const CMakeProgram& one) {
  const std::string called = lower(one.file + "/" + one.target);
  const auto says = [&called](const char* word) { return called.find(word) != std::string::npos; };
  const bool is_other = says("test") || says("example") || says("sample") || says("fuzz");
  return says("bench") ? 0 : is_other ? 2 : 1;
}

void take(const CMakeProject& project, const CMakeProgram& one, Proposal& proposal) {
  if (one.is_benchmark) {
    proposal.found.push_back("Google Benchmark: target " + one.target + " (" + one.file + ")");
    proposal.workloads.push_back(benchmark_of(project, one));
  } else if (!one.is_test) {
    proposal.programs.push_back(whole_program(one.target, {one.folder + "/" + one.output},
                                              ", which " + one.file + " builds"));
    proposal.programs.back().build = build_of(project, &one);
  }
}

}  // namespace

void look_for_cmake(const SourceTree& tree, Proposal& proposal) {
  CMakeProject project = read_cmake_project(tree);
  std::ranges::stable_sort(project.programs, {}, rank_of);
  if (project.root.empty()) {
    return;
  }
  proposal.found.push_back("a CMake project" + (project.name.empty() ? "" : " " + project.name) +
                           " (" + project.root + ")");
  proposal.build = build_of(project, nullptr);
  std::map<std::string, std::string> hidden;  // by the variable
  for (const CMakeProgram& one : project.programs) {
    if (one.hidden_by.empty()) {
      take(project, one, proposal);
    } else if (one.is_benchmark) {
      hidden[one.hidden_by] += " " + one.target;
    }
  }
  for (const auto& [variable, targets] : hidden) {
    proposal.notes.push_back("Google Benchmark is linked only where " + variable +
                             " is on, which it is not here:" + targets);
  }
  for (const std::string& one : project.unread) {
    proposal.notes.push_back("Google Benchmark is linked to the target " + one +
                             ", whose program could not be told: add it by hand");
  }
  if (project.finds_benchmark && proposal.workloads.empty() && project.unread.empty()) {
    proposal.notes.push_back(
        "Google Benchmark is looked for, and no target was seen to link it: add it by hand");
  }
}

}  // namespace perf

#include <algorithm>
#include <set>

#include "ci/cli/init/proposal.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

/// Whether a _test.go has `func BenchmarkName(b *testing.B)`, at the start of a line.
bool has_benchmark(const std::string& text) {
  constexpr std::string_view kFunction = "func Benchmark";
  for (std::size_t at = 0; (at = text.find(kFunction, at)) != std::string::npos; ++at) {
    const std::size_t end = text.find(')', at);
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    if (begins_line && end != std::string::npos &&
        text.substr(at, end - at).find("*testing.B") != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::string module_of(const std::string& text) {
  const std::size_t at = text.starts_with("module ") ? 0 : text.find("\nmodule ");
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t begin = text.find(' ', at) + 1;
  return text.substr(begin, text.find_first_of(" \r\n", begin) - begin);
}

/// The compiled tests of a package: in its folder, where they find their testdata.
constexpr const char* kProgram = "perf-compare.test";

ProposedWorkload benchmarks_of(const std::string& folder) {
  const std::string package = folder.empty() ? "." : "./" + folder;
  const std::vector<std::string> options{"-test.run",       "^$",   "-test.bench",   ".",
                                         "-test.benchtime", "50ms", "-test.benchmem"};
  ProposedWorkload workload{folder.empty() ? "go" : folder, {}, "go", ""};
  if (folder.empty()) {
    workload.command = {std::string("./") + kProgram};
    workload.command.insert(workload.command.end(), options.begin(), options.end());
  } else {
    std::string line = "cd " + shell_word(package) + " && exec ./" + kProgram;
    for (const std::string& option : options) {
      line += " " + shell_word(option);
    }
    workload.command = {"sh", "-c", line};
  }
  workload.comment = "Go benchmarks of the package ./" + folder +
                     ", compiled by the build and run in its folder. -test.bench REGEX takes some.";
  workload.build.push_back(
      {"go test -c -o " + shell_word(package + "/" + kProgram) + " " + shell_word(package)});
  return workload;
}

}  // namespace

void detect_go(const SourceTree& tree, Proposal& proposal) {
  if (!has_file(tree, "go.mod")) {
    return;
  }
  const std::string module = module_of(tree.read("go.mod").value_or(""));
  proposal.found.push_back("a Go module" + (module.empty() ? "" : " " + module));
  const std::vector<std::string> modules = files_named(tree, "go.mod");
  std::set<std::string> folders;
  for (const std::string& file : tree.files) {
    const std::string folder = folder_of(file);
    // In a module of its own, which go at the top skips.
    const bool elsewhere = std::ranges::any_of(modules, [&folder](const auto& one) {
      return one != "go.mod" && (folder + "/").starts_with(folder_of(one) + "/");
    });
    if (file.ends_with("_test.go") && !elsewhere && folders.count(folder) == 0 &&
        has_benchmark(tree.read(file).value_or(""))) {
      folders.insert(folder);
    }
  }
  for (const std::string& folder : folders) {
    proposal.found.push_back("Go benchmarks: package ./" + folder);
    proposal.workloads.push_back(benchmarks_of(folder));
  }
  const bool has_program = has_file(tree, "main.go");
  proposal.build.push_back({has_program ? "go build -o perf-compare.bin ." : "go build ./..."});
  if (has_program) {
    proposal.programs.push_back(
        whole_program(module.empty() ? "program" : filename_of(module), {"./perf-compare.bin"}));
  }
}

}  // namespace perf

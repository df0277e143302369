#include <map>
#include <set>
#include <sstream>

#include "ci/cli/init/proposal.h"
#include "schema/text/lists.h"
#include "schema/text/shell_words.h"
#include "schema/text/wording.h"

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

/// `module`: the folder with its go.mod.
ProposedWorkload benchmarks_of(const std::string& folder, const std::string& module) {
  const std::string package = folder.empty() ? "." : "./" + folder;
  const std::vector<std::string> options{"-test.run",       "^$",   "-test.bench",   ".",
                                         "-test.benchtime", "50ms", "-test.benchmem"};
  ProposedWorkload workload{folder.empty() ? "go" : folder, {}, "go", ""};
  if (folder.empty()) {
    workload.command = {std::string("./") + kProgram};
    workload.command.insert(workload.command.end(), options.begin(), options.end());
  } else {
    workload.command = {"sh", "-c",
                        "cd " + shell_word(package) + " && exec ./" + kProgram + " " +
                            joined(options, " ", shell_word)};
  }
  workload.comment =
      "Go benchmarks of the package ./" + folder +
      ", compiled by the build and run in its folder. -test.bench REGEX selects some.";
  const std::string below =
      folder == module ? "." : "./" + folder.substr(module.empty() ? 0 : module.size() + 1);
  const std::string compile =
      "go test -c -o " + shell_word(below + "/" + kProgram) + " " + shell_word(below);
  workload.build.push_back({line_within(module, compile)});
  return workload;
}

/// The folders that a go.work uses: `use ./api`, or a block of them.
std::set<std::string> used_by(const std::string& text) {
  std::set<std::string> folders;
  std::istringstream lines(text);
  bool in_use = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find("//")));
    std::string word;
    words >> word;
    if (word == "use" || word == "use(") {
      in_use = true;
      words >> word;
    }
    if (in_use && word != "use" && word != "use(" && word != "(" && word != ")" && !word.empty()) {
      word = word.starts_with("./") ? word.substr(2) : word;
      folders.insert(word == "." ? "" : word.substr(0, word.find_last_not_of('/') + 1));
    }
    in_use = in_use && (line.find('(') != std::string::npos ||
                        (line.find("use") == std::string::npos && word != ")"));
  }
  return folders;
}

/// The folders of the modules that are searched: those of go.work, else the one at the top,
/// else all.
std::set<std::string> modules_of(const SourceTree& tree) {
  std::set<std::string> all, used = used_by(tree.read("go.work"));
  for (const std::string& file : files_named(tree, "go.mod")) {
    all.insert(folder_of(file));
  }
  if (has_file(tree, "go.work")) {
    std::erase_if(used, [&](const std::string& folder) { return !all.contains(folder); });
    return used;
  }
  return all.contains("") ? std::set<std::string>{""} : all;
}

}  // namespace

void detect_go(const SourceTree& tree, Proposal& proposal) {
  const std::set<std::string> used = modules_of(tree);
  if (used.empty()) {
    return;
  }
  if (has_file(tree, "go.work")) {
    proposal.found.push_back("a Go workspace (go.work) of " + counted(used.size(), "module"));
  }
  std::map<std::string, std::string> packages;  // folder -> that of its module
  for (const std::string& file : tree.files) {
    std::string module = folder_of(file);
    while (!module.empty() && !has_file(tree, module + "/go.mod")) {
      module = folder_of(module);
    }
    if (file.ends_with("_test.go") && used.contains(module) &&
        !packages.contains(folder_of(file)) && has_benchmark(tree.read(file))) {
      packages.emplace(folder_of(file), module);
    }
  }
  for (const std::string& module : used) {
    const std::string place = module.empty() ? "" : module + "/";
    const std::string name = module_of(tree.read(place + "go.mod"));
    proposal.found.push_back("a Go module" + (name.empty() ? "" : " " + name));
    const bool has_program = has_file(tree, place + "main.go");
    const std::string compile = has_program ? "go build -o perf-compare.bin ." : "go build ./...";
    proposal.build.push_back({line_within(module, compile)});
    if (has_program) {
      proposal.programs.push_back(whole_program(name.empty() ? "program" : filename_of(name),
                                                {"./" + place + "perf-compare.bin"}));
    }
  }
  for (const auto& [folder, module] : packages) {
    proposal.found.push_back("Go benchmarks: package ./" + folder);
    proposal.workloads.push_back(benchmarks_of(folder, module));
  }
}

}  // namespace perf

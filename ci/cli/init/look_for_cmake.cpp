#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "ci/cli/init/cmake_commands.h"
#include "ci/cli/init/proposal.h"
#include "schema/shell_words.h"

namespace perf {
namespace {

constexpr std::array<std::string_view, 4> kGoogleBenchmark{
    "benchmark", "benchmark_main", "benchmark::benchmark", "benchmark::benchmark_main"};
/// What a program links that is a test, not a program to time.
constexpr std::array<std::string_view, 8> kTestLibraries{
    "gtest",      "gtest_main",        "GTest::gtest",   "GTest::gtest_main",
    "gmock_main", "GTest::gmock_main", "Catch2::Catch2", "Catch2::Catch2WithMain"};

struct Executable {
  std::string target;
  std::string file;    ///< the CMakeLists.txt that adds it
  std::string folder;  ///< where its program is put, from the top of the checkout
  bool is_benchmark = false;
  bool is_test = false;
};

/// What the CMakeLists.txt of a project say, read from the top downwards.
struct CMakeProject {
  std::string top;  ///< folder of the root CMakeLists.txt
  std::string name;
  std::vector<Executable> executables;
  std::set<std::string> switches;  ///< options about benchmarks that are off
  bool finds_benchmark = false;
  std::vector<std::string> unread;  ///< benchmarks whose names could not be followed

  CMakeVariables variables;

  void read(const std::string& file, const std::string& text);
  void add_executable(const CMakeCommand& command, const std::string& file);
  void link(const CMakeCommand& command, const std::string& file);
  void move(const CMakeCommand& command);
  void take_option(const CMakeCommand& command);
};

std::string build_folder_of(const std::string& top, const std::string& file) {
  const std::string folder = folder_of(file);
  const std::string below =
      folder.substr(std::min(folder.size(), top.empty() ? 0 : top.size() + 1));
  return below.empty() ? "build" : "build/" + below;
}

/// A folder of the build tree that is known to its end.
bool is_below_build(const std::string& folder) {
  return (folder == "build" || folder.starts_with("build/")) &&
         folder.find_first_of("$<") == std::string::npos;
}

void CMakeProject::add_executable(const CMakeCommand& command, const std::string& file) {
  const std::string& target = command.arguments[0];
  const bool is_program = command.arguments.size() > 1 && command.arguments[1] != "ALIAS" &&
                          command.arguments[1] != "IMPORTED";
  if (!is_program || target.find('$') != std::string::npos || target.empty() || target[0] == '-') {
    return;
  }
  std::string folder = build_folder_of(top, file);
  const auto output = variables.find("CMAKE_RUNTIME_OUTPUT_DIRECTORY");
  if (output != variables.end() && is_below_build(output->second)) {
    folder = output->second;
  }
  executables.push_back({target, file, folder});
}

void CMakeProject::link(const CMakeCommand& command, const std::string& file) {
  const auto links = [&command](const auto& libraries) {
    return std::any_of(command.arguments.begin() + 1, command.arguments.end(),
                       [&](const std::string& one) {
                         return std::ranges::find(libraries, one) != libraries.end();
                       });
  };
  const auto at = std::ranges::find_if(executables, [&command](const Executable& one) {
    return one.target == command.arguments[0];
  });
  const bool is_benchmark = links(kGoogleBenchmark);
  if (at != executables.end()) {
    at->is_benchmark = at->is_benchmark || is_benchmark;
    at->is_test = at->is_test || links(kTestLibraries);
  } else if (is_benchmark) {
    unread.push_back(command.arguments[0] + " in " + file);
  }
}

/// set_target_properties(TARGET... PROPERTIES NAME VALUE ...): where programs are put.
void CMakeProject::move(const CMakeCommand& command) {
  const auto end = command.arguments.end();
  const auto properties = std::find(command.arguments.begin(), end, "PROPERTIES");
  const auto key = std::find(properties, end, "RUNTIME_OUTPUT_DIRECTORY");
  if (key == end || key + 1 == end || !is_below_build(*(key + 1))) {
    return;
  }
  for (Executable& one : executables) {
    if (std::find(command.arguments.begin(), properties, one.target) != properties) {
      one.folder = *(key + 1);
    }
  }
}

void CMakeProject::take_option(const CMakeCommand& command) {
  const std::string& option = command.arguments[0];
  std::string upper = option;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char one) { return static_cast<char>(std::toupper(one)); });
  const bool is_off = command.arguments.size() < 3 || command.arguments[2] == "OFF" ||
                      command.arguments[2] == "FALSE" || command.arguments[2] == "0";
  if (is_off && upper.find("BENCH") != std::string::npos) {
    switches.insert(option);
  }
}

void CMakeProject::read(const std::string& file, const std::string& text) {
  variables["CMAKE_CURRENT_BINARY_DIR"] = build_folder_of(top, file);
  for (CMakeCommand& command : read_cmake_commands(text)) {
    for (std::string& argument : command.arguments) {
      argument = expand_cmake(argument, variables);
    }
    if (command.arguments.empty()) {
      continue;
    }
    const std::string& first = command.arguments[0];
    if (command.name == "project") {
      variables["PROJECT_NAME"] = first;
      name = name.empty() ? first : name;
    } else if (command.name == "set" && command.arguments.size() == 2) {
      variables[first] = command.arguments[1];
    } else if (command.name == "option") {
      take_option(command);
    } else if (command.name == "find_package" || command.name == "fetchcontent_declare") {
      finds_benchmark = finds_benchmark || first == "benchmark" || first == "googlebenchmark";
    } else if (command.name == "add_executable") {
      add_executable(command, file);
    } else if (command.name == "set_target_properties") {
      move(command);
    } else if (command.name == "target_link_libraries") {
      link(command, file);
    }
  }
}

ProposedWorkload benchmark_of(const Executable& one) {
  return {one.target,
          {one.folder + "/" + one.target, "--benchmark_out={out}", "--benchmark_out_format=json",
           "--benchmark_min_time=0.05"},
          "google-benchmark",
          "Google Benchmark, target " + one.target + " of " + one.file +
              ". Each of its benchmarks gets a verdict; --benchmark_filter=REGEX takes some."};
}

/// One target to a line of cmake --build, so that what is not measured need not compile.
std::string build_line(const CMakeProject& project, const std::vector<Executable>& wanted) {
  std::string line = "cmake -S " + (project.top.empty() ? "." : shell_word("./" + project.top)) +
                     " -B build -DCMAKE_BUILD_TYPE=Release";
  for (const std::string& option : project.switches) {
    if (shell_word(option) == option) {
      line += " -D" + option + "=ON";
    }
  }
  line += " && cmake --build build --parallel 2";
  if (!wanted.empty()) {
    line += " --target";
  }
  for (const Executable& one : wanted) {
    line += " " + shell_word(one.target);
  }
  return line;
}

/// The top of the project: the CMakeLists.txt nearest to the top that says project().
std::string find_root(const SourceTree& tree, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const auto commands = read_cmake_commands(tree.read(file).value_or(""));
    if (std::ranges::any_of(commands,
                            [](const CMakeCommand& one) { return one.name == "project"; })) {
      return file;
    }
  }
  return {};
}

}  // namespace

void look_for_cmake(const SourceTree& tree, Proposal& proposal) {
  const std::vector<std::string> files = files_named(tree, "CMakeLists.txt");
  const std::string root = find_root(tree, files);
  if (root.empty()) {
    return;
  }
  CMakeProject project;
  project.top = folder_of(root);
  for (const char* folder : {"CMAKE_BINARY_DIR", "PROJECT_BINARY_DIR"}) {
    project.variables[folder] = "build";
  }
  for (const std::string& file : files) {
    if (project.top.empty() || file.starts_with(project.top + "/")) {
      project.read(file, tree.read(file).value_or(""));
    }
  }
  proposal.found.push_back("a CMake project" + (project.name.empty() ? "" : " " + project.name) +
                           " (" + root + ")");
  std::vector<Executable> benchmarks;
  for (const Executable& one : project.executables) {
    if (one.is_benchmark) {
      benchmarks.push_back(one);
      proposal.found.push_back("Google Benchmark: target " + one.target + " (" + one.file + ")");
      proposal.workloads.push_back(benchmark_of(one));
    } else if (!one.is_test) {
      proposal.programs.push_back(whole_program(one.target, {one.folder + "/" + one.target},
                                                ", which " + one.file + " builds"));
    }
  }
  for (const std::string& one : project.unread) {
    proposal.notes.push_back("Google Benchmark is linked to the target " + one +
                             ", whose program could not be told: add it by hand");
  }
  if (project.finds_benchmark && benchmarks.empty() && project.unread.empty()) {
    proposal.notes.push_back(
        "Google Benchmark is looked for, and no target was seen to link it: add it by hand");
  }
  proposal.build.push_back(build_line(project, benchmarks));
}

}  // namespace perf

#include "ci/cli/init/cmake_project.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "schema/text/text_parts.h"

namespace perf {
namespace {

using Names = std::set<std::string>;
using Words = std::vector<std::string>;

constexpr const char* kLists = "CMakeLists.txt";
const Names kGoogleBenchmark{"benchmark", "benchmark_main", "benchmark::benchmark",
                             "benchmark::benchmark_main"};
/// What a program links that is a test, not a program to time.
const Names kTestLibraries{
    "gtest",      "gtest_main",        "GTest::gtest",   "GTest::gtest_main",
    "gmock_main", "GTest::gmock_main", "Catch2::Catch2", "Catch2::Catch2WithMain"};

/// A project that is being read.
struct Reading {
  const SourceTree& tree;
  CMakeProject project{};
  Names options{}, switches{};  ///< those that were declared; of them those that are off
  Names seen{};                 ///< files
};

/// What holds for whatever a place of a CMakeLists.txt adds.
struct Scope {
  std::string folder;  ///< of the CMakeLists.txt
  CMakeVariables variables;
  Names switches;
  std::string hidden_by;
  bool links_benchmark = false, links_tests = false;  ///< link_libraries()
};

void read_file(const std::string& file, Scope& scope, Reading& reading);

bool is_off(const std::string& value) {
  return Names{"off", "false", "no", "n", "0"}.count(lower(value)) > 0;
}

bool is_about_benchmarks(const std::string& option) {
  return lower(option).find("bench") != std::string::npos;
}

bool any_of(const Words& words, const Names& names) {
  return std::ranges::any_of(words, [&](const auto& word) { return names.count(word) > 0; });
}

bool says_project(const SourceTree& tree, const std::string& file) {
  const auto commands = read_cmake_commands(tree.read(file).value_or(""));
  return std::ranges::find(commands, "project", &CMakeCommand::name) != commands.end();
}

/// Some have a script "build", or sources in a folder of that name.
std::string free_folder(const SourceTree& tree) {
  const auto below = std::ranges::lower_bound(tree.files, "build/");
  const bool has_folder = below != tree.files.end() && below->starts_with("build/");
  return has_folder || has_file(tree, "build") ? "cmake-build" : "build";
}

/// A folder of the build tree that is known to its end.
bool is_below_build(const std::string& folder, const CMakeProject& project) {
  return (folder == project.build || folder.starts_with(project.build + "/")) &&
         folder.find_first_of("$<") == std::string::npos;
}

std::string build_folder(const CMakeProject& project, const std::string& folder) {
  const std::string top = folder_of(project.root);
  const std::string below =
      folder.substr(std::min(folder.size(), top.empty() ? 0 : top.size() + 1));
  return below.empty() ? project.build : project.build + "/" + below;
}

Scope inside(const std::vector<CMakeBranches>& blocks, Scope scope, const Reading& reading) {
  for (const CMakeBranches& block : blocks) {
    scope.switches.insert(block.on.begin(), block.on.end());
    for (const std::string& name : block.names) {
      const auto known = scope.variables.find(name);
      if (known != scope.variables.end() && is_off(known->second) &&
          reading.options.count(name) == 0) {
        scope.hidden_by = name;
      }
    }
  }
  return scope;
}

void enter(const std::string& folder, Scope scope, Reading& reading) {
  const std::filesystem::path path = std::filesystem::path("/" + scope.folder) / folder / kLists;
  const std::string file = path.lexically_normal().string().substr(1);
  scope.folder = folder_of(file);
  scope.variables["CMAKE_CURRENT_SOURCE_DIR"] = "/" + scope.folder;
  scope.variables["CMAKE_CURRENT_BINARY_DIR"] = build_folder(reading.project, scope.folder);
  read_file(file, scope, reading);
}

void add_program(const Words& arguments, const std::string& file, const Scope& scope,
                 CMakeProject& project) {
  const std::string& target = arguments[0];
  const bool is_program =
      arguments.size() > 1 && arguments[1] != "ALIAS" && arguments[1] != "IMPORTED";
  if (!is_program || target.find('$') != std::string::npos || target.empty() || target[0] == '-') {
    return;
  }
  const auto output = scope.variables.find("CMAKE_RUNTIME_OUTPUT_DIRECTORY");
  const bool is_told = output != scope.variables.end() && is_below_build(output->second, project);
  project.programs.push_back(
      {target, file, is_told ? output->second : build_folder(project, scope.folder), target,
       scope.links_benchmark, scope.links_tests, scope.switches, scope.hidden_by});
}

void link(const Words& arguments, const std::string& file, Reading& reading) {
  const Words libraries(arguments.begin() + 1, arguments.end());
  const bool is_benchmark = any_of(libraries, kGoogleBenchmark);
  auto& programs = reading.project.programs;
  const auto at = std::ranges::find(programs, arguments[0], &CMakeProgram::target);
  if (at != programs.end()) {
    at->is_benchmark = at->is_benchmark || is_benchmark;
    at->is_test = at->is_test || any_of(libraries, kTestLibraries);
  } else if (is_benchmark) {
    reading.project.unread.push_back(arguments[0] + " in " + file);
  }
}

/// set_target_properties(TARGET... PROPERTIES NAME VALUE ...): where programs are put, and by what
/// name.
void move_programs(const Words& arguments, CMakeProject& project) {
  const auto end = arguments.end();
  const auto properties = std::find(arguments.begin(), end, "PROPERTIES");
  const auto value = [&](const char* key) {
    const auto at = std::find(properties, end, key);
    return at == end || at + 1 == end ? "" : *(at + 1);
  };
  const std::string folder = value("RUNTIME_OUTPUT_DIRECTORY");
  const std::string own = value("RUNTIME_OUTPUT_NAME");
  const std::string output = own.empty() ? value("OUTPUT_NAME") : own;
  for (CMakeProgram& one : project.programs) {
    if (std::find(arguments.begin(), properties, one.target) == properties) {
      continue;
    }
    if (is_below_build(folder, project)) {
      one.folder = folder;
    }
    if (!output.empty() && output.find_first_of("$<") == std::string::npos) {
      one.output = output;
    }
  }
}

void take(const CMakeCommand& command, const std::string& file,
          const std::vector<CMakeBranches>& blocks, Scope& scope, Reading& reading) {
  const Words& arguments = command.arguments;
  const std::string& first = arguments[0];
  if (command.name == "project") {
    scope.variables["PROJECT_NAME"] = first;
    reading.project.name = reading.project.name.empty() ? first : reading.project.name;
  } else if (command.name == "set" && arguments.size() == 2) {
    scope.variables[first] = arguments[1];
  } else if (command.name == "option") {
    reading.options.insert(first);
    if (arguments.size() < 3 || is_off(arguments[2])) {
      reading.switches.insert(first);
    }
  } else if (command.name == "find_package" || command.name == "fetchcontent_declare") {
    reading.project.finds_benchmark |= first == "benchmark" || first == "googlebenchmark";
  } else if (command.name == "include") {  // by its name: where modules lie is not followed
    const std::string name = filename_of(first) + (first.ends_with(".cmake") ? "" : ".cmake");
    const Words modules = files_named(reading.tree, name);
    read_file(modules.empty() ? "" : modules.front(), scope, reading);
  } else if (command.name == "add_subdirectory") {
    enter(first, inside(blocks, scope, reading), reading);
  } else if (command.name == "add_executable") {
    add_program(arguments, file, inside(blocks, scope, reading), reading.project);
  } else if (command.name == "set_target_properties") {
    move_programs(arguments, reading.project);
  } else if (command.name == "link_libraries") {
    scope.links_benchmark |= any_of(arguments, kGoogleBenchmark);
    scope.links_tests |= any_of(arguments, kTestLibraries);
  } else if (command.name == "target_link_libraries") {
    link(arguments, file, reading);
  }
}

void read_file(const std::string& file, Scope& scope, Reading& reading) {
  if (!has_file(reading.tree, file) || !reading.seen.insert(file).second) {
    return;
  }
  std::vector<CMakeBranches> blocks;
  for (CMakeCommand& command : read_cmake_commands(reading.tree.read(file).value_or(""))) {
    for (std::string& argument : command.arguments) {
      argument = expand_cmake(argument, scope.variables);
    }
    if (follow_branches(command, reading.switches, blocks)) {
      continue;
    }
    if (command.name == "return" && blocks.empty()) {
      return;
    }
    if (command.name == "return" && blocks.size() == 1) {
      scope.switches.merge(Names(blocks[0].else_on));  // or what follows is not reached
    } else if (!command.arguments.empty()) {
      take(command, file, blocks, scope, reading);
    }
  }
}

void read_all(const std::string& root, const Words& lists, Reading& reading) {
  reading.project = {root, free_folder(reading.tree), {}, {}, {}, {}};
  reading.seen.clear();
  const std::string top = folder_of(root);
  Scope scope;
  scope.variables = {{"CMAKE_BINARY_DIR", reading.project.build},
                     {"PROJECT_BINARY_DIR", reading.project.build},
                     {"CMAKE_SOURCE_DIR", "/" + top},
                     {"PROJECT_SOURCE_DIR", "/" + top}};
  enter(top, scope, reading);
  // What no plain add_subdirectory() led to, but for projects of their own.
  scope.variables["PROJECT_NAME"] = reading.project.name;
  for (const std::string& file : lists) {
    if ((top.empty() || file.starts_with(top + "/")) && !says_project(reading.tree, file)) {
      enter(folder_of(file), scope, reading);
    }
  }
}

CMakeProject read_project(const std::string& root, const Words& lists, const SourceTree& tree) {
  Reading reading{tree};
  read_all(root, lists, reading);  // for the options: some are declared behind what asks for them
  read_all(root, lists, reading);
  for (CMakeProgram& one : reading.project.programs) {
    if (one.is_benchmark && one.switches.empty()) {  // nothing tells what it hangs on
      std::ranges::copy_if(reading.switches, std::inserter(one.switches, one.switches.end()),
                           is_about_benchmarks);
    }
  }
  return std::move(reading.project);
}

}  // namespace

CMakeProject read_cmake_project(const SourceTree& tree) {
  const Words lists = files_named(tree, kLists);
  CMakeProject nearest;
  for (const std::string& root : lists) {
    if (!says_project(tree, root)) {
      continue;
    }
    CMakeProject project = read_project(root, lists, tree);
    if (std::ranges::any_of(project.programs, &CMakeProgram::is_benchmark)) {
      return project;
    }
    if (nearest.root.empty()) {
      nearest = std::move(project);
    }
  }
  return nearest;
}

}  // namespace perf

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "ci/cli/init/proposal.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"

// Targets are found by pattern: a CMakeLists.txt is read from top to bottom, with the options that
// its if() blocks name, foreach() once an item. Other loops, functions and conditions are not
// evaluated: `init --try` shows which targets work.

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

/// `name(argument argument)`; the name in small letters, the arguments without their quotes.
struct CMakeCommand {
  std::string name;
  Words arguments;
};

/// Options that a place of a CMakeLists.txt needs, and those that the else() of its block needs.
struct CMakeBlock {
  Names on, off;
};

/// Applies to everything that a folder adds.
struct CMakeFolder {
  std::map<std::string, std::string> variables;
  Names switches;
  bool links_benchmark = false, links_tests = false;  ///< link_libraries()
};

struct CMakeProgram {
  std::string target;
  std::string file;                            ///< the CMakeLists.txt that adds it
  std::string folder;                          ///< of its file, from the top of the checkout
  std::string output;                          ///< the name of its file there
  bool is_benchmark = false, is_test = false;  ///< by what it links
  Names switches;                              ///< options that are off, and that it needs
  Words sources{};                             ///< as written
};

struct CMakeProject {
  std::string root;   ///< the file with project(); empty: there is none
  std::string build;  ///< the folder to build it in, from the top, unused by the repository
  std::string name{};
  Names switches{};                              ///< options that are off by default
  std::map<std::string, CMakeFolder> folders{};  ///< that add_subdirectory() names
  std::vector<CMakeProgram> programs{};
  bool finds_benchmark = false;
  Words unread{};  ///< benchmarks whose names hold variables
};

bool any_of(const Words& words, const Names& names) {
  return std::ranges::any_of(words, [&](const auto& word) { return names.count(word) > 0; });
}

/// The words of a command's arguments, up to its last parenthesis.
Words read_arguments(std::string_view text, std::size_t& at) {
  Words words;
  bool in_word = false;
  for (int depth = 1; at < text.size() && depth > 0; ++at) {
    const char one = text[at];
    if (one == '#') {
      at = std::min(text.find('\n', at), text.size() - 1);
    }
    const bool ends = std::string_view(" \t\r\n#()").find(one) != std::string_view::npos;
    depth += one == '(' ? 1 : one == ')' ? -1 : 0;
    if (ends) {
      in_word = false;
      continue;
    }
    if (!std::exchange(in_word, true)) {
      words.emplace_back();
    }
    if (one == '"') {
      while (++at < text.size() && text[at] != '"') {
        at += text[at] == '\\' ? 1 : 0;
        words.back() += at < text.size() ? text[at] : '\\';
      }
    } else {
      words.back() += one;
    }
  }
  return words;
}

std::vector<CMakeCommand> read_commands(std::string_view text) {
  std::vector<CMakeCommand> commands;
  std::string name;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char one = text[at];
    if (one == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (one == '(' && !name.empty()) {
      commands.push_back({lower(name), read_arguments(text, ++at)});
      --at;
    }
    if (is_word(one)) {
      name += one;
    } else if (one != ' ' && one != '\t') {
      name.clear();
    }
  }
  return commands;
}

/// `text` with each ${NAME} that is known replaced; unknown ones stay as they are.
std::string expand(std::string text, const std::map<std::string, std::string>& variables) {
  constexpr std::size_t kLongest = 4000;
  for (std::size_t at = 0; (at = text.find("${", at)) != std::string::npos;) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos || text.size() > kLongest) {
      break;
    }
    const auto known = variables.find(text.substr(at + 2, end - at - 2));
    if (known == variables.end()) {
      at = end;
    } else {
      text.replace(at, end + 1 - at, known->second);
      at += known->second.size();  // values were expanded when they were set
    }
  }
  return text;
}

bool has_project(const SourceTree& tree, const std::string& file) {
  const auto commands = read_commands(tree.read(file));
  return std::ranges::find(commands, "project", &CMakeCommand::name) != commands.end();
}

/// Some have a script "build", or sources in a folder of that name.
std::string free_folder(const SourceTree& tree) {
  const auto below = std::ranges::lower_bound(tree.files, "build/");
  const bool has_folder = below != tree.files.end() && below->starts_with("build/");
  return has_folder || has_file(tree, "build") ? "cmake-build" : "build";
}

/// A folder of the build tree without variables.
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

/// Takes in a command that begins, turns or ends an if(); `blocks` are those around the place,
/// first the whole file. False for any other command.
bool follow_block(const CMakeCommand& command, const Names& switches,
                  std::vector<CMakeBlock>& blocks) {
  CMakeBlock& block = blocks.back();
  if (command.name == "if") {
    CMakeBlock inner;
    const Words& condition = command.arguments;
    for (std::size_t i = 0; i < condition.size(); ++i) {
      if (switches.count(condition[i]) > 0) {
        (i > 0 && condition[i - 1] == "NOT" ? inner.off : inner.on).insert(condition[i]);
      }
    }
    blocks.push_back(std::move(inner));
  } else if (command.name == "endif") {
    blocks.resize(std::max<std::size_t>(blocks.size() - 1, 1));
  } else if (command.name == "return" && blocks.size() == 2) {
    blocks[0].on.merge(Names(block.off));  // or what follows is not reached
  } else if (command.name == "else" || command.name == "elseif") {
    std::swap(block.on, block.off);
  } else {
    return false;
  }
  return true;
}

void add_program(const Words& arguments, const std::string& file, const CMakeFolder& folder,
                 CMakeProject& project) {
  const std::string& target = arguments[0];
  const bool is_program =
      arguments.size() > 1 && arguments[1] != "ALIAS" && arguments[1] != "IMPORTED";
  if (!is_program || target.find('$') != std::string::npos || target.empty() || target[0] == '-') {
    return;
  }
  const auto output = folder.variables.find("CMAKE_RUNTIME_OUTPUT_DIRECTORY");
  const bool is_set = output != folder.variables.end() && is_below_build(output->second, project);
  project.programs.push_back({target, file,
                              is_set ? output->second : build_folder(project, folder_of(file)),
                              target, folder.links_benchmark, folder.links_tests, folder.switches,
                              Words(arguments.begin() + 1, arguments.end())});
}

void link(const Words& arguments, const std::string& file, CMakeProject& project) {
  const bool is_benchmark = any_of(arguments, kGoogleBenchmark);
  const auto at = std::ranges::find(project.programs, arguments[0], &CMakeProgram::target);
  if (at != project.programs.end()) {
    at->is_benchmark = at->is_benchmark || is_benchmark;
    at->is_test = at->is_test || any_of(arguments, kTestLibraries);
  } else if (is_benchmark) {
    project.unread.push_back(arguments[0] + " in " + file);
  }
}

/// set_target_properties(TARGET... PROPERTIES NAME VALUE ...): the folder and name of programs.
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

/// `here` holds for the place of the command, `folder` for all that follows in its file.
void take(const CMakeCommand& command, const std::string& file, const CMakeFolder& here,
          CMakeFolder& folder, CMakeProject& project) {
  const Words& arguments = command.arguments;
  if (command.name == "project") {
    folder.variables["PROJECT_NAME"] = arguments[0];
    project.name = project.name.empty() ? arguments[0] : project.name;
  } else if (command.name == "set" && arguments.size() >= 2 &&
             std::ranges::find(arguments, "CACHE") == arguments.end() &&
             std::ranges::find(arguments, "PARENT_SCOPE") == arguments.end()) {
    folder.variables[arguments[0]] = joined({arguments.begin() + 1, arguments.end()}, ";");
  } else if (command.name == "find_package" || command.name == "fetchcontent_declare") {
    project.finds_benchmark |= arguments[0] == "benchmark" || arguments[0] == "googlebenchmark";
  } else if (command.name == "add_subdirectory") {
    const auto path = std::filesystem::path("/" + folder_of(file)) / arguments[0] / kLists;
    project.folders.emplace(folder_of(path.lexically_normal().string().substr(1)), here);
  } else if (command.name == "add_executable") {
    add_program(arguments, file, here, project);
  } else if (command.name == "set_target_properties") {
    move_programs(arguments, project);
  } else if (command.name == "link_libraries") {
    folder.links_benchmark |= any_of(arguments, kGoogleBenchmark);
    folder.links_tests |= any_of(arguments, kTestLibraries);
  } else if (command.name == "target_link_libraries") {
    link(arguments, file, project);
  }
}

/// foreach(VARIABLE item...), also with IN ITEMS and IN LISTS; of others nothing is known.
struct CMakeLoop {
  std::size_t begin = 0;  ///< the command
  std::string variable;
  Words items{};
  std::size_t next = 0;
};

CMakeLoop loop_of(const CMakeCommand& command, std::size_t begin,
                  const std::map<std::string, std::string>& variables) {
  CMakeLoop loop{begin, command.arguments.empty() ? "" : command.arguments[0]};
  bool of_lists = false;
  for (std::size_t i = 1; i < command.arguments.size(); ++i) {
    std::string word = command.arguments[i];
    if (word == "RANGE" || word == "ZIP_LISTS") {
      return {begin, loop.variable};
    }
    if (word == "IN" || word == "ITEMS" || word == "LISTS") {
      of_lists = word == "LISTS";
      continue;
    }
    if (of_lists) {
      const auto known = variables.find(word);
      word = known == variables.end() ? "" : known->second;
    }
    std::istringstream items(word);
    for (std::string item; std::getline(items, item, ';');) {
      if (!item.empty() && item.find("${") == std::string::npos) {
        loop.items.push_back(item);
      }
    }
  }
  return loop;
}

/// Goes on to the next item of the loop; false where that was the last.
bool take_item(CMakeLoop& loop, std::map<std::string, std::string>& variables) {
  if (loop.next >= loop.items.size()) {
    return false;
  }
  variables[loop.variable] = loop.items[loop.next++];
  return true;
}

void read_file(const SourceTree& tree, const std::string& file, CMakeProject& project) {
  // A folder that no plain add_subdirectory() names is taken for part of the nearest one above.
  std::string above = folder_of(file);
  while (project.folders.count(above) == 0) {
    above = folder_of(above);
  }
  CMakeFolder folder = project.folders[above];
  folder.variables["CMAKE_CURRENT_SOURCE_DIR"] = "/" + folder_of(file);
  folder.variables["CMAKE_CURRENT_BINARY_DIR"] = build_folder(project, folder_of(file));
  std::vector<CMakeBlock> blocks{{folder.switches, {}}};
  constexpr int kMostTurns = 1000;  // of all loops, nested ones too
  int turns = 0;
  std::vector<CMakeLoop> loops;
  const std::vector<CMakeCommand> commands = read_commands(tree.read(file));
  for (std::size_t i = 0; i < commands.size(); ++i) {
    CMakeCommand command = commands[i];
    for (std::string& argument : command.arguments) {
      argument = expand(argument, folder.variables);
    }
    if (command.name == "foreach") {
      loops.push_back(loop_of(command, i, folder.variables));
      take_item(loops.back(), folder.variables);
    } else if (command.name == "endforeach" && !loops.empty()) {
      if (++turns < kMostTurns && take_item(loops.back(), folder.variables)) {
        i = loops.back().begin;
      } else {
        folder.variables.erase(loops.back().variable);
        loops.pop_back();
      }
    }
    if (follow_block(command, project.switches, blocks) || command.arguments.empty()) {
      continue;
    }
    CMakeFolder here = folder;
    for (const CMakeBlock& block : blocks) {
      here.switches.insert(block.on.begin(), block.on.end());
    }
    take(command, file, here, folder, project);
  }
}

/// Options that are off by default, in whatever file of CMake they are declared.
Names switches_of(const SourceTree& tree) {
  static const Names kOff{"off", "false", "no", "n", "0"};
  Names switches;
  for (const std::string& file : tree.files) {
    if (filename_of(file) == kLists || file.ends_with(".cmake")) {
      for (const CMakeCommand& command : read_commands(tree.read(file))) {
        const Words& words = command.arguments;
        if (command.name == "option" && !words.empty() &&
            (words.size() < 3 || kOff.count(lower(words[2])) > 0)) {
          switches.insert(words[0]);
        }
      }
    }
  }
  return switches;
}

CMakeProject read_project(const std::string& root, const Words& lists, const Names& switches,
                          const SourceTree& tree) {
  CMakeProject project{root, free_folder(tree)};
  project.switches = switches;
  const std::string top = folder_of(root);
  project.folders[top].variables = {{"CMAKE_BINARY_DIR", project.build},
                                    {"PROJECT_BINARY_DIR", project.build},
                                    {"CMAKE_SOURCE_DIR", "/" + top},
                                    {"PROJECT_SOURCE_DIR", "/" + top}};
  for (const std::string& file : lists) {  // from the top down
    const bool is_below = top.empty() || file.starts_with(top + "/");
    if (is_below && (project.folders.count(folder_of(file)) > 0 || !has_project(tree, file))) {
      read_file(tree, file, project);
    }
  }
  for (CMakeProgram& one : project.programs) {
    if (one.is_benchmark && one.switches.empty()) {  // its options are unknown
      std::ranges::copy_if(
          switches, std::inserter(one.switches, one.switches.end()),
          [](const auto& option) { return lower(option).find("bench") != std::string::npos; });
    }
  }
  return project;
}

/// The project nearest to the top that has a benchmark, else the one nearest to it.
CMakeProject find_project(const SourceTree& tree) {
  const Words lists = files_named(tree, kLists);
  const Names switches = switches_of(tree);
  CMakeProject nearest;
  for (const std::string& root : lists) {
    if (!has_project(tree, root)) {
      continue;
    }
    CMakeProject project = read_project(root, lists, switches, tree);
    if (std::ranges::any_of(project.programs, &CMakeProgram::is_benchmark)) {
      return project;
    }
    if (nearest.root.empty()) {
      nearest = std::move(project);
    }
  }
  return nearest;
}

/// Builds one target, so that what is not measured need not compile.
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
              ". Each of its benchmarks gets a verdict; --benchmark_filter=REGEX selects some.",
          build_of(project, &one)};
}

/// The order in which programs stand in for benchmarks: those named after them first, tests and
/// examples last.
int rank_of(const CMakeProgram& one) {
  const std::string called = lower(one.file + "/" + one.target);
  const auto has = [&called](const char* word) { return called.find(word) != std::string::npos; };
  const bool is_other = has("test") || has("example") || has("sample") || has("fuzz");
  return has("bench") ? 0 : is_other ? 2 : 1;
}

/// The sources of a program; of a test whose sources are not listed plainly, all below its folder.
Words source_files(const SourceTree& tree, const CMakeProgram& one) {
  const std::string folder = folder_of(one.file);
  Words files;
  std::istringstream listed(joined(one.sources, ";"));
  for (std::string source; std::getline(listed, source, ';');) {
    const auto path = std::filesystem::path("/" + folder) / source;
    files.push_back(path.lexically_normal().string().substr(1));
  }
  const bool is_listed = joined(one.sources, "").find('$') == std::string::npos;
  if (!is_listed && one.is_test) {
    std::ranges::copy_if(tree.files, std::back_inserter(files), [&](const std::string& file) {
      return folder.empty() || file.starts_with(folder + "/");
    });
  }
  return files;
}

/// Those that have benchmarks of Catch2, as one text.
std::string catch2_sources(const SourceTree& tree, const CMakeProgram& one) {
  std::string text;
  for (const std::string& file : source_files(tree, one)) {
    if (is_cpp_source(file)) {
      const std::string source = tree.read(file);
      text += has_catch2_benchmarks(source) ? source : "";
    }
  }
  return text;
}

void propose(const CMakeProject& project, const CMakeProgram& one, const SourceTree& tree,
             Proposal& proposal) {
  if (one.is_benchmark) {
    proposal.found.push_back("Google Benchmark: target " + one.target + " (" + one.file + ")");
    proposal.workloads.push_back(benchmark_of(project, one));
  } else if (const std::string sources = catch2_sources(tree, one); !sources.empty()) {
    proposal.found.push_back("benchmarks of Catch2: target " + one.target + " (" + one.file + ")");
    proposal.workloads.push_back(catch2_workload(one.target, one.folder + "/" + one.output,
                                                 "target " + one.target + " of " + one.file,
                                                 sources));
    proposal.workloads.back().build = build_of(project, &one);
  } else if (!one.is_test) {
    proposal.programs.push_back(whole_program(one.target, {one.folder + "/" + one.output},
                                              ", which " + one.file + " builds"));
    proposal.programs.back().build = build_of(project, &one);
  }
}

}  // namespace

void detect_cmake(const SourceTree& tree, Proposal& proposal) {
  CMakeProject project = find_project(tree);
  std::ranges::stable_sort(project.programs, {}, rank_of);
  if (project.root.empty()) {
    return;
  }
  proposal.found.push_back("a CMake project" + (project.name.empty() ? "" : " " + project.name) +
                           " (" + project.root + ")");
  proposal.build = build_of(project, nullptr);
  for (const CMakeProgram& one : project.programs) {
    propose(project, one, tree, proposal);
  }
  for (const std::string& one : project.unread) {
    proposal.notes.push_back("Google Benchmark is linked to the target " + one +
                             ", whose program was not recognized: add it by hand");
  }
  if (project.finds_benchmark && proposal.workloads.empty() && project.unread.empty()) {
    proposal.notes.push_back(
        "Google Benchmark is required, but no target links it: add the workload by hand");
  }
}

}  // namespace perf

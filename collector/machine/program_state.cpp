#include "collector/machine/program_state.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <system_error>

#include "collector/machine/readings.h"
#include "collector/process/captured_text.h"

namespace perf {
namespace {

using std::filesystem::path;

/// A program, and the checkout that contains it, if one does; no file where it was not found.
struct FoundProgram {
  path file{};
  path tree{};
};

bool is_program(const path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

FoundProgram find_program(const std::string& program, const std::vector<path>& trees,
                          const GetVariable& variable) {
  if (program.find('/') == std::string::npos) {
    return {.file = find_in_path(program, variable("PATH").value_or(""))};
  }
  if (path(program).is_absolute()) {
    return is_program(program) ? FoundProgram{.file = program} : FoundProgram{};
  }
  for (const path& tree : trees) {
    if (is_program(tree / program)) {
      // Without a slash at the end of the tree's name, because folders are compared with it.
      return {(tree / program).lexically_normal(), (tree / ".").lexically_normal().parent_path()};
    }
  }
  return {};
}

/// The value of NAME:TYPE=VALUE.
std::optional<std::string_view> cached(std::string_view cache, std::string_view name) {
  const std::optional<std::string_view> typed = value_named(cache, name, ':');
  const std::size_t equals = typed ? typed->find('=') : std::string_view::npos;
  return equals != std::string_view::npos ? std::optional(typed->substr(equals + 1)) : std::nullopt;
}

/// From the program's folder up to its tree.
std::optional<std::string> build_type_of(const FoundProgram& program) {
  constexpr std::size_t kLargestCache = 4 << 20;  // B
  if (program.tree.empty()) {
    return std::nullopt;
  }
  for (path folder = program.file.parent_path();; folder = folder.parent_path()) {
    const std::string cache = read_small_file(folder / "CMakeCache.txt", kLargestCache);
    if (!cache.empty()) {
      return parse_build_type(cache);
    }
    if (folder == program.tree || folder == folder.parent_path()) {
      return std::nullopt;
    }
  }
}

ProgramState read_program(const std::string& program, const std::vector<path>& trees,
                          const GetVariable& variable) {
  ProgramState state;
  state.path = to_one_line(program);
  const FoundProgram found = find_program(program, trees, variable);
  if (found.file.empty()) {
    state.problem = "is not built here";
    return state;
  }
  state.build_type = build_type_of(found);
  if (const std::optional<ElfProgram> elf = read_elf_program(found.file)) {
    state.instruments = elf->instruments;
    state.optimized = elf->optimized;
  } else if (!state.build_type) {
    state.problem = "is a script, or not a 64-bit ELF file: not checked";
  }
  return state;
}

}  // namespace

std::optional<std::string> parse_build_type(std::string_view cmake_cache) {
  const std::optional<std::string_view> type = cached(cmake_cache, "CMAKE_BUILD_TYPE");
  if (!type || cached(cmake_cache, "CMAKE_CONFIGURATION_TYPES")) {
    return std::nullopt;
  }
  if (!type->empty()) {
    return to_one_line(*type);
  }
  for (const char* flags : {"CMAKE_CXX_FLAGS", "CMAKE_C_FLAGS"}) {
    if (cached(cmake_cache, flags).value_or("").find("-O") != std::string_view::npos) {
      return std::nullopt;
    }
  }
  return "none";
}

std::vector<ProgramState> read_programs(const std::vector<Workload>& workloads,
                                        const std::vector<path>& trees,
                                        const GetVariable& variable) {
  std::vector<ProgramState> programs;
  for (const Workload& workload : workloads) {
    const std::string program = workload.command.empty() ? std::string() : program_of(workload);
    const auto known = std::ranges::find(programs, to_one_line(program), &ProgramState::path);
    if (known != programs.end()) {
      known->workloads.push_back(workload.name);
      continue;
    }
    programs.push_back(read_program(program, trees, variable));
    programs.back().workloads = {workload.name};
  }
  return programs;
}

path find_in_path(const std::string& program, const std::string& search_path) {
  std::istringstream folders(search_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const path file = path(folder) / program;
    if (file.is_absolute() && is_program(file)) {
      return file;
    }
  }
  return {};
}

std::optional<bool> is_in_path(const std::string& program, const GetVariable& variable) {
  const std::optional<std::string> search_path = variable("PATH");
  return search_path ? std::optional(!find_in_path(program, *search_path).empty()) : std::nullopt;
}

}  // namespace perf

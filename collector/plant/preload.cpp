#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "collector/machine/program_state.h"
#include "collector/plant/planting_runner.h"
#include "collector/this_process.h"
#include "schema/error.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// The depth to which the kernel follows scripts as interpreters of scripts.
constexpr int kDeepestScript = 5;

/// The interpreter in a script's first line.
std::string interpreter_of(std::string_view head) {
  constexpr std::string_view kSpace = " \t";
  head = head.substr(2, head.find('\n') - 2);
  head.remove_prefix(std::min(head.find_first_not_of(kSpace), head.size()));
  return std::string(head.substr(0, head.find_first_of(" \t\r")));
}

bool has_loader(std::ifstream& file) {
  ElfW(Ehdr) header{};
  file.seekg(0);
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  for (int i = 0; file && i < header.e_phnum; ++i) {
    ElfW(Phdr) segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff) + i * header.e_phentsize);
    file.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (file && segment.p_type == PT_INTERP) {
      return true;
    }
  }
  return false;
}

std::string obstacle_of_program(std::ifstream& file, unsigned char word_size,
                                const std::string& name) {
  constexpr unsigned char kOurs = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (word_size != kOurs) {
    return name + " has another word size than perf-compare: its library does not fit";
  }
  return has_loader(file) ? "" : name + " is linked statically: nothing can be preloaded into it";
}

bool runs_as_another(const fs::path& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0;
}

}  // namespace

std::filesystem::path plant_library() {
  std::error_code error;
  const fs::path self = running_program();
  fs::path library = (self.parent_path() / PERF_COMPARE_PLANT_LIBRARY).lexically_normal();
  if (self.empty() || !fs::exists(library, error)) {
    throw Error("the library that plants an allocation is missing", library.string(),
                "install perf-compare with `cmake --install`, or run it from its build folder");
  }
  if (library.string().find_first_of(" :") != std::string::npos) {
    throw Error("cannot preload a library from a path with a space or a colon", library.string(),
                "move perf-compare to another folder");
  }
  return library;
}

std::string preload_obstacle(const std::vector<std::string>& command,
                             const std::filesystem::path& directory,
                             const std::string& search_path) {
  if (command.empty()) {
    return {};
  }
  const bool has_folder = command.front().find('/') != std::string::npos;
  fs::path program =
      has_folder ? directory / command.front() : find_in_path(command.front(), search_path);
  for (int depth = 0; depth <= kDeepestScript && !program.empty(); ++depth) {
    const std::string name = program.filename().string();
    std::ifstream file(program, std::ios::binary);
    std::string head(256, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    file.clear();
    if (runs_as_another(program)) {
      return name + " runs as another user: nothing can be preloaded into it";
    }
    if (head.size() > EI_CLASS && std::memcmp(head.data(), ELFMAG, SELFMAG) == 0) {
      return obstacle_of_program(file, static_cast<unsigned char>(head[EI_CLASS]), name);
    }
    if (!head.starts_with("#!")) {
      return {};
    }
    const std::string interpreter = interpreter_of(head);
    program = interpreter.empty() ? fs::path() : directory / interpreter;
  }
  return {};
}

}  // namespace perf

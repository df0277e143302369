#include "collector/layout/hot_code.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "collector/process/captured_text.h"
#include "collector/process/workload_runner.h"
#include "schema/files/content.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDisassemblyLimit = 1 << 27;  // B of text (128 MiB)
constexpr double kDisassemblyTimeout = 120;         // s

/// Relative to the checkout for files in it; perf writes real paths.
std::optional<fs::path> inside(const std::string& object, const fs::path& checkout) {
  std::error_code error;
  const fs::path root = fs::canonical(checkout, error);
  const fs::path relative = fs::path(object).lexically_relative(root);
  if (error || relative.empty() || *relative.begin() == ".." || *relative.begin() == ".") {
    return std::nullopt;
  }
  return relative;
}

ProcessResult objdump(const RunProcess& run_process, const fs::path& file,
                      const std::vector<std::string>& options) {
  std::vector<std::string> command{"objdump"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", file.string()});
  return run_process({.command = std::move(command),
                      .directory = file.parent_path(),
                      .environment = {{"DEBUGINFOD_URLS", ""}},  // nothing leaves the machine
                      .timeout = kDisassemblyTimeout,
                      .stdout_limit = kDisassemblyLimit});
}

/// The difference between two sides of one file; empty without one. Of all functions where none is
/// named.
std::string difference(const Disassembly& base, const Disassembly& head,
                       std::set<std::string> symbols) {
  if (symbols.empty()) {
    for (const Disassembly* side : {&base, &head}) {
      for (const auto& [symbol, code] : *side) {
        symbols.insert(symbol);
      }
    }
  }
  for (const std::string& symbol : symbols) {
    const auto at_base = base.find(symbol), at_head = head.find(symbol);
    if (at_base == base.end() || at_head == head.end()) {
      return to_one_line(symbol) +
             (at_base == base.end() ? " is at head only" : " is at base only");
    }
    if (at_base->second.text != at_head->second.text) {
      return "the code of " + to_one_line(symbol) + " is not the same";
    }
  }
  return "";
}

/// The type of an ELF file: ET_REL, ET_EXEC, ET_DYN, ...; ET_NONE for other files. The headers of
/// both word sizes begin alike (elf(5)); with the other byte order the type is unknown.
unsigned elf_type(const fs::path& file) {
  std::error_code error;
  Elf64_Half type = ET_NONE;
  char start[EI_NIDENT + sizeof type];
  const bool is_one = fs::is_regular_file(file, error) &&
                      std::ifstream(file, std::ios::binary).read(start, sizeof start) &&
                      std::memcmp(start, ELFMAG, SELFMAG) == 0;
  if (is_one) {
    std::memcpy(&type, start + EI_NIDENT, sizeof type);
  }
  return type;
}

}  // namespace

HotPlaces hot_places(const Profile& profile, const fs::path& checkout) {
  HotPlaces places;
  for (const HotFunction& function : profile.functions) {
    if (function.share < kHotShare) {
      continue;
    }
    if (const std::optional<fs::path> file = inside(function.object, checkout)) {
      places[*file].insert(function.symbol);
    }
  }
  return places;
}

double share_of(const HotPlaces& places, const Profile& profile, const fs::path& checkout) {
  double share = 0;
  for (const HotFunction& function : profile.functions) {
    const std::optional<fs::path> file = inside(function.object, checkout);
    const auto found = file ? places.find(*file) : places.end();
    if (found != places.end() && found->second.count(function.symbol) > 0) {
      share += function.share;
    }
  }
  return share;
}

std::optional<fs::path> own_program(const Workload& workload, const fs::path& checkout) {
  std::error_code error;
  const std::string program = program_of(workload);
  if (program.find('/') == std::string::npos) {
    return std::nullopt;
  }
  const fs::path file = fs::canonical(checkout / program, error);
  const std::optional<fs::path> relative = error ? std::nullopt : inside(file, checkout);
  return relative && is_elf(file) ? relative : std::nullopt;
}

ObjectCode disassemble(const RunProcess& run_process, const fs::path& file) {
  ObjectCode object;
  if (!is_elf(file)) {
    object.problem = "it is not an ELF file";
    return object;
  }
  const ProcessResult code = objdump(run_process, file, {"-d", "-t", "--no-show-raw-insn"});
  object.problem = failure_of(code, kDisassemblyTimeout);
  if (object.problem.empty() && code.stdout_text.size() >= kDisassemblyLimit) {
    object.problem = "its disassembly is longer than 128 MiB";
  }
  if (object.problem.empty()) {
    // Without that section, or where it is too large, constants are not compared.
    const ProcessResult constants = objdump(run_process, file, {"-s", "-j", ".rodata"});
    object.functions = read_disassembly(code.stdout_text, ReadOnlyData(constants.stdout_text));
  }
  return object;
}

HotCode compare_hot_code(const RunProcess& run_process, const HotPlaces& places,
                         const fs::path& base, const fs::path& head) {
  HotCode code;
  code.places = places;
  if (places.empty()) {
    code.reason = "no hot function is in the checkout";
    return code;
  }
  bool all_equal = true;
  for (const auto& [file, symbols] : places) {
    if (has_same_bytes(base / file, head / file)) {
      continue;
    }
    all_equal = false;
    const ObjectCode at_base = disassemble(run_process, base / file);
    const ObjectCode at_head = disassemble(run_process, head / file);
    if (!at_base.problem.empty() || !at_head.problem.empty()) {
      code.reason = "cannot disassemble " + to_one_line(file.string()) + ": " +
                    (at_base.problem.empty() ? at_head.problem : at_base.problem);
      return code;
    }
    code.reason = difference(at_base.functions, at_head.functions, symbols);
    if (!code.reason.empty()) {
      code.same = HotCode::Same::different;
      return code;
    }
  }
  code.same = all_equal ? HotCode::Same::different : HotCode::Same::identical;
  code.reason = all_equal ? "the programs are the same to the byte" : "";
  return code;
}

bool is_moved(const RunProcess& run_process, const HotPlaces& places, const fs::path& first,
              const fs::path& second) {
  for (const auto& [file, symbols] : places) {
    const Disassembly before = disassemble(run_process, first / file).functions;
    const Disassembly after = disassemble(run_process, second / file).functions;
    for (const auto& [symbol, code] : before) {
      const auto found = after.find(symbol);
      const bool counts = symbols.empty() || symbols.count(symbol) > 0;
      if (counts && found != after.end() && found->second.addresses != code.addresses) {
        return true;
      }
    }
  }
  return false;
}

bool is_elf(const fs::path& file) {
  return elf_type(file) != ET_NONE;
}

std::set<fs::path> linked_files(const fs::path& checkout) {
  std::set<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator at(checkout, fs::directory_options::skip_permission_denied,
                                      error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename() == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    std::error_code ignored;
    const unsigned type = at->is_symlink(ignored) ? ET_NONE : elf_type(at->path());
    if (type == ET_EXEC || type == ET_DYN) {
      files.insert(at->path().lexically_relative(checkout));
    }
  }
  return files;
}

}  // namespace perf

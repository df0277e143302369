#include <elf.h>

#include <cstring>
#include <fstream>
#include <system_error>

#include "collector/layout/hot_code.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

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

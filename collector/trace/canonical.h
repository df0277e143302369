#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace perf {

/// What stands for itself wherever a checkout's files name it: its own path, and its revision's id,
/// whole or shortened to 7 digits or more.
struct OwnNames {
  std::string path;
  std::string oid;
};

/// The text with its own names replaced by as many other bytes.
std::string without_own_names(std::string text, const OwnNames& own);

/// What a file holds that can change what a program does, as a digest (XXH3, 128 bits); own names
/// are left out. `loaded`: nobody but the kernel or the dynamic loader has read it. Of an ELF file
/// (elf(5), 64-bit) that is then the header, the program headers and what PT_LOAD maps, without
/// the build id and the place of the section table; but all of one that is not to be loaded
/// (ET_REL, no PT_LOAD), or that has bytes behind its sections. Nothing where the file cannot be
/// read.
std::optional<std::string> content_digest(const std::filesystem::path& file, bool loaded,
                                          const OwnNames& own);

/// What Python compiled, but not when, and of how old a source; nothing where it cannot be read.
std::optional<std::string> python_code_digest(const std::filesystem::path& file,
                                              const OwnNames& own);

/// Where the contents of two files begin to differ, for a person: ".rodata" of ELF files that are
/// loaded, "line 3" of a text; empty where that cannot be said.
std::string first_difference(const std::filesystem::path& one, const OwnNames& of_one,
                             const std::filesystem::path& other, const OwnNames& of_other,
                             bool loaded);

/// The programs that the kernel reads beside this one to execute it: PT_INTERP of an ELF file, the
/// interpreter of a script. As written; empty where there is none.
std::string interpreter_of(const std::filesystem::path& file);

}  // namespace perf

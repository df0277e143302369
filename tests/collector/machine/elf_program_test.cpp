#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "collector/machine/program_state.h"
#include "fixture_tree.h"

namespace perf {
namespace {

using testing::FixtureTree;
using Names = std::vector<std::string>;

std::string elf_table(const std::vector<std::string>& names) {
  std::string text(1, '\0');
  for (const std::string& name : names) {
    text += name + '\0';
  }
  return text;
}

/// An ELF file with nothing but a symbol elf_table, its names, and what GCC noted.
std::string elf_file(const std::string& symbols, const std::string& debug_strings) {
  const std::string names = elf_table({".debug_str"});
  const std::string parts[] = {"", names, symbols, symbols, debug_strings};
  const Elf64_Word types[] = {SHT_NULL, SHT_STRTAB, SHT_STRTAB, SHT_SYMTAB, SHT_PROGBITS};
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 5;
  header.e_shstrndx = 1;
  header.e_shoff = sizeof header;
  std::string sections, contents;
  for (int i = 0; i < 5; ++i) {
    Elf64_Shdr section{};
    section.sh_type = types[i];
    section.sh_name = i == 4 ? 1 : 0;
    section.sh_link = i == 3 ? 2 : 0;
    section.sh_offset = sizeof header + 5 * sizeof section + contents.size();
    section.sh_size = parts[i].size();
    contents += parts[i];
    sections.append(reinterpret_cast<const char*>(&section), sizeof section);
  }
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + sections + contents;
}

TEST(Instruments, AreDetectedByTheirNames) {
  EXPECT_EQ(instruments_in(elf_table({"main", "libasan.so.8"})), Names{"AddressSanitizer"});
  EXPECT_EQ(instruments_in(elf_table({"libasan.so.8", "libubsan.so.1"})),
            (Names{"AddressSanitizer", "UndefinedBehaviorSanitizer"}));
  EXPECT_EQ(instruments_in(elf_table({"__ubsan_handle_add_overflow"})),
            Names{"UndefinedBehaviorSanitizer"});
  EXPECT_EQ(instruments_in(elf_table({"__asan_init", "__ubsan_handle_add_overflow"})),
            Names{"AddressSanitizer"})
      << "Clang's runtime holds both";
  EXPECT_EQ(instruments_in(elf_table({"libtsan.so.2"})), Names{"ThreadSanitizer"});
  EXPECT_EQ(instruments_in(elf_table({"__gcov_init"})), Names{"coverage"});
  EXPECT_EQ(instruments_in(elf_table({"mcount@GLIBC_2.2.5"})), Names{"profiling by gprof"});
}

TEST(Instruments, AreNotDetectedInOrdinaryNames) {
  EXPECT_EQ(
      instruments_in(elf_table({"my__asan_init", "__asan_initialize", "mcount_of", "xlibasan.so",
                                "__gmon_start__", "__tsan_acquire", "libc.so.6"})),
      Names{});
  EXPECT_EQ(instruments_in(""), Names{});
}

TEST(Optimization, IsReadFromTheCompilersOptions) {
  const auto noted = [](const std::vector<std::string>& names) {
    return optimized_by(elf_table(names));
  };
  const std::string prefix = "GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g";
  EXPECT_EQ(noted({"int", prefix + " -O2"}), true);
  EXPECT_EQ(noted({prefix + " -O"}), true);
  EXPECT_EQ(noted({prefix + " -O3 -fno-omit-frame-pointer"}), true);
  EXPECT_EQ(noted({prefix}), false);
  EXPECT_EQ(noted({prefix + " -O0"}), false);
  EXPECT_EQ(noted({prefix + " -Og"}), false);
  EXPECT_EQ(noted({prefix + " -O2 -O0"}), false);
  EXPECT_EQ(noted({prefix, "GNU C17 12.2.0 -O2"}), std::nullopt) << "which of them is slow?";
  EXPECT_EQ(noted({"clang version 14.0.6"}), std::nullopt) << "tells no options";
  EXPECT_EQ(noted({"GNU C"}), std::nullopt);
  EXPECT_EQ(noted({}), std::nullopt);
}

TEST(ElfProgram, IsReadFromItsSections) {
  FixtureTree tree;
  tree.put("slow", elf_file(elf_table({"main", "__tsan_init"}), elf_table({"GNU C17 12.2.0 -g"})));
  tree.put("fast", elf_file(elf_table({"main"}), elf_table({"GNU C17 12.2.0 -g -O2"})));
  const auto slow = read_elf_program(tree.root() / "slow");
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->instruments, Names{"ThreadSanitizer"});
  EXPECT_EQ(slow->optimized, false);
  const auto fast = read_elf_program(tree.root() / "fast");
  ASSERT_TRUE(fast);
  EXPECT_EQ(fast->instruments, Names{});
  EXPECT_EQ(fast->optimized, true);
}

TEST(ElfProgram, IsReadFromThisTest) {
  const auto self = read_elf_program("/proc/self/exe");
  ASSERT_TRUE(self);
#if defined(__SANITIZE_ADDRESS__)
  EXPECT_EQ(std::count(self->instruments.begin(), self->instruments.end(), "AddressSanitizer"), 1);
#endif
}

TEST(ElfProgram, IsAbsentForOtherFiles) {
  FixtureTree tree;
  const std::string whole = elf_file(elf_table({"main"}), "");
  tree.put("script", "#!/bin/sh\n").put("empty", "").put("short", whole.substr(0, 40));
  tree.put("no_sections", whole.substr(0, sizeof(Elf64_Ehdr)));
  for (const char* name : {"script", "empty", "short", "no_sections", "absent", ""}) {
    EXPECT_FALSE(read_elf_program(tree.root() / name)) << name;
  }
}

TEST(ElfProgram, ToleratesDamagedFiles) {
  FixtureTree tree;
  const std::string whole =
      elf_file(elf_table({"main", "__asan_init"}), elf_table({"GNU C17 1 -g"}));
  const std::size_t headers = sizeof(Elf64_Ehdr) + 5 * sizeof(Elf64_Shdr);
  for (std::size_t at = 0; at < headers; ++at) {
    std::string damaged = whole;
    damaged[at] = at % 2 == 0 ? '\x7f' : '\xff';
    tree.put("damaged", damaged);
    read_elf_program(tree.root() / "damaged");
  }
}

}  // namespace
}  // namespace perf

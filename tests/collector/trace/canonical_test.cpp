#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "collector/process/temporary_folder.h"
#include "collector/trace/program.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

const OwnNames kOwn{"/cache/aaaa/tree", std::string(40, 'a')};

/// A file that the kernel would load: header, a PT_LOAD of them and of `code`, a second segment.
struct SmallElf {
  Elf64_Ehdr header{};
  Elf64_Phdr segments[2]{};
  std::string code = "code", second = "/lib/ld.so", behind{};

  std::string bytes() {
    constexpr std::size_t kStart = sizeof header + sizeof segments;
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_DYN;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof segments[0];
    header.e_phnum = 2;
    segments[0].p_type = PT_LOAD;
    segments[0].p_filesz = kStart + code.size();
    segments[1].p_offset = kStart + code.size();
    segments[1].p_filesz = second.size();
    std::string text(kStart, '\0');
    std::memcpy(text.data(), &header, sizeof header);
    std::memcpy(text.data() + sizeof header, segments, sizeof segments);
    return text + code + second + behind;
  }
};

struct Files {
  TemporaryFolder folder;
  std::string digest(const std::string& text, bool loaded, const OwnNames& own = kOwn) const {
    test::write_file(folder.path() / "file", text);
    return content_digest(folder.path() / "file", loaded, own).value_or("none");
  }
};

TEST(OwnNames, AreReplacedByAsManyBytes) {
  EXPECT_EQ(without_own_names("-/cache/aaaa/tree/x-", kOwn), "-~~~~~~~~~~~~~~~~/x-");
  EXPECT_EQ(without_own_names("aaaaaa b", kOwn), "aaaaaa b") << "six digits are anybody's";
  EXPECT_EQ(without_own_names("aaaaaaa b", kOwn), "~~~~~~~ b");
  EXPECT_EQ(without_own_names("aaaaaaab", kOwn), "~~~~~~~b");
  EXPECT_EQ(without_own_names(kOwn.oid + kOwn.oid, kOwn), std::string(80, '~'));
  EXPECT_EQ(without_own_names("/cache/bbbb/tree", kOwn), "/cache/bbbb/tree");
  EXPECT_EQ(without_own_names("abc", {}), "abc");
}

TEST(ContentDigest, CoversAllOfAFileThatIsNotLoaded) {
  const Files files;
  EXPECT_EQ(files.digest("a", true), files.digest("a", false));
  EXPECT_NE(files.digest("a", true), files.digest("b", true));
  EXPECT_NE(files.digest("", true), files.digest("a", true));
  EXPECT_EQ(content_digest("/nowhere/at/all", true, kOwn), std::nullopt);
  EXPECT_EQ(content_digest("/", true, kOwn), std::nullopt);
  SmallElf elf;
  EXPECT_NE(files.digest(elf.bytes(), true), files.digest(elf.bytes(), false));
}

TEST(ContentDigest, CoversWhatTheKernelReadsOfAProgram) {
  const Files files;
  SmallElf plain;
  plain.segments[1].p_type = PT_INTERP;
  const std::string digest = files.digest(plain.bytes(), true);
  std::vector<SmallElf> others(6, plain);
  others[0].code = "Code";
  others[1].second = "/lib/LD.so";  // outside of what is loaded
  others[2].segments[0].p_flags = PF_W;
  others[3].header.e_entry = 1;
  others[4].behind = "payload";
  others[5].segments[1].p_type = PT_GNU_STACK;
  for (std::size_t i = 0; i < others.size(); ++i) {
    EXPECT_NE(files.digest(others[i].bytes(), true), digest) << i;
  }
  EXPECT_EQ(files.digest(plain.bytes(), true), digest);
  SmallElf one = plain, two = plain;
  one.behind = "payload 1";
  two.behind = "payload 2";
  EXPECT_NE(files.digest(one.bytes(), true), files.digest(two.bytes(), true));
}

TEST(ContentDigest, LeavesOutBuildIds) {
  const Files files;
  SmallElf one;
  one.segments[1].p_type = PT_NOTE;
  const Elf64_Nhdr note{4, 4, NT_GNU_BUILD_ID};
  const std::string head(reinterpret_cast<const char*>(&note), sizeof note);
  one.second = head + std::string("GNU\0", 4) + "id 1";
  SmallElf two = one, other = one;
  two.second.back() = '2';
  other.second[sizeof note] = 'X';
  EXPECT_EQ(files.digest(one.bytes(), true), files.digest(two.bytes(), true));
  EXPECT_NE(files.digest(one.bytes(), true), files.digest(other.bytes(), true));
}

TEST(FirstDifference, NamesTheSectionOrLine) {
  const TemporaryFolder folder;
  const auto one = folder.path() / "one", two = folder.path() / "two";
  test::write_file(one, "a\nb\n");
  test::write_file(two, "a\nc\n");
  EXPECT_EQ(first_difference(one, kOwn, two, kOwn, false), "line 2");
  test::write_file(two, std::string("a\0b", 3));
  EXPECT_EQ(first_difference(one, kOwn, two, kOwn, false), "");
}

/// An ELF file of these sections, in this order, each with its flags and what it holds.
struct Section {
  std::string name, content;
  std::uint64_t flags = SHF_ALLOC;
};

std::string with_sections(const std::vector<Section>& sections) {
  SmallElf elf;
  std::vector<Elf64_Shdr> table(1);
  std::string names(1, '\0');
  const std::size_t start = elf.bytes().size();
  for (const Section& section : sections) {
    Elf64_Shdr& made = table.emplace_back();
    made.sh_name = static_cast<Elf64_Word>(names.size());
    made.sh_type = SHT_PROGBITS;
    made.sh_flags = section.flags;
    made.sh_offset = start + elf.behind.size();
    made.sh_size = section.content.size();
    names += section.name + '\0';
    elf.behind += section.content;
  }
  Elf64_Shdr& last = table.emplace_back();
  last.sh_offset = start + elf.behind.size();
  last.sh_size = names.size();
  elf.behind += names;
  elf.header.e_shoff = start + elf.behind.size();
  elf.header.e_shentsize = sizeof(Elf64_Shdr);
  elf.header.e_shnum = static_cast<Elf64_Half>(table.size());
  elf.header.e_shstrndx = static_cast<Elf64_Half>(table.size() - 1);
  elf.behind.append(reinterpret_cast<const char*>(table.data()), table.size() * sizeof(Elf64_Shdr));
  return elf.bytes();
}

/// What of two programs is told to differ, whose sections with a `!` do.
std::string record_of(const std::vector<std::string>& sections) {
  const TemporaryFolder folder;
  std::vector<Section> base, head;
  for (const std::string& section : sections) {
    const bool differs = section.starts_with('!');
    base.push_back({section.substr(differs ? 1 : 0), "1"});
    head.push_back({base.back().name, differs ? "22" : "1"});
  }
  test::write_file(folder.path() / "base", with_sections(base));
  test::write_file(folder.path() / "head", with_sections(head));
  return first_difference(folder.path() / "base", kOwn, folder.path() / "head", kOwn, true);
}

TEST(FirstDifference, PrefersWrittenSectionsToDerivedOnes) {
  EXPECT_EQ(record_of({"!.note.gnu.property", "!.gnu.hash", "!.dynsym", "!.text", "!.rodata"}),
            ".text");
  EXPECT_EQ(record_of({"!.gnu.hash", ".text", "!.rodata", "!.eh_frame", "!.data"}), ".rodata");
  EXPECT_EQ(record_of({"!.gnu.hash", "!.rela.dyn", ".text", "!.eh_frame", "!.data"}), ".data");
  EXPECT_EQ(record_of({"!.init_array", "!.gnu.hash", "!.tdata", "!.text"}), ".text");
  EXPECT_EQ(record_of({"!.gnu.hash", "!.mine"}), ".mine") << "a section of somebody's own";
  EXPECT_EQ(record_of({".interp", "!.gnu.hash", "!.rela.dyn", ".text"}), ".gnu.hash");
  EXPECT_EQ(record_of({".text"}), "");
  // A table that only one of both has.
  const TemporaryFolder folder;
  test::write_file(folder.path() / "base", with_sections({{".rela.plt", "1"}, {".text", "1"}}));
  test::write_file(folder.path() / "head", with_sections({{".text", "1"}}));
  EXPECT_EQ(first_difference(folder.path() / "base", kOwn, folder.path() / "head", kOwn, true),
            ".rela.plt");
}

TEST(InterpreterOf, ReadsScriptsAndPrograms) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "file";
  const auto interpreter = [&](const std::string& text) {
    test::write_file(file, text);
    return interpreter_of(file);
  };
  EXPECT_EQ(interpreter("#!/bin/sh\n"), "/bin/sh");
  EXPECT_EQ(interpreter("#! ./i x\n"), "./i");
  EXPECT_EQ(interpreter("#!"), "");
  EXPECT_EQ(interpreter("#!\n"), "");
  EXPECT_EQ(interpreter("text"), "");
  SmallElf elf;
  elf.segments[1].p_type = PT_INTERP;
  EXPECT_EQ(interpreter(elf.bytes()), "/lib/ld.so");
}

TEST(ContentDigest, ToleratesDamagedPrograms) {
  const TemporaryFolder folder;
  const auto one = folder.path() / "one", two = folder.path() / "two";
  std::mt19937 random(7);
  SmallElf elf;
  elf.segments[1].p_type = PT_NOTE;
  elf.header.e_shoff = 0;
  elf.header.e_shnum = 2;
  elf.header.e_shentsize = sizeof(Elf64_Shdr);
  const std::string whole = elf.bytes() + std::string(100, '\xff');
  for (int i = 0; i < 2000; ++i) {
    for (const auto& file : {one, two}) {
      std::string bytes = whole;
      for (int changes = static_cast<int>(random() % 6); changes > 0; --changes) {
        bytes[random() % bytes.size()] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
      }
      bytes.resize(bytes.size() - random() % 4 * (random() % 60));
      test::write_file(file, bytes);
    }
    content_digest(one, true, kOwn);
    interpreter_of(one);
    first_difference(one, kOwn, two, kOwn, true);
  }
}

}  // namespace
}  // namespace perf

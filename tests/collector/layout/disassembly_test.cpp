#include <gtest/gtest.h>

#include <string>

#include "collector/layout/hot_code.h"

namespace perf {
namespace {

constexpr const char* kSymbols =
    "\nbench:     file format elf64-x86-64\n\nSYMBOL TABLE:\n"
    "0000000000000000 l    df *ABS*\t0000000000000000              bench.c\n"
    "0000000000002020 l     O .rodata\t0000000000000020              table\n"
    "0000000000002000 g     O .rodata\t0000000000000004              _IO_stdin_used\n"
    "0000000000004028 g     O .bss\t0000000000000008              .hidden total\n"
    "0000000000001230 g     F .text\t0000000000000055              work\n"
    "\n\nDisassembly of section .text:\n\n";

Disassembly read(const std::string& bodies) {
  return read_disassembly(kSymbols + bodies);
}

std::string work(const std::string& body) {
  const Disassembly functions = read(body);
  const auto found = functions.find("work");
  return found == functions.end() ? "absent" : found->second.text;
}

TEST(Disassembly, NamesJumpsByTheirInstruction) {
  EXPECT_EQ(work("0000000000001230 <work>:\n"
                 "    1230:\ttest   %edi,%edi\n"
                 "    1232:\tjle    1240 <work+0x10>\n"
                 "    1234:\tadd    $0x1,%eax\n"
                 "    1237:\tjmp    1230 <work>\n"
                 "    1240:\tret\n"),
            "test %edi,%edi\njle @4\nadd $0x1,%eax\njmp @0\nret\n\n");
}

TEST(Disassembly, IsTheSameWhereAFunctionOnlyMoved) {
  const std::string here =
      "0000000000001230 <work>:\n"
      "    1230:\tmovsd  0x2df0(%rip),%xmm0        # 4028 <total>\n"
      "    1238:\tlea    0xde1(%rip),%rcx        # 2020 <table>\n"
      "    123f:\tnop\n"
      "    1240:\tmulsd  0xdc8(%rip),%xmm0        # 2010 <_IO_stdin_used+0x10>\n"
      "    1248:\tcall   1030 <puts@plt>\n"
      "    124d:\tjne    1240 <work+0x10>\n"
      "    124f:\tret\n"
      "    1250:\tcs nopw 0x0(%rax,%rax,1)\n"
      "    125a:\tnopw   0x0(%rax,%rax,1)\n";
  const std::string there =
      "0000000000005238 <work>:\n"
      "    5238:\tmovsd  0x9df0(%rip),%xmm0        # f030 <total>\n"
      "    5240:\tlea    0x8de1(%rip),%rcx        # e028 <table>\n"
      "    5247:\tdata16 cs nopw 0x0(%rax,%rax,1)\n"
      "    5252:\txchg   %ax,%ax\n"
      "    5254:\tnopl   (%rax)\n"
      "    5257:\tmulsd  -0xdc8(%rip),%xmm0        # 4497 <_IO_stdin_used+0x2487>\n"
      "    525f:\tcall   1040 <puts@plt>\n"
      "    5264:\tjne    5257 <work+0x1f>\n"
      "    5266:\tret\n"
      "    5267:\tint3\n"
      "    5268:\tint3\n";
  EXPECT_EQ(work(here), work(there));
  EXPECT_EQ(work(here),
            "movsd <total>,%xmm0\nlea <table>,%rcx\nmulsd <data>,%xmm0\ncall <puts@plt>\njne @2\n"
            "ret\n\n");
  EXPECT_EQ(read(here).at("work").addresses, (std::vector<std::uint64_t>{0x1230}));
  EXPECT_EQ(read(there).at("work").addresses, (std::vector<std::uint64_t>{0x5238}));
}

TEST(Disassembly, ShowsEveryRealDifference) {
  const auto one = [](const std::string& instruction) {
    return work("0000000000001230 <work>:\n    1230:\t" + instruction +
                "\n    1238:\tadd    $0x1,%eax\n    123b:\tret\n");
  };
  const std::string plain = one("mov    $0x1,%eax");
  EXPECT_NE(one("mov    $0x2,%eax"), plain);
  EXPECT_NE(one("mov    $0x1,%ecx"), plain);
  EXPECT_NE(one("movl   $0x1,%eax"), plain);
  EXPECT_NE(one("mov    0x8(%rsp),%eax"), one("mov    0x10(%rsp),%eax"));
  EXPECT_NE(one("jmp    1238 <work+0x8>"), one("jmp    123b <work+0xb>"));
  EXPECT_NE(one("call   1030 <puts@plt>"), one("call   1030 <gets@plt>"));
  EXPECT_NE(one("lea    0x1(%rip),%rcx        # 2020 <table>"),
            one("lea    0x1(%rip),%rcx        # 2028 <table+0x8>"));
  EXPECT_NE(one("int3"), one("nop")) << "only what stands at the end is padding";
}

TEST(Disassembly, ReadsUnnamedConstants) {
  const ReadOnlyData constants(
      "\nbench:     file format elf64-x86-64\n\nContents of section .rodata:\n"
      " 2000 01000200 00000000 00000000 0000f03f  ...............?\n"
      " 2010 0000803f                             ...?            \n");
  const auto read_with = [&](const std::string& instruction) {
    return read_disassembly(
               kSymbols + ("0000000000001230 <work>:\n    1230:\t" + instruction + "\n"), constants)
        .at("work")
        .text;
  };
  EXPECT_EQ(read_with("mulsd  0x1(%rip),%xmm0        # 2008 <_IO_stdin_used+0x8>"),
            "mulsd <data 000000000000f03f>,%xmm0\n\n");
  EXPECT_EQ(read_with("mulss  0x1(%rip),%xmm0        # 2010 <_IO_stdin_used+0x10>"),
            "mulss <data 0000803f>,%xmm0\n\n");
  EXPECT_EQ(read_with("movaps 0x1(%rip),%xmm0        # 2004 <_IO_stdin_used+0x4>"),
            "movaps <data 00000000000000000000f03f0000803f>,%xmm0\n\n");
  EXPECT_EQ(read_with("movsd  0x1(%rip),%xmm0        # 2010 <_IO_stdin_used+0x10>"),
            "movsd <data>,%xmm0\n\n")
      << "beyond the end";
  EXPECT_EQ(read_with("lea    0x1(%rip),%rax        # 2008 <_IO_stdin_used+0x8>"),
            "lea <data>,%rax\n\n")
      << "how much is read there cannot be known";
  EXPECT_EQ(read_with("movsd  0x1(%rip),%xmm0        # 2028 <table+0x8>"),
            "movsd <table+0x8>,%xmm0\n\n");
}

TEST(ReadOnlyData, StopsWhereAnotherSectionBegins) {
  const ReadOnlyData data(" 2000 01020304\nContents of section .other:\n 3000 05060708\n");
  EXPECT_EQ(data.at(0x2000, 4), "01020304");
  EXPECT_EQ(data.at(0x2001, 2), "0203");
  EXPECT_EQ(data.at(0x2001, 4), "");
  EXPECT_EQ(data.at(0x1fff, 1), "");
  EXPECT_EQ(data.at(0x3000, 1), "");
  EXPECT_EQ(ReadOnlyData("").at(0, 1), "");
  EXPECT_EQ(ReadOnlyData(" zz 01\n\n ff\n").at(0, 1), "");
}

TEST(Disassembly, KeepsNamesOfCallsThroughTheTable) {
  EXPECT_EQ(work("0000000000001230 <work>:\n"
                 "    1230:\tcall   *0x2f3f(%rip)        # 3fc0 <__libc_start_main@GLIBC_2.34>\n"
                 "    1236:\tadd    %rax,0x2f3f(%rip)        # 4028 <total>\n"),
            "call *<__libc_start_main@GLIBC_2.34>\nadd %rax,<total>\n\n");
}

TEST(Disassembly, JoinsFunctionsOfOneName) {
  const std::string first = "0000000000001230 <work>:\n    1230:\tret\n";
  const std::string second = "0000000000001250 <work>:\n    1250:\thlt\n";
  EXPECT_EQ(read(first + second).at("work").text, "hlt\n\nret\n\n");
  EXPECT_EQ(read(second + first).at("work").text, "hlt\n\nret\n\n");
  EXPECT_EQ(read(first + second).at("work").addresses.size(), 2u);
}

TEST(Disassembly, AcceptsStrangeNames) {
  const Disassembly functions = read(
      "0000000000001230 <operator<(a, b)>:\n    1230:\tjmp    1230 <operator<(a, b)>\n"
      "0000000000001240 <>:\n    1240:\tret\n"
      "0000000000001250 <x> # 10 <y>:\n    1250:\tjmp    1030 <x> # 10 <y>\n");
  EXPECT_EQ(functions.at("operator<(a, b)").text, "jmp @0\n\n");
  EXPECT_EQ(functions.count("x> # 10 <y"), 1u);
}

TEST(Disassembly, IgnoresGarbage) {
  EXPECT_TRUE(read_disassembly("").empty());
  EXPECT_TRUE(read_disassembly("objdump: bench: file format not recognized\n").empty());
  EXPECT_TRUE(read_disassembly("    1230:\tret\n").empty()) << "code of no function";
  EXPECT_EQ(work("0000000000001230 <work>:\n\t...\n    zz:\tret\n    1231:\n    1232:\t\n"),
            "\n\n");
  EXPECT_EQ(
      work("0000000000001230 <work>:\n    1230:\t0x1(%rip)        # zz\n    1231:\tjmp    <\n"),
      "<data>\njmp <\n\n");
}

}  // namespace
}  // namespace perf

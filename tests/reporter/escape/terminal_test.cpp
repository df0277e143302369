#include "reporter/escape/terminal.h"

#include <gtest/gtest.h>

#include "tests/reporter/samples.h"

namespace perf::reporter {
namespace {

TEST(TerminalText, SendsNoEscapeByte) {
  for (const std::string& text : samples::hostile_texts()) {
    EXPECT_EQ(terminal_text(text).find('\x1b'), std::string::npos) << text;
  }
}

TEST(TerminalText, BreaksCommandsOfCiServices) {
  EXPECT_EQ(terminal_text("::error::x"), ":\\:error::x");
  EXPECT_EQ(terminal_text("note ::error::x"), "note :\\:error::x");
  EXPECT_EQ(terminal_text("note\u3000::error::x"), "note :\\:error::x");
  EXPECT_EQ(terminal_text("\u2003::error::x"), " :\\:error::x");
  EXPECT_EQ(terminal_text("##[error]x"), "##\\[error]x");
  EXPECT_EQ(terminal_text("##vso[task.complete]"), "##vso\\[task.complete]");
  EXPECT_EQ(terminal_text("###[group]"), "###\\[group]");
}

TEST(TerminalText, KeepsOrdinaryNames) {
  for (const char* name :
       {"training/mlp_stack", "Foo::bar<int>::baz", "a[0]", "# 1 [x]", "::", ""}) {
    const std::string text(name);
    EXPECT_EQ(terminal_text(text), text == "::" ? ":\\:" : text);
  }
}

}  // namespace
}  // namespace perf::reporter

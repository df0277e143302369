#include <gtest/gtest.h>

#include "ci/cli/manual/manual.h"
#include "tests/contains.h"

namespace perf {
namespace {

TEST(ManPage, EscapesText) {
  EXPECT_EQ(roff_text(".TH evil"), "\\&.TH evil");
  EXPECT_EQ(roff_text("'so evil"), "\\(aqso evil");
  EXPECT_EQ(roff_text("a\n.so /etc/passwd"), "a .so /etc/passwd");
  EXPECT_EQ(roff_text("\\n \\fB --all `x` ~/y ^"),
            "\\en \\efB \\-\\-all \\(gax\\(ga \\(ti/y \\(ha");
}

TEST(ManPage, ContainsEveryPartOfTheTree) {
  CommandTree tree{"perf-compare", "7.1", "Tells.", {}, {}};
  tree.options.push_back({{"--man"}, "", ValueKind::text, {}, false, "This page"});
  tree.commands.push_back(
      {"shiny",
       "Something new",
       "It gleams.\nExit status: 0 always.",
       {{"REV", ValueKind::revision, {}, true, true, "A revision"}},
       {{{"-g", "--gleam"}, "HOW", ValueKind::text, {}, false, "How it gleams"}}});
  const std::string page = render_man_page(tree);
  EXPECT_TRUE(contains_all(
      page, {".TH PERF\\-COMPARE 1 ", "\"perf\\-compare 7.1\"", ".SS shiny\n", "Something new",
             "\\fIREV\\fR ...", "\\fB\\-g\\fR, \\fB\\-\\-gleam\\fR \\fIHOW\\fR\nHow it gleams",
             "It gleams.", "Exit status: 0 always.", "\\fB\\-\\-man\\fR\nThis page"}));
  for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS",
                              "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"}) {
    EXPECT_TRUE(contains(page, std::string(".SH ") + section + "\n")) << section;
  }
}

}  // namespace
}  // namespace perf

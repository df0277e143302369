#include <gtest/gtest.h>

#include <string>

#include "reporter/svg/drawing.h"
#include "reporter/svg/style.h"
#include "tests/contains.h"

namespace perf::reporter::svg {
namespace {

TEST(Paint, WritesEssentialAttributes) {
  EXPECT_EQ(paint("base"), " color=\"#0072b2\"");
  EXPECT_EQ(paint("head strong"), " color=\"#c77700\" stroke-width=\"2\"");
  EXPECT_EQ(paint("row"), "");
  EXPECT_EQ(paint(""), "");
}

TEST(Paint, WritesNoAttributeTwice) {
  EXPECT_EQ(paint("base head"), paint("base")) << "XML has no two attributes of one name";
  EXPECT_EQ(paint("band reach"), paint("band"));
}

TEST(Paint, HasTheLightColoursOfTheStyleSheet) {
  const std::string style = kPictureStyle;
  for (const char* name :
       {"base", "head",         "regressed", "failed", "improved", "inconclusive", "unchanged",
        "axis", "incomparable", "unjudged",  "grid",   "muted",    "paper",        "band",
        "hue0", "hue1",         "hue2",      "hue3",   "hue4",     "hue5"}) {
    const std::string attributes = paint(name);
    const std::size_t at = attributes.find("color=\"");
    ASSERT_NE(at, std::string::npos) << name;
    const std::string color = attributes.substr(at + 7, 7);
    const std::size_t rule = style.find("." + std::string(name));
    ASSERT_NE(rule, std::string::npos) << name;
    const std::size_t declared = style.find(color, rule);
    EXPECT_LT(declared, style.find('}', rule)) << name << " is " << color << " without a sheet";
  }
}

TEST(Picture, HasAStyleForLightAndDark) {
  const std::string file = stand_alone("<svg width=\"1\"><g/></svg>");
  EXPECT_EQ(file.rfind("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg width=\"1\"><style>", 0),
            0u);
  EXPECT_TRUE(contains_all(file, {"prefers-color-scheme: dark", "</style><g/></svg>"}));
}

}  // namespace
}  // namespace perf::reporter::svg

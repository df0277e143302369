#include <gtest/gtest.h>

#include <string>

#include "reporter/html/document.h"
#include "reporter/svg/style.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf::reporter::html {
namespace {

TEST(Page, HasAPolicyAndEscapesItsTitle) {
  const std::string text = page("</title><script>alert(1)</script>", "<p>body</p>");
  EXPECT_FALSE(contains(text, "<script>alert"));
  EXPECT_TRUE(contains_all(
      text, {"&lt;/title&gt;", "default-src 'none'; ", "base-uri 'none'; form-action 'none'"}));
  EXPECT_FALSE(contains(text, "unsafe"));
  EXPECT_TRUE(contains(text, "<p>body</p>"));
}

TEST(Page, LoadsNothing) {
  std::string text = page("title", "");
  // Names of XML vocabularies are no addresses.
  for (std::size_t at = text.find("http"); at != std::string::npos;
       at = text.find("http", at + 1)) {
    EXPECT_TRUE(text.compare(at, 18, "http://www.w3.org/") == 0 ||
                text.compare(at, 10, "http-equiv") == 0)
        << text.substr(at, 60);
  }
}

TEST(Page, HasTheHashesOfItsStylesAndScripts) {
  if (!samples::has_program("openssl")) {
    GTEST_SKIP() << "openssl is not installed (Debian package openssl)";
  }
  const std::pair<const char*, const char*> assets[] = {
      {kPageStyle, kPageStyleHash},       {kPageScript, kPageScriptHash},
      {kListScript, kListScriptHash},     {kHistoryScript, kHistoryScriptHash},
      {kHistoryStyle, kHistoryStyleHash}, {svg::kPictureStyle, svg::kPictureStyleHash}};
  for (const auto& [text, hash] : assets) {
    bool succeeded = false;
    const std::string expected =
        samples::output_of("{ openssl dgst -sha256 -binary | base64; }", text, succeeded);
    ASSERT_TRUE(succeeded);
    EXPECT_EQ(expected, std::string(hash) + "\n");
    EXPECT_TRUE(contains(page("", ""), std::string("'sha256-") + hash + "'"));
  }
}

TEST(Page, EndsNoStyleOrScriptEarly) {
  for (const std::string text :
       {kPageStyle, kPageScript, kListScript, kHistoryScript, kHistoryStyle, svg::kPictureStyle}) {
    EXPECT_FALSE(contains(text, "</")) << "would end its element";
    EXPECT_FALSE(contains(text, "<!--"));
    EXPECT_EQ(text.find('\r'), std::string::npos) << "a browser hashes line feeds alone";
  }
}

}  // namespace
}  // namespace perf::reporter::html

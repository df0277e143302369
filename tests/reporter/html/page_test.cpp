#include <gtest/gtest.h>

#include <string>

#include "reporter/html/document.h"
#include "reporter/svg/style.h"
#include "tests/reporter/outside_program.h"

namespace perf::reporter::html {
namespace {

TEST(Page, HasAPolicyAndEscapesItsTitle) {
  const std::string text = page("</title><script>alert(1)</script>", "<p>body</p>");
  EXPECT_EQ(text.find("<script>alert"), std::string::npos);
  EXPECT_NE(text.find("&lt;/title&gt;"), std::string::npos);
  EXPECT_NE(text.find("default-src 'none'; "), std::string::npos);
  EXPECT_NE(text.find("base-uri 'none'; form-action 'none'"), std::string::npos);
  EXPECT_EQ(text.find("unsafe"), std::string::npos);
  EXPECT_NE(text.find("<p>body</p>"), std::string::npos);
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
    EXPECT_NE(page("", "").find(std::string("'sha256-") + hash + "'"), std::string::npos);
  }
}

TEST(Page, EndsNoStyleOrScriptEarly) {
  for (const std::string text :
       {kPageStyle, kPageScript, kListScript, kHistoryScript, kHistoryStyle, svg::kPictureStyle}) {
    EXPECT_EQ(text.find("</"), std::string::npos) << "would end its element";
    EXPECT_EQ(text.find("<!--"), std::string::npos);
    EXPECT_EQ(text.find('\r'), std::string::npos) << "a browser hashes line feeds alone";
  }
}

}  // namespace
}  // namespace perf::reporter::html

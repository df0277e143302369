#include <gtest/gtest.h>
#include <stdlib.h>

#include <clocale>
#include <locale>
#include <string>

#include "reporter/render.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

struct CommaNumbers : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

std::string everything() {
  std::string text;
  for (const samples::Named& sample : samples::all()) {
    text += render_terminal(sample.report, false) + render_markdown(sample.report) +
            render_json(sample.report);
  }
  return text;
}

/// A C locale with decimal commas: the system's, or one compiled for this test; false if neither.
bool set_comma_c_locale() {
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr) {
    return true;
  }
  const std::string folder = testing::TempDir();
  bool succeeded = false;
  samples::output_of("localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8'", "", succeeded);
  setenv("LOCPATH", folder.c_str(), 1);
  const bool set = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  unsetenv("LOCPATH");
  return set;
}

TEST(Locale, IgnoresACommaInTheCppLocale) {
  const std::string before = everything();
  const std::locale old =
      std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
  const std::string after = everything();
  std::locale::global(old);
  EXPECT_EQ(after, before);
}

TEST(Locale, IgnoresACommaInTheCLocale) {
  const std::string before = everything();
  if (!set_comma_c_locale()) {
    GTEST_SKIP() << "no locale with decimal commas here, and none can be compiled (localedef)";
  }
  ASSERT_STREQ(std::localeconv()->decimal_point, ",");
  const std::string after = everything();
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace perf

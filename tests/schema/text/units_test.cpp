#include "schema/text/units.h"

#include <gtest/gtest.h>

#include "schema/error.h"

namespace perf {
namespace {

TEST(Percentage, IsAShare) {
  EXPECT_DOUBLE_EQ(parse_percentage("10%", ""), 0.10);
  EXPECT_DOUBLE_EQ(parse_percentage("0.5 %", ""), 0.005);
  EXPECT_DOUBLE_EQ(parse_percentage("0%", ""), 0);
  EXPECT_DOUBLE_EQ(parse_percentage("150%", ""), 1.5);
}

TEST(Percentage, IsWrittenAsItIsRead) {
  EXPECT_EQ(percentage_text(0.10), "10%");
  EXPECT_EQ(percentage_text(0.025), "2.5%");
  EXPECT_EQ(percentage_text(0.07), "7%");
  EXPECT_EQ(parse_percentage(percentage_text(0.0013), ""), 0.0013);
}

TEST(Percentage, RefusesEverythingElse) {
  for (const char* text : {"", "%", "10", "0.1", "-5%", "+5%", " 5%", "5%%", "5% ", "5.%", ".5%",
                           "1e1%", "nan%", "inf%", "0x10%", "5,5%", "5\xc2\xa0%", "ten%"}) {
    EXPECT_THROW(parse_percentage(text, "threshold"), UsageError) << text;
  }
}

TEST(Duration, IsWrittenAsItIsRead) {
  EXPECT_EQ(duration_text(600), "10m");
  EXPECT_EQ(duration_text(90), "90s");
  EXPECT_EQ(duration_text(7200), "2h");
  EXPECT_EQ(duration_text(2 * 86400), "2d");
}

TEST(Duration, IsInSeconds) {
  EXPECT_DOUBLE_EQ(parse_duration("250ms", ""), 0.25);
  EXPECT_DOUBLE_EQ(parse_duration("5s", ""), 5);
  EXPECT_DOUBLE_EQ(parse_duration("10m", ""), 600);
  EXPECT_DOUBLE_EQ(parse_duration("2h", ""), 7200);
  EXPECT_DOUBLE_EQ(parse_duration("1.5 h", ""), 5400);
  EXPECT_DOUBLE_EQ(parse_duration("90d", ""), 90 * 86400.0);
  EXPECT_DOUBLE_EQ(parse_duration("8784h", ""), 366 * 86400.0);
}

TEST(Duration, RefusesEverythingElse) {
  for (const char* text : {"", "5", "s", "-5s", "5 sec", "5S", "1h30m", "5s ", "1e3s", "infs",
                           "8785h", "367d", "99999999999999999999999999h"}) {
    EXPECT_THROW(parse_duration(text, "timeout"), UsageError) << text;
  }
}

TEST(ByteSize, IsInBytes) {
  EXPECT_DOUBLE_EQ(parse_byte_size("7B", ""), 7);
  EXPECT_DOUBLE_EQ(parse_byte_size("512KiB", ""), 524288);
  EXPECT_DOUBLE_EQ(parse_byte_size("1.5 MiB", ""), 1572864);
  EXPECT_DOUBLE_EQ(parse_byte_size("2GiB", ""), 2147483648);
  EXPECT_DOUBLE_EQ(parse_byte_size("1TiB", ""), 1099511627776);
  EXPECT_DOUBLE_EQ(parse_byte_size("3kB", ""), 3e3);
  EXPECT_DOUBLE_EQ(parse_byte_size("3KB", ""), 3e3);
  EXPECT_DOUBLE_EQ(parse_byte_size("100MB", ""), 1e8);
  EXPECT_DOUBLE_EQ(parse_byte_size("2GB", ""), 2e9);
  EXPECT_DOUBLE_EQ(parse_byte_size("1TB", ""), 1e12);
}

TEST(ByteSize, RefusesEverythingElse) {
  for (const char* text :
       {"", "5", "B", "-5B", "5b", "5 mb", "5M", "5MiB ", "1e3B", "5s", "99999999TB"}) {
    EXPECT_THROW(parse_byte_size(text, "at_most"), UsageError) << text;
  }
}

TEST(Units, ReportSubjectAndHint) {
  try {
    parse_percentage("ten", "--threshold");
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.subject, "--threshold");
    EXPECT_NE(error.what.find("\"ten\""), std::string::npos);
    EXPECT_NE(error.hint.find("10%"), std::string::npos);
  }
}

}  // namespace
}  // namespace perf

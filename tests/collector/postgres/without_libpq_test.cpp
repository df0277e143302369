// A build without libpq says so.

#include <gtest/gtest.h>

#include "collector/postgres/connection.h"
#include "tests/collector/git/scratch.h"

namespace perf::postgres {
namespace {

TEST(WithoutLibpq, AnAddressIsRefusedByAnErrorThatSaysSo) {
  const Error error = test::error_of([] { Connection("postgres://u:secret@h/db", {}); });
  EXPECT_NE(error.what.find("without libpq"), std::string::npos) << error.what;
  EXPECT_EQ(error.subject, "postgres://h/db");
  EXPECT_NE(error.hint.find("libpq-dev"), std::string::npos) << error.hint;
}

}  // namespace
}  // namespace perf::postgres

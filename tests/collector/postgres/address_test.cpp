// What is shown of a hub's address: never a password.

#include "collector/postgres/address.h"

#include <gtest/gtest.h>

#include "schema/error.h"
#include "tests/contains.h"

namespace perf::postgres {
namespace {

TEST(PostgresAddress, IsALibpqUri) {
  EXPECT_TRUE(is_address("postgres://h/db"));
  EXPECT_TRUE(is_address("postgresql:///db"));
  EXPECT_FALSE(is_address("postgres:h"));
  EXPECT_FALSE(is_address("http://h"));
}

TEST(PostgresAddress, IsShownWithoutUserPasswordAndParameters) {
  EXPECT_EQ(shown("postgres://ada:secret@db:5432/perf?sslmode=require"), "postgres://db:5432/perf");
  EXPECT_EQ(shown("postgresql://a,b:1/perf"), "postgresql://a,b:1/perf");
  EXPECT_EQ(shown("postgres:///perf?password=secret"), "postgres:///perf");
}

/// Whatever somebody takes for a URI.
TEST(PostgresAddress, HidesAWronglyWrittenPassword) {
  for (const char* address :
       {"postgres://u:se@cret@h/db", "postgres://u:se/cret@h/db", "postgres://u:se?cret@h/db",
        "postgres://u:se#cret@h/db", "postgres://h/db?password=se@cret",
        "postgres://h/db?password=s@e&sslpassword=cret", "postgres://u:se?x@cret@h/db",
        "postgres://u:se:cret", "postgres://a:1,b:cret/db"}) {
    EXPECT_FALSE(contains(shown(address), "cret")) << address;
    EXPECT_THROW(require_readable(address), UsageError) << address;
  }
}

TEST(PostgresAddress, IsMaskedInPlace) {
  for (const char* address :
       {"postgres://u:se@cret@h/db", "postgres://u:se/cret@h/db", "postgres://u:se?cret@h/db",
        "postgres://u:se#cret@h/db", "postgres://h/db?password=se@cret",
        "postgres://h:1/db?password=s@e&sslpassword=cret", "postgres://u:se?x@cret@h/db"}) {
    EXPECT_FALSE(contains(masked(address), "cret")) << address;
    EXPECT_EQ(masked(address).size(), std::string(address).size());
  }
  EXPECT_EQ(masked("postgres://ada:secret@db/perf"), "postgres://ada:******@db/perf");
  EXPECT_EQ(masked("postgres://db:5432/perf?password=ab&sslmode=require&sslpassword=c"),
            "postgres://db:5432/perf?password=**&sslmode=require&sslpassword=*");
  EXPECT_EQ(masked("postgres://ada@db:5432/perf"), "postgres://ada@db:5432/perf");
  EXPECT_EQ(masked("git:https://ada:secret@host/x"), "git:https://ada:secret@host/x");
  EXPECT_TRUE(holds_password("postgres://ada:secret@db/perf"));
  EXPECT_FALSE(holds_password("postgres://ada@db:5432/perf"));
}

TEST(PostgresAddress, IsMaskedAnywhereInAText) {
  EXPECT_EQ(masked_text("try 'postgres://a:bc@h/d' or postgresql://h/d?password=e, of postgres."),
            "try 'postgres://a:**@h/d' or postgresql://h/d?password=** of postgres.");
  EXPECT_EQ(masked_text("nothing of it"), "nothing of it");
}

TEST(PostgresAddress, IsAcceptedWhereItIsWellFormed) {
  for (const char* address : {"postgres://u:se%40cret@h/db", "postgres:///db?host=/run/postgresql",
                              "postgres://%2Frun%2Fpostgresql/db", "postgres://[::1]:5432/db",
                              "postgres://a:1,[2001:db8::1]:2/db", "postgres://?service=x"}) {
    EXPECT_NO_THROW(require_readable(address)) << address;
  }
}

}  // namespace
}  // namespace perf::postgres

#include "schema/text/fnv.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

TEST(Fnv, GivesThePublishedValues) {  // RFC 9923, test vectors
  EXPECT_EQ(fnv1a_64(""), 0xCBF29CE484222325u);
  EXPECT_EQ(fnv1a_64("a"), 0xAF63DC4C8601EC8Cu);
  EXPECT_EQ(fnv1a_64("foobar"), 0x85944171F73967E8u);
  EXPECT_EQ(fnv1a_64("bar", fnv1a_64("foo")), fnv1a_64("foobar"));
}

}  // namespace
}  // namespace perf

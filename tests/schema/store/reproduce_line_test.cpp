#include <gtest/gtest.h>

#include "schema/store/internal.h"

namespace perf::store {
namespace {

TEST(ReproduceLine, AcceptsGeneratedLines) {
  for (
      const char* line :
      {"perf-compare 3f2a91c4d1e0 . --size ci -w 'training/*' --threshold 5% --seed 42",
       "perf-compare baseline aaaaaaaaaaaa --size smoke -C /a/b --config c.json --db 'my store.db' "
       "--metric step_time --alpha 1% --budget 600s --pairs 4:16 --base-set 'a=b' --head-set 'a=c' "
       "--vary 'k=1,2' --control --count --profile-changes --seed 1",
       "perf-compare collect aaaaaaaaaaaa --anchor 'it'\\''s' --size full --seed 7",
       "perf-compare calibrate aaaaaaaaaaaa --size ci --control --seed 7",
       "perf-compare a b -w '$(id)'"}) {
    EXPECT_TRUE(is_reproduce_line(line)) << line;
  }
}

TEST(ReproduceLine, RefusesShellSyntaxAndFiles) {
  for (const char* line : {"",
                           "perf-compare",
                           "id",
                           "perf-compare a b -w $(id)",
                           "perf-compare a b; id",
                           "perf-compare a b && id",
                           "perf-compare a b\nid",
                           "perf-compare a b | sh",
                           "perf-compare a b > .bashrc",
                           "perf-compare a b --json .bashrc",
                           "perf-compare prune",
                           "perf-compare unpin release",
                           "perf-compare HEAD~1 HEAD",
                           "perf-compare --html=x a b",
                           "perf-compare  a b",
                           "sudo perf-compare a b",
                           "./perf-compare a b",
                           "perf-compare a b -w 'x",
                           "perf-compare a collect",
                           "perf-compare a b \u202E"}) {
    EXPECT_FALSE(is_reproduce_line(line)) << line;
  }
}

}  // namespace
}  // namespace perf::store

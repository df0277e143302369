#include "tests/ci/same_program/plant.h"

namespace perf::test {
namespace {

const std::string kBySteps = "n=0; [ $PERF_COMPARE_STEPS -lt 1000 ] || n=7; ";
const std::string kBySeed = "n=0; [ $PERF_COMPARE_SEED != 1 ] || n=7; ";

/// Reads one of two by `choice` and looking sees `read`; the other differs.
Plant chosen(const std::string& name, const std::string& read, const std::string& unread,
             const std::string& command) {
  const std::string folders = "mkdir -p $(dirname " + read + ") $(dirname " + unread + "); ";
  return {.name = name,
          .base = folders + "echo 1 > " + read + "; echo 1 > " + unread,
          .head = "echo 2 > " + unread,
          .command = command,
          .because = name + "/" + unread + " differs, and may be read"};
}

}  // namespace

std::vector<Plant> choice_plants() {
  return {
      chosen("shard", "data/shard-0.bin", "data/shard-7.bin",
             kBySteps + "$ASK read data/shard-$n.bin"),
      chosen("named_shard", "data/red.bin", "data/blue.bin",
             kBySeed + "[ $n = 0 ] && f=red || f=blue; $ASK read data/$f.bin"),
      chosen("numbered_folder", "data/0/x.bin", "data/7/x.bin",
             kBySeed + "$ASK read data/$n/x.bin"),
      chosen("numbered_file", "0", "7", kBySeed + "$ASK read $n"),
      chosen("numbered_both", "data/10/1.bin", "data/7/7.bin", kBySeed + "$ASK read data/10/1.bin"),
      chosen("named_folder", "data/red/x.bin", "data/blue/x.bin",
             kBySeed + "[ $n = 0 ] && f=red || f=blue; $ASK read data/$f/x.bin"),
      chosen("mapped_shard", "data/0.bin", "data/7.bin", kBySeed + "$ASK map data/$n.bin"),
      {.name = "numbered_size",
       .base = "echo 1 > 0.dat; echo 1 > 7.dat",
       .head = "echo 22 > 7.dat",
       .command = kBySeed + "$ASK stat $n.dat",
       .because = "7.dat differs, and may be read"},
      {.name = "numbered_absence",
       .base = "true",
       .head = "echo 1 > more-7.cfg",
       .command = kBySeed + "$ASK read more-$n.cfg",
       .because = "more-7.cfg differs, and may be read"},
      {.name = "numbered_program",
       .base = "echo 1 > text",
       .head = "echo 2 > text",
       .build = "cc ../../../own0.o -o run-0 && cc ../../../own$(cat text).o -o run-7",
       .command = kBySeed + "./run-$n",
       .because = "run-7 differs, and may be read"},
      {.name = "numbered_plugin",
       .base = "echo 1 > text",
       .head = "echo 2 > text",
       .build =
           "cc -shared ../../../own0.o -o v0.so && cc -shared ../../../own$(cat text).o -o v7.so",
       .command = kBySeed + "$ASK load ./v$n.so",
       .because = "v7.so differs, and may be read"},
      {.name = "numbered_link",
       .base = "echo 1 > a; echo 2 > b; ln -s a 0; ln -s a 7",
       .head = "ln -sfn b 7",
       .command = kBySeed + "$ASK read $n",
       .because = "7 differs, and may be read"},
  };
}

}  // namespace perf::test

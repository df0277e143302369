#include "tests/ci/same_program/plant.h"

namespace perf::test {
namespace {

/// `data` differs, which is read in one of the ways of ask.c.
Plant read_by(const std::string& way) {
  return {.name = "by_" + way,
          .base = "echo 1 > data",
          .head = "echo 2 > data",
          .command = "$ASK " + way + " data",
          .because = "by_" + way + "/data: line 1"};
}

/// What no comparison of files can tell, and is doubt.
Plant doubt_at(const std::string& name, const std::string& command, const std::string& because) {
  return {.name = name,
          .base = "echo 1 > data",
          .head = "echo 2 > unread",
          .command = command,
          .because = because,
          .doubtful = true};
}

}  // namespace

std::vector<Plant> process_plants() {
  return {
      read_by("thread"),
      read_by("vfork"),
      read_by("grandchild"),
      read_by("daemon"),
      read_by("spawn"),
      read_by("heir"),
      {.name = "handle",
       .base = "echo 1 > data",
       .head = "echo 2 > data",
       .command = "$ASK handle data",
       .because = "open_by_handle_at",
       .may_fail = true,
       .doubtful = true},
      doubt_at("ring", "$ASK ring", "io_uring_setup"),
      doubt_at("socket", "$ASK socket \"$SOCKET\"", "communicates with another process"),
      doubt_at("port", "$ASK port $PORT", "communicates with another process"),
      doubt_at("shared_memory", "$ASK attach $SHARED", "shmat"),
      doubt_at("fails_when_traced", "! grep -q 'TracerPid:.[1-9]' /proc/self/status",
               "base failed: exit status 1"),
      {.name = "counter_of_commit",  // looking changes it
       .base = "echo 1 > count",
       .head = "echo 2 > unread",
       .command = "n=$(cat count); echo $((n + 1)) > count",
       .because = "count was changed after the build",
       .doubtful = true},
      {.name = "appends",
       .base = "echo 1 > log",
       .head = "echo 2 > unread",
       .command = "echo 1 >> log",
       .because = "log was changed after the build",
       .doubtful = true},
      {.name = "deletes",
       .base = "echo 1 > data",
       .head = "echo 2 > unread",
       .command = "rm -f data",
       .because = "data was changed after the build",
       .doubtful = true},
      {.name = "replaces",
       .base = "echo 1 > data",
       .head = "echo 2 > unread",
       .command = "cat data > new; mv new data",
       .because = "data was changed after the build",
       .doubtful = true},
      {.name = "made_by_other",  // what another workload leaves in the checkout
       .base = "echo 1 > data",
       .head = "echo 2 > data",
       .first = "cp data made",
       .command = "$ASK read made",
       .because = "made_by_other/made",
       .doubtful = true},
      {.name = "made_in_folder_by_other",
       .base = "echo 1 > data",
       .head = "echo 2 > data",
       .first = "mkdir -p out && touch out/$(cat data)",
       .command = "$ASK list out",
       .because = "made_in_folder_by_other/out",
       .doubtful = true},
      {.name = "copied_by_itself",  // what it made of a file that differs
       .base = "echo 1 > data",
       .head = "echo 2 > data",
       .command = "cp data made; $ASK read made",
       .because = "copied_by_itself/data: line 1"},
  };
}

}  // namespace perf::test

#include "tests/ci/same_program/plant.h"

namespace perf::test {
namespace {

/// `data` differs; `command` reads it.
Plant reads_data(const std::string& name, const std::string& command) {
  return {.name = name,
          .base = "echo 1 > data",
          .head = "echo 2 > data",
          .command = command,
          .because = name + "/data"};
}

std::vector<Plant> ways_to_name() {
  return {
      reads_data("below_folder", "$ASK openat . data"),
      reads_data("in_other_folder", "cd ../../.. && ./ask fchdir ${OLDPWD#$PWD/} data"),
      reads_data("by_cd", "cd ../../../kept && $ASK read \"$OLDPWD/data\""),
      reads_data("two_dots", "$ASK read \"../${PWD##*/}/data\""),
      reads_data("long_name", "$ASK long data 1800"),
      reads_data("absolute", "$ASK read \"$PWD/data\""),
      {.name = "old_gate",
       .base = "echo 1 > data",
       .head = "echo 2 > data",
       .command = "$ASK old-gate data",
       .because = "old_gate/data",
       .may_fail = true},
      {.name = "stat_by_descriptor",
       .base = "true",
       .head = "touch flag",
       .command = "$ASK stat-descriptor . flag",
       .because = "/dev/fd/",
       .doubtful = true},
      {.name = "proc_cwd",
       .base = "echo 1 > data",
       .head = "echo 2 > data",
       .command = "$ASK read /proc/self/cwd/data",
       .because = "/proc",
       .doubtful = true},
      {.name = "new_line",
       .base = "echo 1 > \"$(printf 'a\\nb')\"",
       .head = "echo 2 > \"$(printf 'a\\nb')\"",
       .command = "$ASK read \"$(printf 'a\\nb')\"",
       .because = "new_line/a"},
      {.name = "quotes",
       .base = "echo 1 > 'a\"b\\c'",
       .head = "echo 2 > 'a\"b\\c'",
       .command = "$ASK read 'a\"b\\c'",
       .because = "quotes/a\"b\\c: line 1"},
      {.name = "brackets",
       .base = "echo 1 > 'a) = 3, <{[(' ",
       .head = "echo 2 > 'a) = 3, <{[(' ",
       .command = "$ASK read 'a) = 3, <{[('",
       .because = "brackets/a) = 3"},
      {.name = "no_utf8",
       .base = "echo 1 > \"$(printf 'a\\377\\376')\"",
       .head = "echo 2 > \"$(printf 'a\\377\\376')\"",
       .command = "$ASK read \"$(printf 'a\\377\\376')\"",
       .because = "no_utf8/a"},
  };
}

std::vector<Plant> links() {
  return {
      {.name = "link",
       .base = "echo 1 > a; echo 2 > b; ln -s a now",
       .head = "ln -sfn b now",
       .command = "$ASK read now",
       .because = "link/now"},
      {.name = "link_to_equal",
       .base = "echo 1 > a; echo 1 > b; ln -s a now",
       .head = "ln -sfn b now",
       .command = "$ASK read now",
       .because = "link_to_equal/now"},
      {.name = "link_out",
       .base = "ln -s /etc/hostname now",
       .head = "ln -sfn /etc/passwd now",
       .command = "$ASK read now",
       .because = "link_out/now"},
      {.name = "chain",
       .base = "echo 1 > a; echo 2 > b; ln -s next now; ln -s a next",
       .head = "ln -sfn b next",
       .command = "$ASK read now",
       .because = "chain/n"},
      {.name = "linked_folder",
       .base = "mkdir a b; echo 1 > a/data; echo 2 > b/data; ln -s a now",
       .head = "ln -sfn b now",
       .command = "$ASK read now/data",
       .because = "linked_folder/now"},
      {.name = "up_from_link",
       .base = "mkdir -p a/in b/in; echo 1 > a/data; echo 2 > b/data; ln -s a/in now",
       .head = "ln -sfn b/in now",
       .command = "$ASK read now/../data",
       .because = "up_from_link/now"},
      {.name = "file_for_link",
       .base = "echo 1 > a; ln -s a now",
       .head = "rm now; cp a now",
       .command = "$ASK read now",
       .because = "file_for_link/now"},
      {.name = "read_link",
       .base = "ln -s version-1 now",
       .head = "ln -sfn version-2 now",
       .command = "readlink now",
       .because = "read_link/now"},
      {.name = "link_by_build",
       .base = "echo 1 > data",
       .head = "echo 2 > data",
       .build = "ln -s \"$PWD/data\" now",
       .command = "$ASK read now",
       .because = "link_by_build/data: line 1"},
  };
}

}  // namespace

std::vector<Plant> name_plants() {
  std::vector<Plant> plants = ways_to_name();
  const std::vector<Plant> more = links();
  plants.insert(plants.end(), more.begin(), more.end());
  return plants;
}

}  // namespace perf::test

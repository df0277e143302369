#include "tests/ci/same_program/plant.h"

namespace perf::test {
namespace {

std::vector<Plant> shells() {
  return {
      {.name = "script",
       .base = "echo 'true 1' > run.sh",
       .head = "echo 'true 2' > run.sh",
       .command = "sh run.sh",
       .because = "run.sh: line 1"},
      {.name = "variables",
       .base = "echo THREADS=1 > env; echo '. ./env' > run.sh",
       .head = "echo THREADS=2 > env",
       .command = "sh run.sh",
       .because = "env: line 1"},
      {.name = "script_calls",
       .base = "printf '#!/bin/sh\\n./tool\\n' > run; printf '#!/bin/sh\\n:\\n' > tool; chmod +x *",
       .head = "echo true >> tool",
       .command = "./run",
       .because = "tool: line"},
      {.name = "script_interpreter",
       .base = "printf '#!./shell\\ntrue\\n' > run; chmod +x run; echo 1 > text",
       .head = "echo 2 > text",
       .build = "cp $(realpath /bin/sh) shell && cat text >> shell",
       .command = "./run",
       .because = "shell"},
      {.name = "script_in_script",
       .base = "printf '#!./shell\\ntrue\\n' > run; printf '#!/bin/sh\\n' > shell; chmod +x *",
       .head = "echo true >> shell",
       .command = "./run",
       .because = "shell: line"},
      {.name = "found_in_path",
       .base = "mkdir bin; printf '#!/bin/sh\\n' > bin/tool; chmod +x bin/tool",
       .head = "echo true >> bin/tool",
       .command = "PATH=$PWD/bin:$PATH; tool",
       .because = "bin/tool: line"},
      {.name = "earlier_in_path",
       .base = "mkdir bin; printf '#!/bin/sh\\n' > bin/tool; chmod +x bin/tool",
       .head = "mkdir first; cp -p bin/tool first/",
       .command = "PATH=$PWD/first:$PWD/bin:$PATH; tool",
       .because = "first"},
      {.name = "glob",
       .base = "mkdir bin; touch bin/a",
       .head = "touch bin/b",
       .command = "for file in bin/*; do :; done",
       .because = "bin"},
  };
}

std::vector<Plant> pythons() {
  const std::string run = "/usr/bin/python3 bench.py";
  // With what was compiled beside the sources.
  const std::string run_beside = "unset PYTHONPYCACHEPREFIX; " + run;
  const std::string bench = "echo 'import m' > bench.py; echo 'X = 1' > m.py; ";
  // Compiles what the file `text` says, and puts m.py back, as old as that.
  const std::string compile_other =
      "cp m.py kept && cp text m.py && touch -d 2020-01-01 m.py && "
      "/usr/bin/python3 -m compileall -q --invalidation-mode ";
  const std::string put_back = " m.py && cp kept m.py && rm kept && touch -d 2020-01-01 m.py";
  return {
      {.name = "module",
       .base = bench,
       .head = "echo 'X = 2' > m.py",
       .command = run,
       .because = "m.py: line 1"},
      {.name = "module_of_two",  // the first leaves a compiled module behind for the second
       .base = "mkdir lib; echo 'X = 1' > lib/m.py; "
               "echo 'import sys; sys.path.append(\"lib\"); import m' > bench.py",
       .head = "echo 'X = 2' > lib/m.py",
       .first = run,
       .command = run + " again",
       .because = "m.py: line 1"},
      {.name = "module_compiled",
       .base = bench,
       .head = "echo 'X = 2' > m.py",
       .build = "/usr/bin/python3 -m compileall -q m.py",
       .command = run,
       .because = "m.py: line 1"},
      {.name = "shadowed",
       .base = bench + "echo 'import json' > m.py",
       .head = "mkdir json; touch json/__init__.py",
       .command = run,
       .because = "shadowed"},
      {.name = "no_source",
       .base = bench + "mv m.py m.txt",
       .head = "echo 'X = 2' > m.txt",
       .build = "cp m.txt m.py && touch -d 2020-01-01 m.py && /usr/bin/python3 -m compileall -q -b "
                "m.py && rm m.py",
       .command = run,
       .because = "m.pyc"},
      {.name = "stale",
       .base = bench + "echo 'X = 3' > text",
       .head = "echo 'X = 4' > text",
       .build = compile_other + "timestamp" + put_back,
       .command = run_beside,
       .because = "pyc"},
      {.name = "unchecked",
       .base = bench + "echo 'X = 3' > text",
       .head = "echo 'X = 4' > text",
       .build = compile_other + "unchecked-hash" + put_back,
       .command = run_beside,
       .because = "pyc"},
  };
}

}  // namespace

std::vector<Plant> script_plants() {
  std::vector<Plant> plants = shells();
  const std::vector<Plant> more = pythons();
  plants.insert(plants.end(), more.begin(), more.end());
  return plants;
}

}  // namespace perf::test

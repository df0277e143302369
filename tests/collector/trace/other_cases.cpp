#include "tests/collector/trace/cases.h"

namespace perf::test {

std::vector<Case> doubtful() {
  const Entry build_fifo = "mkfifo fifo";
  return {
      with_data("by_handle", "$ACTOR read-by-handle data"),
      with_data("uring", "$ACTOR set-up-uring"),
      with_data("unix_socket", "$ACTOR connect-to-unix $BESIDE/server"),
      with_data("tcp_socket", "$ACTOR connect-to-port $PORT"),
      with_data("shared_memory", "$ACTOR read-shared-memory $SHARED"),
      with_data("shared_memory_by_name", "cat $SHARED_NAME"),
      with_data("whether_traced", "$ACTOR ask-whether-traced"),
      with_data("filters_calls", "$ACTOR filter-calls"),
      with_data("own_state", "cat /proc/self/status"),
      with_data("name_of_parent", "cat /proc/$PPID/comm"),
      {"own_id",
       {{"build", "echo id=$(git rev-parse HEAD) > id"}},
       {{"build", "echo id=$(git rev-parse HEAD) > id"}},
       ". ./id"},
      with_data("untraced", "$ACTOR read-untraced data"),
      with_data("fails_where_traced", "grep -q 'TracerPid:.0$' /proc/self/status"),
      with_data("history", "git log -1 > /dev/null"),
      with_data("described", "git describe --always > /dev/null"),
      with_data("head_of_history", "cat ../.git/HEAD > /dev/null"),
      with_data("changes_a_file", "echo two > data && cat data"),
      with_data("changes_mode", "chmod 600 data && cat data"),
      with_data("deletes_a_file", "cat data && rm data"),
      with_data("replaces_a_file", "cat data > new && mv new data && cat data"),
      with_data("changed_outside", "cat $BESIDE/later"),
      with_data("waits_for_an_answer",
                "i=0; : > $BESIDE/answer; until read x < $BESIDE/answer || [ $i = 9 ]; "
                "do i=$((i + 1)); done; rm $BESIDE/answer; cat data"),
      with_data("fails", "cat nothing"),
      {"linked_outside",
       {{"build", "ln -s $BESIDE/later data"}},
       {{"build", "ln -s $BESIDE/later data"}},
       "cat data"},
      {"fifo", {{"build", build_fifo}}, {{"build", build_fifo}}, "[ -p fifo ]"},
  };
}

std::vector<Case> unchanged() {
  const std::string program =
      "#include <assert.h>\n#include \"used.h\"\nstatic const char* place = __FILE__;\n"
      "int main(int n, char** a) { assert(n > 0); return place == *a; }\n";
  // Of a compiler that is not there: a program all the same.
  const std::string no_compiler = "echo 'int main(void) { return 0; }' | cc -x c -o p -";
  const std::string
      build_c = "cc -g -O1 -I$PWD -o p $PWD/p.c",
      build_cpp = "g++ -g -O1 -DROOT=\"\\\"$PWD\\\"\" -I$PWD -o p $PWD/p.cpp",
      cpp =
          "#include \"used.h\"\n#include <cstdio>\n"
          "int main() { return std::puts(ROOT) < 0; }\n",
      go = "package main\nfunc main() { println(\"x\") }\n",
      build_go =
          "export GOCACHE=${GOCACHE:-$(getent passwd $(id -u) | cut -d: -f6)/.cache/go-build}; "
          "command -v go > /dev/null && go build -trimpath -buildvcs=false -o p p.go "
          "|| " +
          no_compiler,
      rust = "fn main() { println!(\"x\"); }\n",
      build_rust =
          "export RUSTUP_HOME=${RUSTUP_HOME:-$(getent passwd $(id -u) | cut -d: -f6)/.rustup}; "
          "command -v rustc > /dev/null && rustc -g -o p p.rs || " +
          no_compiler;
  const std::string library =
      "echo 'int value_of_library(void) { return 1; }' > lib.c && "
      "cc -shared -fPIC -o plain.so lib.c && objcopy --add-section .extra=text plain.so lib.so";
  const std::string import = "/usr/bin/python3 -c 'import m; print(m.value)'";
  return {
      {"prepared",
       {{"d", "1"}, {"doc.md", "one"}},
       {{"d", "1"}, {"doc.md", "two"}},
       "cat copy \"$F\"",
       "",
       {},
       "process",
       true,
       {{"F", "d"}},
       "cp d copy"},
      {"c",
       {{"p.c", program}, {"used.h", "// one\n"}, {"build", build_c}, {"doc.md", "one"}},
       {{"p.c", program}, {"used.h", "// two\n"}, {"build", build_c}, {"doc.md", "two"}},
       "./p"},
      {"cpp",
       {{"p.cpp", cpp}, {"used.h", ""}, {"unused.h", "1"}, {"build", build_cpp}},
       {{"p.cpp", cpp}, {"used.h", ""}, {"unused.h", "2"}, {"build", build_cpp}},
       "./p"},
      {"go",
       {{"p.go", go}, {"build", build_go}, {"doc.md", "one"}},
       {{"p.go", go}, {"build", build_go}, {"doc.md", "two"}},
       "./p"},
      {"rust",
       {{"p.rs", rust}, {"build", build_rust}, {"doc.md", "one"}},
       {{"p.rs", rust}, {"build", build_rust}, {"doc.md", "two"}},
       "./p"},
      {"python",
       {{"m.py", "value = 1\n"}, {"doc.md", "one"}},
       {{"m.py", "value = 1\n"}, {"doc.md", "two"}},
       import,
       "true && " + import},
      {"section_not_read",
       {{"text", "one"}, {"build", library}},
       {{"text", "two"}, {"build", library}},
       "$ACTOR run-loaded ./lib.so"},
      {"own_names",
       {{"build", "pwd > names; git rev-parse HEAD | tee -a names | cut -c 1-9 >> names"}},
       {{"build", "pwd > names; git rev-parse HEAD | tee -a names | cut -c 1-9 >> names"}},
       "cat names"},
      {"names_documents_and_tests",
       {{"s", "# docs/x.md and tests/test_x.py test it\n"},
        {"docs/x.md", "one"},
        {"tests/test_x.py", "one"}},
       {{"s", "# docs/x.md and tests/test_x.py test it\n"},
        {"docs/x.md", "two"},
        {"tests/test_x.py", "two"}},
       "sh s"},
      {"names_listed", {{"in/x", "one"}}, {{"in/x", "two"}}, "ls in"},
      {"size_asked", {{"x", "one"}}, {{"x", "two"}}, "[ -s x ]"},
      with_data("scratch", "mkdir -p out && echo x > out/x && mv out/x out/y && cat out/y"),
      with_data("scratch_again", "[ -e cache ] || sort data > cache; cat cache"),
      with_data("temporary", "t=$(mktemp) && cat data > $t && cat $t && rm $t"),
      with_data("temporary_folder",
                "t=$(mktemp -d) && ln -s $PWD $t/in && cat $t/in/data && rm -r $t"),
      with_data("thread", "$ACTOR read-in-thread data"),
      with_data("daemon", "$ACTOR read-as-daemon data"),
      with_data("pipes", "cat data | sort | uniq -c > /dev/null"),
      with_data("here_text", "cat <<E\nx\nE\n"),
      with_data("own_program", "readlink /proc/self/exe && cat /proc/self/maps /proc/cpuinfo"),
      with_data("relative_link", "mkdir -p out && ln -sf ../data out/link && cat out/link"),
      with_data("log", "echo x >> log"),
      with_data(
          "log_of_a_child",
          "true; (sleep 0.1; echo x) > log & while ! [ -s log ]; do sleep 0.02; done; rm log"),
      with_data("nameless_file_again",
                "t=$(mktemp); exec 3<>$t; rm $t; cat data >&3; set /dev/fd/3; cat $1 $1 $1 $1 $1"),
      with_data("own_fifo", "mkfifo f; cat data > f & cat f; rm f; wait"),
      with_data("own_flag", "true; (sleep 0.1; : > f) & until [ -e f ]; do sleep 0.02; done; rm f"),
      with_data("dangling_link", "ln -s nothing l; [ -e l ] || [ -L l ]; rm l"),
      {"make",
       {{"p.c", "int main(void) { return 0; }\n"},
        {"build", "make -s p q"},
        {"Makefile", "q: p\n\tcp p q\n"}},
       {{"p.c", "int main(void) { return 0; }\n"},
        {"build", "make -s p q"},
        {"Makefile", "q: p\n\tcp p q\n"}},
       "make -s p q && ./q"},
      {"compiled_by_the_build",
       {{"m.py", "value = 1\n"}, {"build", "/usr/bin/python3 -m compileall -q m.py"}},
       {{"m.py", "value = 1\n"}, {"build", "/usr/bin/python3 -m compileall -q m.py"}},
       import + " && ls . __pycache__"},
      {"installed_in_the_working_tree",
       {{".gitignore", "venv\n"}, {"venv/pyvenv.cfg", ""}, {"venv/bin/data", "1"}},
       {{".gitignore", "venv\n"}, {"venv/pyvenv.cfg", ""}, {"venv/bin/data", "1"}},
       "cat $REPO/installed_in_the_working_tree/venv/bin/data"},
  };
}

}  // namespace perf::test

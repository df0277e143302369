#include "tests/collector/trace/cases.h"

namespace perf::test {
namespace {

/// A program and a library of one size, whose code differs, in ../tool.
Case tools() {
  const std::string program = "int main(void) { return V - V; }\nint value = V;\n",
                    library = "int value_of_library(void) { return V; }\n",
                    build =
                        "cc -DV=$(cat value) -o tool tool.c && "
                        "cc -DV=$(cat value) -shared -fPIC -o lib.so lib.c";
  return {"tool",
          {{"tool.c", program}, {"lib.c", library}, {"build", build}, {"value", "11"}},
          {{"tool.c", program}, {"lib.c", library}, {"build", build}, {"value", "22"}},
          "./tool"};
}

Case with_tool(const std::string& name, const std::string& run) {
  return {name, {{"x", ""}}, {{"x", ""}}, run};
}

/// A file that each side's build makes of `text`.
Case built(const std::string& name, const std::string& build, const std::string& run,
           const std::string& one = "one", const std::string& two = "two") {
  return {name, {{"text", one}, {"build", build}}, {{"text", two}, {"build", build}}, run};
}

}  // namespace

std::vector<Case> changed_programs() {
  return {
      tools(),
      with_tool("by_vfork", "$ACTOR run-by-vfork ../tool/tool"),
      with_tool("by_spawn", "$ACTOR run-by-spawn ../tool/tool"),
      with_tool("by_descriptor", "$ACTOR run-by-descriptor ../tool/tool"),
      with_tool("by_path_descriptor", "$ACTOR run-by-proc ../tool/tool"),
      with_tool("by_folder_and_name", "$ACTOR run-by-folder ../tool tool"),
      with_tool("by_thread", "$ACTOR run-in-thread ../tool/tool"),
      with_tool("by_path_variable", "PATH=$PWD/../tool:$PATH tool"),
      {"in_cwd", {{"d", "1"}}, {{"d", "2"}}, "cat d", "", {}, "process", true},
      {"by_prepare",
       {{"d", "1"}},
       {{"d", "2"}},
       "cat copy",
       "",
       {},
       "process",
       true,
       {},
       "cp d copy"},
      {"prepare_alone",
       {{"d", "1"}},
       {{"d", "2"}},
       "true",
       "",
       {},
       "process",
       false,
       {},
       "cat d > /dev/null"},
      {"by_variable", {{"d", "1"}}, {{"d", "2"}}, "cat $F", "", {}, "process", true, {{"F", "d"}}},
      with_tool("by_own_link", "ln -s ../tool/tool link && ./link && rm link"),
      with_tool("by_own_link_of_a_folder",
                "t=$(mktemp -d) && ln -s $PWD/.. $t/in && $t/in/tool/tool && rm -r $t"),
      with_tool("by_way_of_proc", "/proc/self/cwd/../tool/tool"),
      with_tool("by_loader", "/lib64/ld-linux-x86-64.so.2 ../tool/tool"),
      with_tool("loaded", "$ACTOR run-loaded ../tool/lib.so"),
      with_tool("loaded_by_name", "LD_LIBRARY_PATH=../tool $ACTOR run-loaded lib.so"),
      with_tool("preloaded", "LD_PRELOAD=$PWD/../tool/lib.so cat x"),
      built("payload_by_proc", "cp $ACTOR self && cat text >> self", "./self read-own-end"),
      built("payload_by_name", "cp $ACTOR self && cat text >> self", "./self read-end-of"),
      built("payload_unread", "cp $ACTOR self && cat text >> self", "./self list-kinds ."),
      built("section", "objcopy --add-section .extra=text $ACTOR self",
            "./self map-and-read self > /dev/null"),
      built("section_while_mapped", "objcopy --add-section .extra=text $ACTOR self",
            "./self read-while-mapped self > /dev/null"),
      built("section_of_a_library",
            "echo 'int value_of_library(void) { return 1; }' > lib.c && "
            "cc -shared -fPIC -o plain.so lib.c && "
            "objcopy --add-section .extra=text plain.so lib.so",
            "$ACTOR run-loaded ./lib.so && grep -c . lib.so"),
      built("own_size", "objcopy --add-section .extra=text $ACTOR self", "./self ask-own-size",
            std::string(10, 'x'), std::string(10'000, 'x')),
      built("stack_of_code", "echo 'int main(void) { return 0; }' > p.c && cc $(cat text) -o p p.c",
            "./p", "-Wl,-z,noexecstack", "-Wl,-z,execstack"),
      built("run_path",
            "echo 'int value_of_library(void) { return V; }' > lib.c && mkdir -p one two && "
            "cc -DV=1 -shared -fPIC -o one/libx.so lib.c && "
            "cc -DV=2 -shared -fPIC -o two/libx.so lib.c && "
            "echo 'int value_of_library(void); int main(void) { return !value_of_library(); }' > "
            "p.c && cc -o p p.c -Lone -lx '-Wl,-rpath,$ORIGIN/'$(cat text)",
            "./p"),
      built("loader_of_its_own",
            "cp /lib64/ld-linux-x86-64.so.2 ld.so && "
            "printf $(cat text) | dd of=ld.so bs=1 seek=12 conv=notrunc && "
            "echo 'int main(void) { return 0; }' > p.c && "
            "cc -o p p.c -Wl,--dynamic-linker=$PWD/ld.so",
            "./p", "\\\\001", "\\\\002"),
      built("linked_whole",
            "echo 'int value = V; int main(void) { return 0; }' > p.c && "
            "cc -static -DV=$(cat text) -o p p.c",
            "./p", "11", "22"),
      built("header",
            "echo \"#define V $(cat text)\" > v.h && "
            "printf '#include \"v.h\"\\nint value = V; int main(void) { return 0; }' > p.c && "
            "cc -o p p.c",
            "./p", "11", "22"),
      built("date_of_build",
            "echo \"const char* date = \\\"$(date +%s%N)\\\"; int main(void) { return 0; }\" > p.c "
            "&& cc -o p p.c",
            "./p", "same", "same"),
      built("optimized",
            "echo 'int v(int n) { return n * 7 / 3; } int main(int n, char** a) { return 0 * v(n); "
            "}' > p.c && cc $(cat text) -o p p.c",
            "./p", "-O0", "-O2"),
  };
}

std::vector<Case> changed_scripts() {
  const std::string says_one = "#!/bin/sh\necho one\n", says_two = "#!/bin/sh\necho two\n";
  const std::string module_one = "value = 1\n", module_two = "value = 2\n",
                    import = "/usr/bin/python3 -c 'import m; print(m.value)'",
                    // What is compiled beside the source, not in the cache of the side.
      import_beside = "env -u PYTHONPYCACHEPREFIX " + import;
  const auto compiled = [](const std::string& where, const std::string& mode) {
    return "/usr/bin/python3 -c \"import py_compile; py_compile.compile('text', " + where +
           ", 'm.py', invalidation_mode=py_compile.PycInvalidationMode." + mode + ")\"";
  };
  return {
      {"script", {{"s", executable(says_one)}}, {{"s", executable(says_two)}}, "./s"},
      {"script_calls_script",
       {{"s", executable("#!/bin/sh\n./t\n")}, {"t", executable(says_one)}},
       {{"s", executable("#!/bin/sh\n./t\n")}, {"t", executable(says_two)}},
       "./s"},
      {"interpreter_of_its_own",
       {{"s", executable("#!./i\n")}, {"i", executable(says_one)}},
       {{"s", executable("#!./i\n")}, {"i", executable(says_two)}},
       "./s"},
      {"interpreter_of_an_interpreter",
       {{"s", executable("#!./i x\n")}, {"i", executable("#!./j\n")}, {"j", executable(says_one)}},
       {{"s", executable("#!./i x\n")}, {"i", executable("#!./j\n")}, {"j", executable(says_two)}},
       "./s"},
      {"compiled_interpreter",
       {{"s", executable("#!../tool/tool\n")}},
       {{"s", executable("#!../tool/tool\n")}},
       "./s"},
      {"found_earlier",
       {{"late/p", executable(says_one)}},
       {{"late/p", executable(says_one)}, {"early/p", executable(says_one)}},
       "PATH=$PWD/early:$PWD/late:$PATH p"},
      {"module", {{"m.py", module_one}}, {{"m.py", module_two}}, import},
      {"module_compiled_by_another_workload",
       {{"m.py", module_one}},
       {{"m.py", module_two}},
       "true && " + import,
       import},
      {"package_before_module",
       {{"m.py", module_one}},
       {{"m.py", module_one}, {"m/__init__.py", module_one}},
       import},
      {"compiled_without_source",
       {{"text", module_one}, {"build", compiled("'m.pyc'", "CHECKED_HASH")}},
       {{"text", module_two}, {"build", compiled("'m.pyc'", "CHECKED_HASH")}},
       import},
      {"compiled_and_stale",
       {{"m.py", module_one}, {"build", "/usr/bin/python3 -m compileall -q m.py"}},
       {{"m.py", module_one},
        {"build",
         "/usr/bin/python3 -m compileall -q m.py && printf '\\000' | "
         "dd of=$(echo __pycache__/m.*.pyc) bs=1 seek=8 conv=notrunc"}},
       import_beside},
      {"compiled_and_unchecked",
       {{"text", module_one},
        {"m.py", module_one},
        {"build", compiled("'__pycache__/m.cpython-311.pyc'", "UNCHECKED_HASH")}},
       {{"text", module_two},
        {"m.py", module_one},
        {"build", compiled("'__pycache__/m.cpython-311.pyc'", "UNCHECKED_HASH")}},
       import_beside},
  };
}

}  // namespace perf::test

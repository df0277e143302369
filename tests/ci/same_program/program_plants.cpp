#include "tests/ci/same_program/plant.h"

namespace perf::test {
namespace {

/// The build makes a program of what the file `text` says, which differs.
Plant built(const std::string& name, const std::string& base, const std::string& head,
            const std::string& build, const std::string& command, const std::string& because) {
  return {.name = name,
          .base = "printf %s '" + base + "' > text",
          .head = "printf %s '" + head + "' > text",
          .build = build,
          .command = command,
          .because = name + "/" + because};
}

std::string payload_behind(const std::string& compile) {
  return compile + " && cat text >> own";
}

const std::string kCompile = "cc ../../../own.c -o own";
const std::string kLink = "cc ../../../own0.o -o own";  // own1.o, own2.o: with other values in them
const std::string kLinkText = "cc ../../../own$(cat text).o -o own";
const std::string kLibrary = "cc -shared ../../../own0.o -o ";
const std::string kLibraryText = "cc -shared ../../../own$(cat text).o -o ";

std::vector<Plant> programs() {
  return {
      built("code", "1", "2", kLinkText, "./own", "own: .data"),
      built("header", "1", "2",
            "echo \"#define VALUE $(cat text)\" > made.h && " + kCompile + " -include ./made.h",
            "./own", "own: .data"),
      {.name = "date",
       .base = "true",
       .head = "true",
       .build = kCompile + " -DVALUE=$(date +%s%N)L",
       .command = "./own",
       .because = "own: .data",
       .doubtful = true},
      built("static", "1", "2", kLinkText + " -static", "./own", "own: .data"),
      built("exec_stack", "noexecstack", "execstack", kLink + " -z $(cat text) 2> /dev/null",
            "./own", "own differs"),
      built("exec_opened", "1", "2", kLinkText, "$ASK exec-opened ./own", "own"),
      {.name = "exec_descriptor",
       .base = "printf 1 > text",
       .head = "printf 2 > text",
       .build = kLinkText,
       .command = "$ASK exec-descriptor ./own",
       .because = "/proc/self/fd",
       .doubtful = true},
      built("called", "1", "2", kLinkText, "sh -c ./own", "own: .data"),
  };
}

/// What the kernel does not load of a program, and the program reads itself.
std::vector<Plant> unloaded() {
  const std::string extra = kCompile + " -DEXTRA=\"\\\"$(cat text)\\\"\"";
  return {
      built("payload_by_proc", "1", "2", payload_behind(kLink), "./own proc", "own"),
      built("payload_by_argv", "1", "2", payload_behind(kLink), "./own argv", "own"),
      built("payload_by_auxv", "1", "2", payload_behind(kLink), "./own auxv", "own"),
      built("payload_unread", "1", "2", payload_behind(kLink), "./own", "own"),
      built("section_by_proc", "1", "2", extra, "./own proc", "own"),
      built("section_by_argv", "1", "2", extra, "./own argv", "own"),
      built("section_by_other", "1", "2", extra, "./own && $ASK map ./own", "own"),
      built("no_sections", "1", "2", payload_behind(kLink + " && ../../../edit strip-sections own"),
            "./own proc", "own"),
      built("no_sections_unread", "1", "2",
            payload_behind(kLink + " && ../../../edit strip-sections own"), "./own", "own"),
      built("object", "1", "2", "cp ../../../own$(cat text).o own.o", "$ASK read own.o", "own.o"),
  };
}

/// Who else has a part in starting a program.
std::vector<Plant> loaded() {
  const std::string two =
      kLibrary + "a/libv.so && cc -shared ../../../own2.o -o b/libv.so && " + kLink;
  const std::string interpreter =
      "cp $(realpath /lib64/ld-linux-x86-64.so.2) ld1.so && cp ld1.so ld2.so && ";
  return {
      built("plugin", "1", "2", kLibraryText + "v.so", "$ASK load ./v.so", "v.so: .data"),
      built("needed", "1", "2",
            kLibraryText + "libv.so && " + kLink + " -Wl,--no-as-needed -L. -lv",
            "LD_LIBRARY_PATH=. ./own", "libv.so: .data"),
      built("run_path", "a", "b",
            "mkdir a b && " + two +
                " -Wl,--no-as-needed -La -lv \"-Wl,-rpath,\\$ORIGIN/$(cat text)\"",
            "./own", "own: .dynstr"),
      built("earlier_library", "c", "a",
            "mkdir a b c && " + two +
                " -Wl,--no-as-needed -Lb -lv && mv a/libv.so v && mv v $(cat text)/libv.so",
            "LD_LIBRARY_PATH=a:b ./own", "a/libv.so: only head has it"),
      built("library_path", "a", "b", "mkdir a b && " + two + " -Wl,--no-as-needed -La -lv",
            "LD_LIBRARY_PATH=$(cat text) ./own", "text"),
      built("preload", "1", "2", kLibraryText + "v.so && " + kLink, "LD_PRELOAD=./v.so ./own",
            "v.so: .data"),
      built("interpreter", "1", "2",
            interpreter + "cat text >> ld1.so && " + kLink + " -Wl,--dynamic-linker,$PWD/ld1.so",
            "./own", "ld1.so"),
      built("interpreter_name", "1", "2",
            interpreter + kLink + " -Wl,--dynamic-linker,./ld$(cat text).so", "./own", "own"),
      built("interpreter_unloaded", "1", "2",
            interpreter + kLink + " && ../../../edit move-interpreter own ./ld$(cat text).so",
            "./own", "own"),
  };
}

}  // namespace

std::vector<Plant> program_plants() {
  std::vector<Plant> plants = programs();
  for (const std::vector<Plant>& more : {unloaded(), loaded()}) {
    plants.insert(plants.end(), more.begin(), more.end());
  }
  return plants;
}

}  // namespace perf::test

#include "tests/collector/trace/cases.h"

namespace perf::test {
namespace {

std::string large(char last) {
  return std::string(3'000'000, 'x') + last;
}

/// Two builds of the same files.
Case build_differs(const std::string& name, const std::string& one, const std::string& two,
                   const std::string& run) {
  return {name,
          {{"data", "one"}, {"other", "one"}, {"build", one}},
          {{"data", "one"}, {"other", "one"}, {"build", two}},
          run};
}

/// A file that is read, and another, which is read where more steps are taken, or with another
/// seed.
Case changed_beside(const std::string& name, const std::string& read, const std::string& other) {
  return {name, {{read, "one"}, {other, "one"}}, {{read, "one"}, {other, "two"}}, "cat " + read};
}

}  // namespace

std::vector<Case> changed_files() {
  return {
      changed_data("data", "cat data"),
      changed_data("mapped", "$ACTOR read-mapped data"),
      changed_data("by_folder", "$ACTOR read-by-folder ../by_folder data"),
      changed_data("in_thread", "$ACTOR read-in-thread data"),
      changed_data("as_daemon", "$ACTOR read-as-daemon data"),
      changed_data("by_grandchild", "sh -c '(sh -c \"(cat data; true); true\"; true)'"),
      changed_data("descriptor_handed_on", "exec 3<data && sh -c 'cat <&3; true'"),
      changed_data("environment_file", ". ./data; true"),
      changed_data("by_program_and_argument", "grep -c . data"),
      changed_data("copied_to_a_temporary_file", "t=$(mktemp) && cp data $t && cat $t && rm $t"),
      changed_data("hard_link", "ln data other && cat other && rm other"),
      {"folder_moved_and_back",
       {{"in/x", "one"}},
       {{"in/x", "two"}},
       "mv in out && cat out/x && mv out in"},
      changed_data("moved_and_back", "mv data other && cat other && mv other data"),
      {"large_last_byte", {{"data", large('1')}}, {{"data", large('2')}}, "cat data | wc -c"},
      {"line_ends", {{"data", "a\nb\n"}}, {{"data", "a\r\nb\r\n"}}, "cat data"},
      {"last_line_end", {{"data", "a"}}, {{"data", "a\n"}}, "cat data"},
      {"became_empty", {{"data", "a"}}, {{"data", ""}}, "cat data"},
      {"hex_of_nobody", {{"data", "abcdef01"}}, {{"data", "abcdef02"}}, "cat data"},
      {"oid_in_another_length",
       {{"build", "git rev-parse HEAD | cut -c 1-7 > id"}},
       {{"build", "git rev-parse HEAD | cut -c 1-8 > id"}},
       "cat id"},
      {"oid_too_short",
       {{"build", "git rev-parse HEAD | cut -c 1-6 > id"}},
       {{"build", "git rev-parse HEAD | cut -c 1-6 > id"}},
       "cat id"},
      {"by_steps",
       {{"part.8", "one"}, {"part.12", "one"}},
       {{"part.8", "one"}, {"part.12", "two"}},
       "cat part.$PERF_COMPARE_STEPS && printf '%s\\n' "
       "'{\"type\":\"begin\",\"protocol\":1,\"workload\":\"by_steps\",\"params\":{}}' "
       "'{\"type\":\"step\",\"index\":0,\"warmup\":false,\"seconds\":0.1}' '{\"type\":\"end\"}' "
       "> $PERF_COMPARE_OUT",
       "",
       {},
       "steps"},
      {"by_seed",
       {{"in/0", "one"}, {"in/1", "one"}, {"in/2", "one"}},
       {{"in/0", "one"}, {"in/1", "one"}, {"in/2", "two"}},
       "cat in/$((${#PERF_COMPARE_SEED} % 2))"},
      changed_beside("numbered_folders", "in/1/x.bin", "in/2/x.bin"),
      changed_beside("numbered_suffixes", "part.0", "part.1"),
      changed_beside("numbered_names", "in/part-00001.txt", "in/part-00002.txt"),
      changed_beside("same_suffix", "in/cat.txt", "in/dog.txt"),
      {"one_more_beside",
       {{"in/cat.txt", "one"}},
       {{"in/cat.txt", "one"}, {"in/dog.txt", "one"}},
       "cat in/cat.txt"},
      {"inputs_named", {{"in/x", "one"}}, {{"in/x", "two"}}, "true", "", {"inputs_named/in/*"}},
      {"generated",
       {{"source", "one"}, {"build", "sed s/o/a/ source > made"}},
       {{"source", "two"}, {"build", "sed s/o/a/ source > made"}},
       "cat made"},
      {"left_by_another_workload",
       {{"data", "one"}},
       {{"data", "two"}},
       "cat made",
       "cat data > made"},
      {"left_in_pycache",
       {{"data", "one"}},
       {{"data", "two"}},
       "cat __pycache__/made.nbc",
       "mkdir -p __pycache__; cat data > __pycache__/made.nbc"},
  };
}

std::vector<Case> changed_ways() {
  return {
      {"existence", {{"x", ""}}, {{"x", ""}, {"flag", ""}}, "[ -e flag ] || true"},
      {"is_gone", {{"x", ""}, {"flag", ""}}, {{"x", ""}}, "[ -e flag ] || true"},
      {"size", {{"flag", "one"}}, {{"flag", "three"}}, "[ -s flag ]"},
      {"to_be_executed", {{"flag", "one"}}, {{"flag", executable("one")}}, "[ -x flag ] || true"},
      {"to_be_written",
       {{"flag", "one"}, {"build", "chmod 644 flag"}},
       {{"flag", "one"}, {"build", "chmod 444 flag"}},
       "stat -c %A flag"},
      {"attribute",
       {{"flag", "one"}, {"build", "$ACTOR set-attribute flag one"}},
       {{"flag", "one"}, {"build", "$ACTOR set-attribute flag two"}},
       "$ACTOR ask-attribute flag"},
      {"access_list",
       {{"data", "one"}, {"build", "$ACTOR set-access-list data 4"}},
       {{"data", "one"}, {"build", "$ACTOR set-access-list data 6"}},
       "cat data"},
      build_differs("order_of_times", "touch data; sleep 0.1; touch other",
                    "touch other; sleep 0.1; touch data", "[ other -nt data ] || true"),
      build_differs("order_of_what_is_made", "cp other a; sleep 0.1; cp other b",
                    "cp other b; sleep 0.1; cp other a", "[ a -nt b ] || true"),
      build_differs("touched", "true", "touch other", "[ other -nt data ] || true"),
      build_differs("date", "touch -d 2001-01-01 data", "touch -d 2002-01-01 data", "cat data"),
      build_differs("future", "touch -d 2101-01-01 data", "touch -d 2102-01-01 data", "cat data"),
      build_differs("holes", "truncate -s 1M a", "head -c 1M /dev/zero > a", "wc -c < a"),
      build_differs("links", "cp other a", "ln other a", "cat data a"),
      {"folder_or_file", {{"in/x", "one"}}, {{"in", "one"}}, "[ -d in ] || true"},
      {"one_more_in_a_folder", {{"in/x", ""}}, {{"in/x", ""}, {"in/y", ""}}, "ls in"},
      {"another_in_a_folder", {{"in/x", ""}}, {{"in/y", ""}}, "ls in"},
      {"kinds_in_a_folder", {{"in/x", ""}}, {{"in/x/y", ""}}, "$ACTOR list-kinds in"},
      {"link_elsewhere",
       {{"a", "one"}, {"b", "two"}, {"data", link_to("a")}},
       {{"a", "one"}, {"b", "two"}, {"data", link_to("b")}},
       "cat data"},
      {"chain_of_links",
       {{"a", link_to("b")}, {"b", link_to("c")}, {"c", "one"}},
       {{"a", link_to("b")}, {"b", link_to("c")}, {"c", "two"}},
       "cat a"},
      {"link_of_a_folder",
       {{"d/x", "one"}, {"e/x", "two"}, {"in", link_to("d")}},
       {{"d/x", "one"}, {"e/x", "two"}, {"in", link_to("e")}},
       "cat in/x"},
      {"link_is_read", {{"a", link_to("one")}}, {{"a", link_to("two")}}, "readlink a"},
      {"link_to_proc",
       {{"data", "one"}, {"a", link_to("/proc/self/cwd/data")}},
       {{"data", "two"}, {"a", link_to("/proc/self/cwd/data")}},
       "cat a"},
      {"link_or_file",
       {{"a", "one"}, {"b", "one"}},
       {{"a", link_to("b")}, {"b", "one"}},
       "[ -L a ] || true"},
      changed_data("by_proc", "cat /proc/self/cwd/data"),
      changed_data("by_descriptor_in_dev", "cat /dev/fd/3 3<data"),
      changed_data("above_proc", "cat \"/proc/..$PWD/data\""),
      changed_data("own_link", "ln -s data link && cat link && rm link"),
      changed_data("own_link_stays", "[ -e link ] || ln -s data link; cat link"),
      changed_data("own_link_to_a_folder",
                   "t=$(mktemp -d) && ln -s $PWD $t/in && cat $t/in/data && rm -r $t"),
      changed_data("dots", "cat ../dots/../dots/./data"),
      {"folder_below",
       {{"in/x", "one"}, {"in/deep/y", ""}},
       {{"in/x", "two"}, {"in/deep/y", ""}},
       "cd in/deep && cat ../x"},
      {"name_of_lines", {{"a\nb", "one"}}, {{"a\nb", "two"}}, "cat \"$(printf 'a\\nb')\""},
      {"name_of_quotes", {{"a\"'b<x>, 1", "one"}}, {{"a\"'b<x>, 1", "two"}}, "cat a*"},
      {"name_of_bytes",
       {{"a\xff\xfe", "one"}},
       {{"a\xff\xfe", "two"}},
       "cat \"$(printf 'a\\377\\376')\""},
      {"written_outside",
       {{"build", "echo one > $BESIDE/written"}},
       {{"build", "echo two > $BESIDE/written"}},
       "cat $BESIDE/written"},
  };
}

}  // namespace perf::test

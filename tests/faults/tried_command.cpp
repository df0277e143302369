#include "tests/faults/tried_command.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "schema/files/content.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

const Arguments kReports{"--json",   "out.json", "--markdown", "out.md",        "--html",
                         "out.html", "--junit",  "out.xml",    "--openmetrics", "out.om"};
const Arguments kReportFiles{"out.json", "out.md", "out.html", "out.xml", "out.om"};

const char* const kCases = R"({"cases": {"one": {"base": [[1], [2]], "head": [[1], [2]]}}})";
const char* const kSeries = "line 1 2 1 2 1 2 1 2\n";

/// Long enough to be looked at 1,000 times a second.
const char* const kBusy = R"({"workloads": [{"name": "busy", "command": ["sh", "-c",
"i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; exec > $PERF_COMPARE_OUT; echo '{\"type\":\"begin\",\"protocol\":1}'; echo '{\"type\":\"step\",\"seconds\":0.1}'; echo '{\"type\":\"end\"}'"
]}]})";

/// What another step of the job has left unfinished.
const char* const kAddedTo = "before=1";

Arguments operator+(Arguments one, const Arguments& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

/// What happened, to what, what to try.
bool has_three_parts(const std::string& text) {
  const std::size_t error = text.find("error: ");
  return error != std::string::npos && text.find(": ", error + 7) != std::string::npos &&
         text.find("\nhint: ", error) != std::string::npos;
}

/// A verdict that head failed is told by the report itself.
bool says_failed(const Outcome& outcome) {
  return outcome.out.rfind("Failed: ", 0) == 0;
}

/// Names under which a user knows a file: a store's journal is the store's, and what is written
/// under another name first has the name that it is to get.
std::set<std::string> names_of(const fs::path& path, const Failure& failure) {
  const std::string name = path.filename().string();
  std::set<std::string> names{name, path.parent_path().filename().string()};
  for (const char* end : {".part-", "-journal", ".new", ".version-", ".partial-"}) {
    names.insert(name.substr(0, name.find(end)));
  }
  if (path.string().find("/merge-") != std::string::npos)  // the copy of one, beside the other
  {
    names.insert({"other.db", "results.db"});
  }
  // Of a read libgit2 says no more than that git could not.
  if (failure.kind == kRead &&
      (path.string().find("/.git/") != std::string::npos || name == "gitconfig")) {
    names.insert("git");
  }
  if (name == "steps.jsonl") {
    names.insert("PERF_COMPARE_OUT");
  }
  names.erase("");
  return names;
}

/// What it came to: "Unchanged:".
std::string first_word(const std::string& text) {
  return text.substr(0, text.find_first_of(" \n"));
}

bool is_partial(const std::string& name) {
  for (const char* part : {".part-", ".partial-", "merge-", ".new"}) {
    if (name.find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<TriedCommand> commands_that_write() {
  return {
      {"compare", Arguments{"HEAD~1", "HEAD", "--budget", "1ms"} + kReports, kReportFiles},
      {"first build", {"HEAD~1", "HEAD", "--budget", "1ms"}, {}, Before::nothing_built},
      {"collect",
       {"collect", "HEAD", "--pairs", "1", "--json", "out.json", "--html", "out.html"},
       {"out.json", "out.html"}},
      {"report", Arguments{"report"} + kReports, kReportFiles},
      {"trend", {"trend", "--json", "out.json", "--html", "out.html"}, {"out.json", "out.html"}},
      {"pin", {"pin", "release", "HEAD"}},
      {"first pin", {"pin", "release", "HEAD"}, {}, Before::no_store},
      {"unpin", {"unpin", "shipped"}},
      {"merge", {"merge", "other.db"}},
      {"export", {"export", "new.db"}, {"new.db"}},
      {"prune", {"prune", "--keep-steps", "0s"}},
      {"import", {"import", "hyperfine", "hyperfine.json", "--rev", "HEAD"}},
      {"init", {"init", "--config", "new.json"}, {"new.json"}},
      {"list", {"list", "--json", "out.json"}, {"out.json"}},
      {"show", {"show", "HEAD~1", "--json", "out.json"}, {"out.json"}},
      {"migration", {"migrate"}, {}, Before::old_store},
      {.name = "judge",
       .arguments = {"judge", "new.cases.json", "--json", "out.json"},
       .outputs = {"out.json"},
       .inputs = {{"new.cases.json", kCases}}},
      {.name = "detect",
       .arguments = {"detect", "new.series.txt", "--json", "out.json"},
       .outputs = {"out.json"},
       .inputs = {{"new.series.txt", kSeries}}},
      {.name = "working tree",
       .arguments = {"HEAD", ".", "--budget", "1ms", "--json", "out.json"},
       .outputs = {"out.json"},
       .before = Before::changed,
       .at_most = 40},
      {.name = "anchor",
       .arguments = {"collect", "HEAD", "--anchor", "shipped", "--pairs", "1"},
       .at_most = 40},
      {.name = "pictures and GitHub",
       .arguments = {"report", "--plots", "out.plots", "--github"},
       .outputs = {"out.plots"},
       .inputs = {{"out.summary", kAddedTo}, {"out.outputs", kAddedTo}},
       .added_to = {{"GITHUB_STEP_SUMMARY", "out.summary"}, {"GITHUB_OUTPUT", "out.outputs"}}},
      {.name = "bisect",
       .arguments = {"bisect", "HEAD~2", "HEAD", "-w", "claimed", "--pairs", "6", "--alpha", "25%",
                     "--json", "out.json", "--markdown", "out.md"},
       .outputs = {"out.json", "out.md"},
       .exit_code = 1,
       .at_most = 6},
      {.name = "calibrate",
       .arguments = {"calibrate", "--pairs", "2", "--json", "out.json"},
       .outputs = {"out.json"},
       .at_most = 20},
      {.name = "doctor",
       .arguments = {"doctor", "--json", "out.json"},
       .outputs = {"out.json"},
       .at_most = 20,
       .of_the_machine = true},
      {.name = "profile",
       .arguments = {"profile", "-w", "busy", "--config", "new.busy.json", "--json", "out.json"},
       .outputs = {"out.json"},
       .inputs = {{"new.busy.json", kBusy}},
       .at_most = 6,
       .of_the_machine = true},
  };
}

std::string Tally::text() const {
  return std::to_string(tried) + " tried: " + std::to_string(refused) +
         " ended with 3 and a message, " + std::to_string(made_up_for) + " did no harm, " +
         std::to_string(not_reached) + " were not reached";
}

TriedCommands::TriedCommands(const MeasuredRepository& repository) : repository_(repository) {}

void TriedCommands::prepare(const TriedCommand& tried) {
  repository_.restore();
  if (tried.before == Before::nothing_built) {
    fs::remove_all(repository_.cache());
  }
  if (tried.before == Before::no_store) {
    fs::remove_all(repository_.store().parent_path());
  }
  if (tried.before == Before::old_store) {
    repository_.make_store_old();
  }
  if (tried.before == Before::changed)  // each time anew, or the objects would be there already
  {
    std::ofstream(repository_.path() / "new.txt") << ++changes_;
  }
  lay_files(tried);
}

void TriedCommands::lay_files(const TriedCommand& tried) const {
  for (const auto& [name, text] : tried.inputs) {
    std::ofstream(repository_.path() / name) << text;
  }
}

Outcome TriedCommands::run_tried(const TriedCommand& tried,
                                 std::map<std::string, std::string> environment) const {
  for (const auto& [variable, file] : tried.added_to) {
    environment[variable] = (repository_.path() / file).string();
  }
  return repository_.perf_compare_in_time(tried.arguments, environment);
}

State TriedCommands::run_freely(const TriedCommand& tried) {
  prepare(tried);
  if (tried.at_most != 0) {  // what it builds is there from then on, as when calls fail
    run_tried(tried);
    prepare(tried);
  }
  // Opening an old store would migrate it.
  before_ = tried.before == Before::no_store || tried.before == Before::old_store
                ? StoreContents{}
                : contents_of_sound(repository_.store());
  const Outcome outcome = run_tried(tried, failures_.arm({}));
  if (tried.of_the_machine && outcome.exit_code == 3) {
    return {};
  }
  EXPECT_EQ(outcome.exit_code, tried.exit_code) << tried.name << ": " << outcome.err;
  usual_pictures_ = 0;
  for (const auto& [variable, file] : tried.added_to) {
    usual_additions_[file] = content_of(repository_.path() / file);
  }
  expect_whole_outputs(tried, true);
  usual_word_ = first_word(outcome.out);
  after_ = contents_of_sound(repository_.store());
  if (tried.before == Before::old_store) {
    before_ = after_;
  }
  return failures_.state();
}

void TriedCommands::expect_whole_outputs(const TriedCommand& tried, bool all) {
  for (const std::string& output : tried.outputs) {
    const fs::path file = repository_.path() / output;
    if (!fs::exists(file)) {
      EXPECT_FALSE(all) << output << " was not written";
      continue;
    }
    if (fs::is_directory(file)) {
      expect_whole_pictures(file, all);
      continue;
    }
    EXPECT_EQ(fault_in_report(file), "") << output;
    if (file.extension() == ".db") {
      EXPECT_EQ(contents_of_sound(file).runs, before_.runs);
    }
  }
  expect_whole_additions(tried, all);
}

void TriedCommands::expect_whole_pictures(const fs::path& folder, bool all) {
  std::size_t pictures = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (is_partial(entry.path().filename().string())) {
      continue;  // see expect_no_leavings()
    }
    const std::string end = "</svg>\n", text = content_of(entry.path());
    EXPECT_TRUE(text.size() > end.size() &&
                text.compare(text.size() - end.size(), end.size(), end) == 0)
        << entry.path() << " is no whole picture";
    ++pictures;
  }
  usual_pictures_ = std::max(usual_pictures_, pictures);
  EXPECT_GT(usual_pictures_, 0u);
  if (all) {
    EXPECT_EQ(pictures, usual_pictures_);
  }
}

void TriedCommands::expect_whole_additions(const TriedCommand& tried, bool all) {
  for (const auto& [variable, file] : tried.added_to) {
    const std::string text = content_of(repository_.path() / file), &usual = usual_additions_[file];
    EXPECT_EQ(usual.rfind(std::string(kAddedTo) + "\n", 0), 0u) << variable << ": " << usual;
    EXPECT_GT(usual.size(), std::string(kAddedTo).size() + 1) << variable;
    EXPECT_TRUE(text == usual || (!all && text == kAddedTo)) << variable << ": " << text;
  }
}

void TriedCommands::expect_nothing_lost(bool done) {
  if (!fs::exists(repository_.store())) {
    EXPECT_TRUE(!done && before_.runs.empty()) << "the store is gone";
    return;
  }
  const StoreContents now = contents_of_sound(repository_.store());
  for (const auto& [id, run] : before_.runs) {
    const auto found = now.runs.find(id);
    ASSERT_NE(found, now.runs.end()) << "run " << id << " is lost";
    EXPECT_TRUE((!done && found->second == run) || found->second == after_.runs.at(id))
        << "run " << id << " is neither as it was nor as it should become";
  }
  EXPECT_TRUE(now.pins == after_.pins || (!done && now.pins == before_.pins));
  if (done) {
    EXPECT_EQ(now.runs.size(), after_.runs.size());
  }
}

void TriedCommands::expect_no_leavings() {
  for (const fs::path& folder :
       {repository_.path(), repository_.store().parent_path(), repository_.path() / "out.plots"}) {
    if (!fs::exists(folder)) {
      continue;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      EXPECT_FALSE(is_partial(entry.path().filename().string())) << entry.path();
    }
  }
}

/// Of several that failed only the first is known, and that one may have done no harm.
void TriedCommands::expect_told(const Outcome& outcome, const Failure& failure,
                                const State& state) {
  const std::string all = outcome.err + outcome.out;
  EXPECT_TRUE(has_three_parts(outcome.err) || says_failed(outcome)) << all;
  bool named = failure.from_there_on || failure.room >= 0;
  for (const std::string& name : names_of(state.path, failure)) {
    named = named || all.find(name) != std::string::npos;
  }
  EXPECT_TRUE(named) << state.path << " is not named in:\n" << all;
  for (const char* blame : {"the store is damaged", "not a perf-compare store", "truncated"}) {
    EXPECT_FALSE(contains(all, blame)) << "it is the disk";
  }
}

void TriedCommands::expect_works_again(const TriedCommand& tried) {
  lay_files(tried);
  const Outcome again = run_tried(tried);
  // What makes a new file, and undoes nothing, may have made it before it failed.
  const bool made = again.exit_code == 2 && tried.outputs.size() == 1 &&
                    fs::exists(repository_.path() / tried.outputs[0]);
  const bool undone = again.exit_code == 2 && tried.name == "unpin";
  EXPECT_TRUE(again.exit_code == tried.exit_code || made || undone) << again.err;
  expect_whole_outputs(tried, true);
  expect_nothing_lost(false);
}

void TriedCommands::run_failing(const TriedCommand& tried, const Failure& failure, Tally& tally) {
  prepare(tried);
  const Outcome outcome = run_tried(tried, failures_.arm(failure));
  const State state = failures_.state();
  SCOPED_TRACE(tried.name + ": " + described(failure) + ": " + state.path);
  // What regressed, or was found, has an exit code of its own, whatever could not be written.
  const bool found = tried.exit_code != 0 && outcome.exit_code == tried.exit_code;
  const bool done =
      found ? outcome.err.find("error: ") == std::string::npos : outcome.exit_code == 0;
  ++tally.tried;
  ++(state.failed == 0 ? tally.not_reached : done ? tally.made_up_for : tally.refused);
  if (!done) {
    EXPECT_TRUE(found || outcome.exit_code == 3) << outcome.exit_code << outcome.err;
    EXPECT_NE(state.failed, 0u) << outcome.err;
    expect_told(outcome, failure, state);
    if (tally.first_refused.empty()) {
      tally.first_refused = described(failure) + ", " + state.path + "\n" + outcome.err;
    }
  }
  if (done && !tried.of_the_machine) {
    EXPECT_EQ(first_word(outcome.out), usual_word_) << outcome.out;
  }
  expect_whole_outputs(tried, done);
  expect_nothing_lost(done);
  // What cannot be opened or removed cannot be tidied away.
  const bool can_tidy = !failure.from_there_on && failure.kind != kUnlink && failure.kind != kOpen;
  if (can_tidy) {
    expect_no_leavings();
  }
  if (!done) {
    expect_works_again(tried);
  }
}

}  // namespace perf::test

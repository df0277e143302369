#include "tests/faults/tried_command.h"

#include <set>

namespace perf::test {
namespace {

namespace fs = std::filesystem;

const Arguments kReports{"--json",   "out.json", "--markdown", "out.md",        "--html",
                         "out.html", "--junit",  "out.xml",    "--openmetrics", "out.om"};
const Arguments kReportFiles{"out.json", "out.md", "out.html", "out.xml", "out.om"};

Arguments operator+(Arguments one, const Arguments& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

/// What happened, to what, what to try.
bool has_three_parts(const std::string& text) {
  const std::size_t error = text.find("error: ");
  return error != std::string::npos && text.find(": ", error + 7) != std::string::npos &&
         text.find("\n  try: ", error) != std::string::npos;
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
  for (const char* end : {".part-", "-journal", ".new", ".version-", ".partial-"})
    names.insert(name.substr(0, name.find(end)));
  if (path.string().find("/merge-") != std::string::npos)  // the copy of one, beside the other
    names.insert({"other.db", "results.db"});
  // Of a read libgit2 says no more than that git could not.
  if (failure.kind == kRead &&
      (path.string().find("/.git/") != std::string::npos || name == "gitconfig"))
    names.insert("git");
  if (name == "steps.jsonl")
    names.insert("PERF_COMPARE_OUT");
  names.erase("");
  return names;
}

/// What it came to: "Inconclusive:".
std::string first_word(const std::string& text) {
  return text.substr(0, text.find_first_of(" \n"));
}

bool is_partial(const std::string& name) {
  for (const char* part : {".part-", ".partial-", "merge-", ".new"}) {
    if (name.find(part) != std::string::npos)
      return true;
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
      {"migration", {"pins"}, {}, Before::old_store},
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
  if (tried.before == Before::nothing_built)
    fs::remove_all(repository_.cache());
  if (tried.before == Before::no_store)
    fs::remove_all(repository_.store().parent_path());
  if (tried.before == Before::old_store)
    repository_.make_store_old();
}

State TriedCommands::run_freely(const TriedCommand& tried) {
  prepare(tried);
  // Opening an old store would migrate it.
  before_ = tried.before == Before::no_store || tried.before == Before::old_store
                ? StoreContents{}
                : contents_of_sound(repository_.store());
  const Outcome outcome = repository_.perf_compare_in_time(tried.arguments, failures_.arm({}));
  EXPECT_EQ(outcome.exit_code, 0) << tried.name << ": " << outcome.err;
  expect_whole_outputs(tried, true);
  usual_word_ = first_word(outcome.out);
  after_ = contents_of_sound(repository_.store());
  if (tried.before == Before::old_store)
    before_ = after_;
  return failures_.state();
}

void TriedCommands::expect_whole_outputs(const TriedCommand& tried, bool all) {
  for (const std::string& output : tried.outputs) {
    const fs::path file = repository_.path() / output;
    if (!fs::exists(file)) {
      EXPECT_FALSE(all) << output << " was not written";
      continue;
    }
    EXPECT_EQ(fault_in_report(file), "") << output;
    if (file.extension() == ".db") {
      EXPECT_EQ(contents_of_sound(file).runs, before_.runs);
    }
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
  for (const fs::path& folder : {repository_.path(), repository_.store().parent_path()}) {
    if (!fs::exists(folder))
      continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      EXPECT_FALSE(is_partial(entry.path().filename().string())) << entry.path();
  }
}

/// Of several that failed only the first is known, and that one may have done no harm.
void TriedCommands::expect_told(const Outcome& outcome, const Failure& failure,
                                const State& state) {
  const std::string all = outcome.err + outcome.out;
  EXPECT_TRUE(has_three_parts(outcome.err) || says_failed(outcome)) << all;
  bool named = failure.from_there_on || failure.room >= 0;
  for (const std::string& name : names_of(state.path, failure))
    named = named || all.find(name) != std::string::npos;
  EXPECT_TRUE(named) << state.path << " is not named in:\n" << all;
  EXPECT_EQ(all.find("the store is damaged"), std::string::npos) << "it is the disk:\n" << all;
}

void TriedCommands::expect_works_again(const TriedCommand& tried) {
  const Outcome again = repository_.perf_compare_in_time(tried.arguments);
  // What makes a new file, and undoes nothing, may have made it before it failed.
  const bool made = again.exit_code == 2 && tried.outputs.size() == 1 &&
                    fs::exists(repository_.path() / tried.outputs[0]);
  const bool undone = again.exit_code == 2 && tried.name == "unpin";
  EXPECT_TRUE(again.exit_code == 0 || made || undone) << again.err;
  expect_whole_outputs(tried, true);
  expect_nothing_lost(false);
}

void TriedCommands::run_failing(const TriedCommand& tried, const Failure& failure, Tally& tally) {
  prepare(tried);
  const Outcome outcome = repository_.perf_compare_in_time(tried.arguments, failures_.arm(failure));
  const State state = failures_.state();
  SCOPED_TRACE(tried.name + ": " + described(failure) + ": " + state.path);
  const bool done = outcome.exit_code == 0;
  ++tally.tried;
  ++(state.failed == 0 ? tally.not_reached : done ? tally.made_up_for : tally.refused);
  if (!done) {
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_NE(state.failed, 0u) << outcome.err;
    expect_told(outcome, failure, state);
    if (tally.first_refused.empty())
      tally.first_refused = described(failure) + ", " + state.path + "\n" + outcome.err;
  }
  if (done) {
    EXPECT_EQ(first_word(outcome.out), usual_word_) << outcome.out;
  }
  expect_whole_outputs(tried, done);
  expect_nothing_lost(done);
  // What cannot be opened or removed cannot be tidied away.
  const bool can_tidy = !failure.from_there_on && failure.kind != kUnlink && failure.kind != kOpen;
  if (can_tidy)
    expect_no_leavings();
  if (!done)
    expect_works_again(tried);
}

}  // namespace perf::test

#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/faults/measured_repository.h"
#include "tests/faults/preloaded_failures.h"

namespace perf::test {

using Arguments = std::vector<std::string>;

enum class Before { measured, nothing_built, no_store, old_store, changed };

/// A command of perf-compare, and its inputs.
struct TriedCommand {
  std::string name;
  Arguments arguments;
  Arguments outputs{};  ///< names of the files that it writes, and of folders of pictures
  Before before = Before::measured;
  int exit_code = 0;  ///< where nothing fails
  /// Input files, by name.
  std::map<std::string, std::string> inputs{};
  /// Variables that name files to append to.
  std::map<std::string, std::string> added_to{};
  /// In full at most so many calls of a kind fail in each way, spread over its life; 0: all.
  unsigned long long at_most = 0;
  bool of_the_machine = false;  ///< what it says, or whether it can be had, is the machine's affair
};

/// Every command that writes: a store, a cache, or outputs.
std::vector<TriedCommand> commands_that_write();

/// Outcomes of trials.
struct Tally {
  int tried = 0;
  int refused = 0;              ///< exit code 3 and a message
  int made_up_for = 0;          ///< exit code 0, and nothing is missing
  int not_reached = 0;          ///< there was no such call this time
  std::string first_refused{};  ///< what failed in it, and what it said
  std::string text() const;
};

/// Tries commands with calls that fail: each ends with 3, a message of three parts that names the
/// file, or with 0 and everything it was asked for; loses nothing that was acknowledged; leaves no
/// half-written file; and works again afterwards.
class TriedCommands : public testing::Test {
 protected:
  /// The traces of its commands stay in the repository.
  explicit TriedCommands(const MeasuredRepository& repository);

  /// Runs the command without a failure and keeps its results. Returns the number of calls of each
  /// kind; none if this machine cannot run it.
  State run_freely(const TriedCommand& tried);

  /// Runs it with a failure, after run_freely().
  void run_failing(const TriedCommand& tried, const Failure& failure, Tally& tally);

  /// No temporary file is left.
  void expect_no_leavings();

  const MeasuredRepository& repository_;
  PreloadedFailures failures_{repository_.path().parent_path()};

 private:
  void prepare(const TriedCommand& tried);
  void lay_files(const TriedCommand& tried) const;
  Outcome run_tried(const TriedCommand& tried,
                    std::map<std::string, std::string> environment = {}) const;
  /// `all`: they must be there, too.
  void expect_whole_outputs(const TriedCommand& tried, bool all);
  void expect_whole_pictures(const std::filesystem::path& folder, bool all);
  /// Files to append to have their old content, and all of the addition or nothing.
  void expect_whole_additions(const TriedCommand& tried, bool all);
  /// `done`: the addition of the command is there.
  void expect_nothing_lost(bool done);
  void expect_told(const Outcome& outcome, const Failure& failure, const State& state);
  void expect_works_again(const TriedCommand& tried);

  StoreContents before_, after_;
  std::string usual_word_;  ///< the first that it prints
  std::size_t usual_pictures_ = 0;
  std::map<std::string, std::string> usual_additions_;  ///< by file, all that stands there then
  int changes_ = 0;
};

}  // namespace perf::test

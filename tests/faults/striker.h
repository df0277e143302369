#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// Sends a signal to a command at a random moment of its run, uniformly.
class Striker {
 public:
  /// The program_for() these arguments, in `directory`.
  Striker(std::vector<std::string> arguments, std::filesystem::path directory,
          std::map<std::string, std::string> environment = {});

  /// Runs the command to its end.
  Outcome run_once();
  /// The same, measuring the duration.
  Outcome run_freely();

  /// Runs the command and sends the signal. A command that ends earlier ends as usual. 128 +
  /// SIGKILL: killed.
  Outcome strike(int signal = SIGKILL);

 private:
  double usual_life() const;

  std::vector<std::string> command_;
  std::filesystem::path directory_;
  std::map<std::string, std::string> environment_;
  std::vector<double> lives_{};  ///< s, the latest last
  std::mt19937 random_{20260109};
};

}  // namespace perf::test

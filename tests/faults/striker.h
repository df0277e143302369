#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// Sends a command a signal at a random moment of its life, every moment as likely as any other.
class Striker {
 public:
  /// The program_for() these arguments, in `directory`.
  Striker(std::vector<std::string> arguments, std::filesystem::path directory,
          std::map<std::string, std::string> environment = {});

  /// Runs the command to its end.
  Outcome run_once();
  /// The same, from which is learnt how long it lives.
  Outcome run_freely();

  /// Runs it and strikes, as early or late in its life as chance will have it. Who was quicker than
  /// the blow ends as ever. 128 + SIGKILL: it hit.
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

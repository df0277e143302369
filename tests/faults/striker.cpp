#include "tests/faults/striker.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "tests/faults/program_for.h"

namespace perf::test {
namespace {

constexpr std::size_t kLives = 3;  // of which the middle one is usual

}  // namespace

Striker::Striker(std::vector<std::string> arguments, std::filesystem::path directory,
                 std::map<std::string, std::string> environment)
    : command_{program_for(arguments)},
      directory_(std::move(directory)),
      environment_(std::move(environment)) {
  command_.insert(command_.end(), arguments.begin(), arguments.end());
}

double Striker::usual_life() const {
  std::vector<double> sorted = lives_;
  std::sort(sorted.begin(), sorted.end());
  return sorted.at(sorted.size() / 2);
}

Outcome Striker::run_once() {
  return run(command_, directory_, environment_);
}

Outcome Striker::run_freely() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  Outcome outcome = run_once();
  lives_.push_back(std::chrono::duration<double>(Clock::now() - began).count());
  if (lives_.size() > kLives) {
    lives_.erase(lives_.begin());
  }
  return outcome;
}

Outcome Striker::strike(int signal) {
  const double moment =
      std::uniform_real_distribution<double>(0.0005, usual_life())(random_);  // 0 would be never
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.6f", moment);
  // In the foreground: whoever else is in the process group is not struck.
  return run(with_more({"timeout", "--foreground", "--preserve-status", "-s",
                        std::to_string(signal), seconds},
                       command_),
             directory_, environment_);
}

}  // namespace perf::test

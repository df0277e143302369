#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace perf {

/// Damages texts the way files and attackers do: bits flipped, bytes lost, doubled and cut off,
/// pieces of other texts and awkward tokens put in. The same seed gives the same damage everywhere.
class Mutator {
 public:
  Mutator(std::uint32_t seed, std::vector<std::string> seeds)
      : random_(seed), seeds_(std::move(seeds)) {}

  /// One of the seeds, damaged one to four times.
  std::string next();

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }
  void damage(std::string& text);

  std::mt19937 random_;
  std::vector<std::string> seeds_;
};

}  // namespace perf

#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace perf::test {

/// A kind of file that is damaged: whole ones to begin with, and its reader. That gives every
/// number that it takes from a text, as [NAME..., "0x1.8p+1"], for strict_readers/compare.py to
/// hold against what stands there; it throws as readers do.
struct Flipped {
  std::string format;
  std::string place;  ///< what a refusal's subject begins with, before the line
  std::vector<std::string> seeds;
  std::function<nlohmann::json(const std::string& text)> read;
};

/// The config, the protocol, what judge and detect read, reports, imports, checkpoints.
std::vector<Flipped> flipped_kinds();

}  // namespace perf::test

#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace perf::test {

/// A kind of file to damage: sound files and their reader, which returns every number of a text as
/// [NAME..., "0x1.8p+1"] for strict_readers/compare.py, and throws as readers do.
struct Flipped {
  std::string format;
  std::string place;  ///< what a refusal's subject begins with, before the line
  std::vector<std::string> seeds;
  std::function<nlohmann::json(const std::string& text)> read;
};

/// The config, the protocol, what judge and detect read, reports, imports, checkpoints.
std::vector<Flipped> flipped_kinds();

}  // namespace perf::test

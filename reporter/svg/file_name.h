#pragma once

#include <set>
#include <string>

namespace perf::reporter::svg {

/// A name for a file out of any text: of [a-z0-9._-] only, at most 100 bytes, starting with
/// `prefix`, and none of `taken`, which gets it. "steps", "training/MLP" is "steps-training-mlp".
std::string file_name(const std::string& prefix, const std::string& text,
                      std::set<std::string>& taken);

}  // namespace perf::reporter::svg

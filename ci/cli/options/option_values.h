#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "ci/cli/options/options.h"

namespace perf {

/// Option values that are read once CLI11 is done, so that all errors read alike.
struct OptionTexts {
  std::string threshold, alpha, budget, pairs, seed, vary, every, keep_steps;
  std::vector<std::string> base_set, head_set;
};

/// Turns them into values. Throws UsageError, with the option as its subject.
void read_texts(const OptionTexts& texts, Options& options);

/// `key=value`, or `key=a,b,c` where `several`.
Setting parse_setting(const std::string& option, const std::string& text, bool several);

}  // namespace perf

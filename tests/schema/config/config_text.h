#pragma once

#include <gtest/gtest.h>

#include <string>

#include "schema/config.h"
#include "schema/error.h"

namespace perf {

/// A config with one good workload and these further keys of its root.
inline std::string config_with(const std::string& keys) {
  return R"({"workloads": [{"name": "w", "command": ["x"]}])" + (keys.empty() ? "" : ",\n" + keys) +
         "}";
}

/// A config whose one workload has these keys beside a good name and command.
inline std::string workload_with(const std::string& keys) {
  return "{\"workloads\": [{\"name\": \"w\", \"command\": [\"x\"],\n" + keys + "}]}";
}

inline Config read(const std::string& text) {
  return read_config(text, "perf-compare.json");
}

/// What the reader complains about, as a person sees it; empty when it takes the text.
inline std::string refusal_of(const std::string& text) {
  try {
    read(text);
  } catch (const UsageError& error) {
    EXPECT_EQ(error.subject.rfind("perf-compare.json:", 0), 0u) << error.subject;
    return error.what + " @" + error.subject.substr(std::string("perf-compare.json:").size()) +
           " | " + error.hint;
  }
  return {};
}

/// EXPECT_PRED_FORMAT2: the refusal contains the words.
inline ::testing::AssertionResult refused_with(const char*, const char*, const std::string& text,
                                               const std::string& words) {
  const std::string refusal = refusal_of(text);
  if (refusal.empty()) {
    return ::testing::AssertionFailure() << "accepted: " << text;
  }
  if (refusal.find(words) == std::string::npos) {
    return ::testing::AssertionFailure() << "refused with: " << refusal << "\nwanted: " << words;
  }
  return ::testing::AssertionSuccess();
}
#define EXPECT_REFUSED(text, words) EXPECT_PRED_FORMAT2(refused_with, text, words)

}  // namespace perf

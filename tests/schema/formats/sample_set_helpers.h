#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/sample_set.h"

namespace perf::formats {

/// A text under tests/schema/formats/files.
inline std::string fixture_file(const std::string& name) {
  return content_of(PERF_SOURCE_DIR "/tests/schema/formats/files/" + name);
}

inline const SampleSeries& series_in(const SampleSet& set, const std::string& name,
                                     const std::string& metric = "step_time") {
  for (const SampleSeries& one : set.series) {
    if (one.name == name && one.metric.name == metric) {
      return one;
    }
  }
  throw std::runtime_error("no series " + name + " " + metric);
}

/// The UsageError that `read` throws.
template <typename Read>
UsageError refusal_of(const Read& read) {
  try {
    read();
  } catch (const UsageError& error) {
    return error;
  }
  ADD_FAILURE() << "accepted";
  return {"", ""};
}

}  // namespace perf::formats

#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/formats/reading.h"
#include "schema/sample_set.h"
#include "tests/contains.h"
#include "tests/thrown_by.h"

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

/// The samples of the first session of a text.
inline SampleSet samples_of(FormatReader& read, const std::string& text) {
  return read(text, "f").at(0).samples;
}
inline SampleSet samples_of(std::string_view format, const std::string& text) {
  return read_foreign(format, text, "f").at(0).samples;
}

/// The UsageError that `read` throws.
template <typename Read>
UsageError refusal_of(const Read& read) {
  return thrown_by<UsageError>([&] { read(); });
}

/// What reads a text under the name of a file.
using Reading = std::function<void(const std::string& text, const std::string& file)>;

inline Reading format_reader(const std::string& format) {
  return [format](const std::string& text, const std::string& file) {
    read_foreign(format, text, file);
  };
}

/// Fails the test for each text that is accepted, or refused with other words than those beside it,
/// or at a place that does not begin with `place`, such as "f.json:2:".
inline void expect_refused(const Reading& read, const std::string& place,
                           const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [text, what] : cases) {
    SCOPED_TRACE(text);
    const UsageError error =
        refusal_of([&, text = text] { read(text, place.substr(0, place.find(':'))); });
    EXPECT_TRUE(contains(error.what, what));
    EXPECT_EQ(error.subject.rfind(place, 0), 0u) << error.subject;
  }
}

/// The same, whatever the words.
inline void expect_refused_at(const Reading& read, const std::string& place,
                              const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    expect_refused(read, place, {{text, ""}});
  }
}

}  // namespace perf::formats

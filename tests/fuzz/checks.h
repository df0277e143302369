#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "schema/error.h"
#include "schema/invocation.h"
#include "schema/sample_set.h"

namespace perf::fuzz {

/// A violated check: a finding.
struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& what) {
  if (!holds) {
    throw Broken(what);
  }
}

/// Text that a terminal, a log and a report can show: UTF-8 without control characters.
void require_printable(const std::string& text, const std::string& what);

/// An Error about a text: a message of bounded length, and `place`, then a line, as its subject
/// ("FILE:3:1", "line 3").
void require_error(const Error& error, std::string_view place);

/// Numbers with a ratio, and valid names.
void require_usable(const SampleSet& samples);
void require_usable(const Block& block);
void require_usable(const std::vector<Warning>& warnings);

/// A record as text, with numbers to the last digit: equal texts are equal records.
std::string text_of(const Params& params);
std::string text_of(const Block& block);
std::string text_of(const SampleSet& samples);
std::string exactly(double number);

/// The result of `read`; nothing if it throws a proper Error. Reads twice, from two places in
/// memory, and requires the same result.
template <class Read>
std::string read_twice(std::string_view input, std::string_view place, const Read& read) {
  const auto once = [&](const std::string& copy) -> std::string {
    try {
      return read(copy);
    } catch (const Error& error) {
      require_error(error, place);
      return "error: " + error.what + "\n" + error.subject + "\n" + error.hint;
    }
  };
  const std::string first = once(std::string(input));
  require(first == once(std::string(input)), "the same text is read in two ways");
  return first;
}

/// The input without its first byte, which picks one of `choices`.
inline unsigned pick(std::string_view& input, unsigned choices) {
  if (input.empty()) {
    return 0;
  }
  const unsigned picked = static_cast<unsigned char>(input.front()) % choices;
  input.remove_prefix(1);
  return picked;
}

/// A file of the source tree, "" if there is none.
std::string source_file(const std::string& path);

}  // namespace perf::fuzz

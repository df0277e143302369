#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "schema/error.h"
#include "schema/formats/json_value.h"
#include "schema/formats/text_position.h"

namespace perf::formats {

/// Doubles hold every integer up to here, and not the next one: a larger one in a file would be
/// read as another number by somebody, so it is refused.
inline constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

/// How much of somebody else's text is worth reading. A value costs about 50 bytes of memory, so
/// `values` bounds what a file of `[[],[],...` can take.
struct JsonLimits {
  std::size_t bytes = kLargestText;
  std::size_t values = 16'000'000;
  std::size_t depth = 64;
  bool comments = false;        ///< /* */ and // are passed over
  bool large_integers = false;  ///< integers beyond +-2^53 may stand where no number is read
  bool own = false;  ///< this program wrote it: 64-bit integers are numbers, U+0000 may stand
};

/// Reads one JSON text (RFC 8259). Throws JsonFault for what is no JSON, and for what is but cannot
/// be taken at its word: a repeated name in an object, bad UTF-8, NaN, infinities, numbers that
/// overflow or vanish in a double, integers beyond +-2^53, U+0000 in a string, more than `limits`.
JsonValue read_json(std::string_view text, const JsonLimits& limits = {});

/// What `read` makes of a text; its JsonFaults become UsageErrors with file:line:column. `wanted`:
/// what to try where the fault does not say.
template <class Read>
auto with_places(std::string_view text, const std::string& filename, const Read& read,
                 const std::string& wanted = {}) {
  try {
    return read();
  } catch (const JsonFault& fault) {
    throw UsageError(fault.what, place_of(text, fault.offset, filename),
                     fault.hint.empty() ? wanted : fault.hint);
  }
}

}  // namespace perf::formats

#pragma once

#include <string>
#include <string_view>

#include "schema/formats/json_reader.h"
#include "schema/formats/series_list.h"
#include "schema/formats/text_position.h"

namespace perf::formats {

/// The text with every bare NaN, Infinity and -Infinity, which some programs write into JSON,
/// replaced by an empty JSON text and spaces of the same length: places stay right, and what wanted
/// a number there says so. What stands in quotes is left alone.
std::string mask_non_numbers(std::string_view text);

/// A JSON text of somebody else's, where NaN and infinities are an empty text and integers beyond
/// +-2^53 may stand, but not be read as numbers. Throws JsonFault.
JsonValue read_foreign_json(std::string_view text);

/// Reads such a text with `read(root)`. Throws UsageError with file:line:column for what is no JSON
/// and for every JsonFault of `read`, and with the file for its Faults. `wanted`: what to try where
/// the fault has no hint.
template <typename Read>
auto read_json_document(std::string_view text, const std::string& filename, const Read& read,
                        const std::string& wanted = {}) {
  try {
    return with_places(
        text, filename, [&] { return read(read_foreign_json(text)); }, wanted);
  } catch (const Fault& fault) {
    throw UsageError(fault.what, filename, fault.hint);
  }
}

}  // namespace perf::formats

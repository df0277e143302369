#pragma once

#include <string>
#include <string_view>

#include "schema/error.h"
#include "schema/formats/json_reader.h"
#include "schema/formats/masked_numbers.h"
#include "schema/formats/series_list.h"
#include "schema/formats/text_position.h"

namespace perf::formats {

/// Reads a JSON text of somebody else's with `read(root)`, where NaN and infinities are an empty
/// text and integers beyond +-2^53 may stand, but not be read as numbers. Throws UsageError with
/// file:line:column for what is no JSON and for every JsonFault of `read`, and
/// with the file for TooManySeries.
template <typename Read>
auto read_document(std::string_view text, const std::string& filename, const Read& read) {
  try {
    return read(read_json(mask_non_numbers(text), JsonLimits{.large_integers = true}));
  } catch (const JsonFault& fault) {
    throw UsageError(fault.what, place_of(text, fault.offset, filename), fault.hint);
  } catch (const TooManySeries& fault) {
    throw UsageError(fault.what, filename, fault.hint);
  }
}

}  // namespace perf::formats

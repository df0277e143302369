#pragma once

#include <string>
#include <string_view>

namespace perf::postgres {

/// Whether a text is the URI of a database: postgres://... or postgresql://...
bool is_address(std::string_view text);

/// Such a URI for messages: hosts and database, without user and parameters.
std::string shown(std::string_view address);

/// The same URI with a `*` for each character of its passwords; of the same length.
std::string masked(std::string_view address);

/// A text with all addresses in it masked.
std::string masked_text(std::string_view text);

/// Whether it contains a password, which must not get into files or process lists.
inline bool holds_password(std::string_view address) {
  return masked(address) != address;
}

/// Throws UsageError where libpq would mistake a part of the password for something else and show
/// it in its messages: an @ that is not written as %40, or a password in place of the port.
void require_readable(std::string_view address);

}  // namespace perf::postgres

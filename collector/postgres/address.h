#pragma once

#include <string>
#include <string_view>

namespace perf::postgres {

/// Whether a text is the URI of a database: postgres://... or postgresql://...
bool is_address(std::string_view text);

/// What messages show of such a URI: its hosts and its database. Neither the user nor a parameter.
std::string shown(std::string_view address);

/// The same URI with each character of its passwords made a `*`; as long as it was.
std::string masked(std::string_view address);

/// A text with each address in it masked.
std::string masked_text(std::string_view text);

/// Whether it holds a password, which is for neither files nor the lists of processes.
inline bool holds_password(std::string_view address) {
  return masked(address) != address;
}

/// Throws UsageError where libpq would take a part of the password for something else, and name it
/// in its messages: an @ that is not written as %40, or a password where the port should be.
void require_readable(std::string_view address);

}  // namespace perf::postgres

#pragma once

#include <string>

namespace perf::reporter::html {

/// A whole page around a body that is HTML already: style and scripts inlined, and a policy that
/// lets it load nothing and run no other script. `title` is plain text.
std::string page(const std::string& title, const std::string& body);

}  // namespace perf::reporter::html

#pragma once

#include <string>
#include <string_view>

namespace perf::reporter {

/// JSON text for within <script type="application/json">: the same value, without a character that
/// could end the script, open a comment in it or stay unseen.
std::string script_json(std::string_view json);

}  // namespace perf::reporter

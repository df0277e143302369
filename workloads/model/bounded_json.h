#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace perf::workloads {

/// The JSON of a small file beside a checkpoint; a discarded value where the text is none in UTF-8.
/// `refuse` is told what else is not taken, and throws: more than `levels` levels, and a name twice
/// in an object, of whose values nobody knows which was meant.
nlohmann::json bounded_json(const std::string& text, int levels,
                            const std::function<void(const std::string& why)>& refuse);

}  // namespace perf::workloads

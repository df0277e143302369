#include "workloads/model/bounded_json.h"

#include <set>
#include <vector>

#include "workloads/model/bad_checkpoint.h"

namespace perf::workloads {

nlohmann::json bounded_json(const std::string& text, int levels,
                            const std::function<void(const std::string& why)>& refuse) {
  using Json = nlohmann::json;
  // The parser takes a NUL for the end of the text, and would pass over whatever follows.
  if (text.find('\0') != std::string::npos) {
    refuse("a NUL byte");
  }
  std::vector<std::set<std::string>> names;  // of the objects that are open
  const auto take = [&](int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > levels) {
      refuse("nested too deeply");
    }
    if (event == Json::parse_event_t::object_start) {
      names.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      names.pop_back();
    } else if (event == Json::parse_event_t::key &&
               !names.back().insert(parsed.get<std::string>()).second) {
      refuse("'" + printable(parsed.get<std::string>()) + "' comes twice");
    }
    return true;
  };
  return Json::parse(text, take, /*allow_exceptions=*/false);
}

}  // namespace perf::workloads

#include <map>
#include <string>
#include <vector>

#include "reporter/escape/visible.h"
#include "reporter/json/values.h"
#include "reporter/render.h"

namespace perf {

std::string render_detection_json(const std::vector<DetectedSeries>& series) {
  std::map<std::string, const std::vector<std::size_t>*> by_name;
  for (const DetectedSeries& one : series) {
    by_name[one.name] = &one.steps;
  }
  std::string text = "{";
  for (const auto& [name, steps] : by_name) {
    text += text.size() == 1 ? "\n  " : ",\n  ";
    text += one_line_of(name) + ": " + one_line_of(*steps);
  }
  return reporter::escape_unseen(text) + (by_name.empty() ? "}\n" : "\n}\n");
}

}  // namespace perf

#include <string>
#include <utility>
#include <vector>

#include "reporter/json/records.h"
#include "reporter/render.h"

namespace perf {

std::string render_judge_json(const std::vector<Comparison>& cases) {
  using reporter::Json;
  using reporter::json_number;
  using reporter::json_of;
  Json by_name = Json::object();
  for (const Comparison& one : cases) {
    by_name[one.workload] = {{"verdict", json_of(one.verdict)},
                             {"change", json_number(one.change)},
                             {"interval", json_of(one.interval)},
                             {"pairs", one.pairs},
                             {"threshold", json_number(one.threshold)},
                             {"look", one.look},
                             {"look_alpha", json_number(one.look_alpha)},
                             {"p_value", json_number(one.p_value)},
                             {"smallest_visible", json_number(one.smallest_visible)},
                             {"pairs_needed", json_number(one.pairs_needed)},
                             {"certain", one.certain},
                             {"notes", one.notes},
                             {"warnings", reporter::warning_texts(one.warnings)}};
  }
  return reporter::json_text({{"cases", std::move(by_name)}});
}

}  // namespace perf

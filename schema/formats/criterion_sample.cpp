#include "schema/formats/criterion_sample.h"

#include <optional>

#include "schema/formats/json_fields.h"
#include "schema/formats/magnitude.h"
#include "schema/formats/unit_size.h"

namespace perf::formats {

std::vector<double> add_criterion_samples(const std::string& name, std::size_t offset,
                                          const JsonValue& totals, const JsonValue& counts,
                                          const std::string& unit, CriterionSeries& series) {
  if (name.empty()) {
    throw JsonFault{offset, "a benchmark whose name is empty"};
  }
  if (!series.seen.insert(name).second) {
    throw JsonFault{offset, "the benchmark " + in_quotes(name) + " stands twice"};
  }
  const JsonArray& measured = as_array(totals, "the list of measured values");
  const JsonArray& iterations = as_array(counts, "the list of iteration counts");
  if (measured.size() != iterations.size() || measured.empty()) {
    throw JsonFault{totals.offset, std::to_string(measured.size()) + " measured values for " +
                                       std::to_string(iterations.size()) + " iteration counts"};
  }
  const std::optional<double> seconds = seconds_in(unit);
  SampleSeries& values = seconds ? series.list.of(name, {}, kStepTime, true)
                                 : series.list.of(name, {}, {"value", unit, Better::lower}, false);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double count = measurable_amount(iterations[i], "an iteration count");
    if (count < 1) {
      throw JsonFault{iterations[i].offset, "a sample of no iteration"};
    }
    const double value = measurable_amount(measured[i], "a measured value") / count;
    values.values.push_back(value * seconds.value_or(1));
  }
  return values.values;
}

void add_criterion_rate(const std::string& name, double amount, const std::string& what,
                        const std::vector<double>& seconds, CriterionSeries& series) {
  const std::string unit = what == "bytes" ? "B/s" : "1/s";
  std::vector<double> rates;
  for (const double value : seconds) {
    if (value < kShortestStep || !is_measurable(amount / value)) {
      return;
    }
    rates.push_back(amount / value);
  }
  series.list.of(name, {}, {what + "_per_second", unit, Better::higher}, false).values = rates;
}

}  // namespace perf::formats

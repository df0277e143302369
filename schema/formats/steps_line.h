#pragma once

#include <cstdint>

#include "schema/formats/json_value.h"
#include "schema/invocation.h"

namespace perf::formats {

/// One line of the protocol each, read into the records; fields they do not know are passed over.
/// An optional field that is null counts as absent. All throw JsonFault for what is off the
/// protocol (docs/protocol.md).

/// `begin`: version, name, parameters, tokens per step.
Block read_begin(const JsonObject& line, std::size_t offset);
/// `environment`: its texts, numbers and truth values, as text, added to `facts`.
void read_facts(const JsonObject& line, std::map<std::string, std::string>& facts);
/// `step`: without an index it is `next_index`; one below it is out of order.
Step read_step(const JsonObject& line, std::size_t offset, std::int64_t next_index);
/// `metric`.
MetricValue read_metric(const JsonObject& line, std::size_t offset);
/// `check`.
Check read_check(const JsonObject& line, std::size_t offset);

}  // namespace perf::formats

#pragma once

#include <string>
#include <string_view>

#include "schema/error.h"
#include "schema/formats/json.h"
#include "schema/json/json_record_reader.h"
#include "schema/json/json_writer.h"
#include "schema/json/record_fields.h"

/// Values that lie in one column, as JSON with sorted keys, so that equal values have equal texts.
/// The file may be a stranger's: what is not of the kind that we write is an Error, never
/// undefined.
namespace perf::store {

/// What `read` makes of a column's value. The only way in for what a column holds.
template <class Read>
auto read_column(std::string_view text, const Read& read) {
  try {
    return read(formats::read_json(text, formats::JsonLimits{.own = true}));
  } catch (const formats::JsonFault& fault) {
    throw Error("the store holds a damaged column: " + fault.what, std::string(text.substr(0, 80)),
                "it was not written by this program; do not use it");
  }
}

/// Parameters, facts, lists or a policy: what has no unknown numbers. JSON has no NaN, and a null
/// in its place would read as "unknown".
template <class Value>
std::string text_of(const Value& value) {
  const Json json = json_of(value);
  for (const Json& one : json) {
    if (one.is_null()) {
      throw Error("a number that is not finite cannot be stored", one_line_of(json),
                  "report it: readers must refuse NaN and infinities before");
    }
  }
  return one_line_of(json);
}

template <class Value>
Value value_of(std::string_view text) {
  return read_column(text, [](const formats::JsonValue& json) {
    Value value{};
    JsonRecordReader::read(json, "a column", value, Absent::is_fault);
    return value;
  });
}

/// What came of a run: the result_fields of a report or a calibration.
template <class Record>
std::string result_of(const Record& record) {
  Json json = Json::object();
  JsonWriter writer(json);
  result_fields(writer, record);
  return one_line_of(json);
}

template <class Record>
void read_result(std::string_view text, Record& record) {
  read_column(text, [&record](const formats::JsonValue& json) {
    JsonRecordReader reader(json, "a result", Absent::is_fault);
    result_fields(reader, record);
  });
}

}  // namespace perf::store

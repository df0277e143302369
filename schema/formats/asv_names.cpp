#include <array>

#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

struct NamedType {
  std::string_view begin;  ///< of the names of such benchmarks
  std::string_view word;   ///< in benchmarks.json
  AsvType type;
};
constexpr std::array<NamedType, 5> kTypes{{{"timeraw", "time", AsvType::time},
                                           {"time", "time", AsvType::time},
                                           {"peakmem", "peakmemory", AsvType::peak_memory},
                                           {"mem", "memory", AsvType::memory},
                                           {"track", "track", AsvType::track}}};

/// "time_sort", "TimeSort" and "Time_sort" all begin with the word "time"; "timer" does not.
bool begins_with_word(std::string_view name, std::string_view word) {
  if (name.size() <= word.size() || lower(name.substr(0, word.size())) != word) {
    return false;
  }
  const char next = name[word.size()];
  return next == '_' || (next >= 'A' && next <= 'Z' && name.front() != word.front());
}

AsvBenchmark read_entry(const std::string& name, const JsonObject& entry) {
  AsvBenchmark benchmark;
  const std::string type = text_field(entry, "type");
  const auto known = std::ranges::find(kTypes, type, &NamedType::word);
  benchmark.type = known == kTypes.end() ? asv_type_of(name) : known->type;
  benchmark.unit = text_field(entry, "unit");
  for (const JsonValue& one : field_or_empty<JsonArray>(entry, "param_names")) {
    const std::string* text = std::get_if<std::string>(&one.data);
    benchmark.param_names.push_back(text == nullptr ? std::string() : *text);
  }
  return benchmark;
}

/// The text of parameters is copied into each of their combinations.
constexpr std::size_t kMostDimensions = 100;
constexpr std::size_t kMostBytes = std::size_t{8} << 20;

std::size_t bytes_of(const std::vector<std::string>& values) {
  std::size_t bytes = 0;
  for (const std::string& value : values) {
    bytes += value.size();
  }
  return bytes;
}

}  // namespace

AsvType asv_type_of(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('.') + 1);  // npos + 1 is 0
  const auto known = std::ranges::find_if(
      kTypes, [&](const NamedType& one) { return begins_with_word(last, one.begin); });
  return known == kTypes.end() ? AsvType::track : known->type;
}

std::map<std::string, AsvBenchmark> read_asv_benchmarks(const JsonValue& root) {
  std::map<std::string, AsvBenchmark> benchmarks;
  for (const JsonMember& member : as_object(root, "the file")) {
    if (const JsonObject* entry = std::get_if<JsonObject>(&member.value.data)) {
      benchmarks[member.name] = read_entry(member.name, *entry);
    }
  }
  return benchmarks;
}

std::vector<std::vector<std::string>> asv_combinations(const JsonValue* params, std::size_t most) {
  std::vector<std::vector<std::string>> combinations(1);
  if (params == nullptr) {
    return combinations;
  }
  const JsonArray& dimensions = as_array(*params, "the parameters of a benchmark");
  if (dimensions.size() > kMostDimensions) {
    throw JsonFault{params->offset, "a benchmark with more than 100 parameters"};
  }
  for (const JsonValue& dimension : dimensions) {
    const JsonArray& values = as_array(dimension, "the values of a parameter");
    std::vector<std::vector<std::string>> longer;
    if (combinations.size() * values.size() > most) {
      throw JsonFault{dimension.offset, "more combinations of parameters than results"};
    }
    std::size_t bytes = 0;
    for (const std::vector<std::string>& before : combinations) {
      const std::size_t bytes_before = bytes_of(before);
      for (const JsonValue& value : values) {
        const std::string& text = as_text(value, "the value of a parameter");
        bytes += bytes_before + text.size();
        if (bytes > kMostBytes) {
          throw JsonFault{value.offset, "more than 8 MiB of combinations of parameters"};
        }
        longer.push_back(before);
        longer.back().push_back(text);
      }
    }
    combinations = std::move(longer);
  }
  return combinations;
}

std::string asv_display_name(const std::string& name, const std::vector<std::string>& values) {
  return values.empty() ? name : name + "(" + joined(values, ", ") + ")";
}

Params asv_params(const std::vector<std::string>& values, const std::vector<std::string>& names) {
  Params params;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string numbered = "param" + std::to_string(i + 1);
    params[i < names.size() && !names[i].empty() ? names[i] : numbered] =
        param_from_text(values[i]);
  }
  return params;
}

}  // namespace perf::formats

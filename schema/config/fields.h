#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/config.h"
#include "schema/formats/json.h"

/// What the readers of perf-compare.json share. All throw JsonFault at the first fault.
namespace perf::config {

using formats::in_quotes;
using formats::JsonArray;
using formats::JsonFault;
using formats::JsonMember;
using formats::JsonObject;
using formats::JsonValue;

/// Reads the keys of an object into members, each by `read(value, key)`. See read_keys.
class Keys {
 public:
  Keys(const JsonValue& value, std::string name)
      : where(std::move(name)), object_(formats::as_object(value, where)), offset_(value.offset) {}

  template <class Into, class Read>
  void operator()(std::string_view key, Into& into, const Read& read) {
    if (!is_reading_) {
      known_.push_back(key);
    } else if (const JsonValue* value = formats::find_value(object_, key)) {
      into = read(*value, key);
    }
  }
  template <class Into, class Read>
  void required(std::string_view key, Into& into, const Read& read) {
    if (is_reading_) {
      formats::required_field(object_, offset_, key, where);
    }
    (*this)(key, into, read);
  }
  bool has(std::string_view key) const { return formats::find_member(object_, key) != nullptr; }

  /// Refuses keys that were not listed, with the nearest one that was; from here on keys are read.
  void end_of_list();

  std::string where;  ///< the object in messages: "a workload"

 private:
  const JsonObject& object_;
  std::size_t offset_;
  std::vector<std::string_view> known_;
  bool is_reading_ = false;
};

/// Calls `list(keys)` twice: to learn the known keys, and to read them.
template <class List>
void read_keys(const JsonValue& value, const std::string& where, const List& list) {
  Keys keys(value, where);
  list(keys);
  keys.where = where;
  keys.end_of_list();
  list(keys);
}

/// Text that is not empty.
const std::string& read_text(const JsonValue& value, std::string_view key);
/// Globs of files: texts that are not empty.
std::vector<std::string> read_globs(const JsonValue& value, std::string_view key);
/// A percentage in text, as a share above 0 and below `limit`. A bare number is refused: 10 may
/// mean 10 % or ten times.
double read_share(const JsonValue& value, std::string_view key, double limit);
/// A duration in text, in seconds, above 0.
double read_duration(const JsonValue& value, std::string_view key);
/// A size in text, in bytes, above 0.
double read_byte_size(const JsonValue& value, std::string_view key);
/// An argument vector: at least one text, the first not empty.
std::vector<std::string> read_command(const JsonValue& value, std::string_view key);
/// One of kSizes.
std::string read_size(const std::string& name, std::size_t offset);
/// A threshold: a share above 0 and below 10. Larger thresholds would let everything pass;
/// --threshold has the same limit.
double read_threshold(const JsonValue& value, std::string_view key);
/// Names and thresholds, in the order of the file: the last match wins.
using Thresholds = std::vector<std::pair<std::string, double>>;
/// {"peak_rss": {"threshold": "5%"}}
Thresholds read_thresholds(const JsonValue& value, std::string_view key);
/// The same of metrics: refuses quantiles that do not exist.
Thresholds read_metric_thresholds(const JsonValue& value, std::string_view key);
/// Parameters of a workload: an object of texts, numbers and truth values, whose names can be
/// options of a command (`--name`).
Params read_options(const JsonValue& value, std::string_view key);

/// `workloads`.
std::vector<ConfiguredWorkload> read_workloads(const JsonValue& value, std::string_view key);
/// `targets`, of workloads that exist.
std::vector<Target> read_targets(const JsonValue& value,
                                 const std::vector<ConfiguredWorkload>& workloads);
/// The rules in the workloads' own `metrics`, children (`entry/child`) included, but not workloads
/// of the config with names like children.
std::vector<ThresholdRule> rules_of(const std::vector<ConfiguredWorkload>& workloads);

}  // namespace perf::config

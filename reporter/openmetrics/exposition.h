#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perf::reporter {

/// Labels of a sample, in the order in which they are written; empty values are left out, as an
/// absent label means the same. Not escaped yet.
using Labels = std::vector<std::pair<std::string, std::string>>;

/// A text of OpenMetrics 1.0, put together sample by sample: a family has one TYPE, UNIT and HELP
/// and all of its samples in one place, and no sample is there twice.
class Exposition {
 public:
  /// A measured value. `name` ends with `_unit` where there is a unit.
  void gauge(const std::string& name, const std::string& unit, const std::string& help,
             const Labels& labels, double value);
  /// One of several states: a sample for each, 1 for the one that holds. The label of the state has
  /// the family's name, as the standard requires.
  void state(const std::string& name, const std::string& help, const Labels& labels,
             const std::vector<std::string>& states, const std::string& holds);
  /// Texts that belong to the whole.
  void info(const std::string& name, const std::string& help, const Labels& labels);

  /// Families in the order of their first sample, ended by `# EOF`.
  std::string str() const;

 private:
  struct Family {
    std::string head;  ///< its metadata
    std::string samples;
    std::set<std::string> keys;
  };

  Family& family(const std::string& name, const char* type, const std::string& unit,
                 const std::string& help);
  static void add(Family& family, const std::string& name, const Labels& labels, double value);

  std::vector<std::string> order_;
  std::map<std::string, Family> families_;
};

/// Where the label `metric` stands among a sample's labels.
inline constexpr std::size_t kMetricLabel = 1;

/// Labels that are unique, in the order of the calls. Different names can read the same
/// once they are visible ("a b" and "a\tb"); a sample lost for that could be the regressed one.
class DistinctLabels {
 public:
  /// The labels; where they were there already, with " (2)", " (3)", ... behind the value of the
  /// one at `named`.
  Labels of(Labels labels, std::size_t named);

 private:
  std::set<std::string> taken_;
};

/// A base unit as OpenMetrics spells it: "seconds", "bytes", "per_second"; empty for one that it
/// has no word for, and for plain numbers.
std::string unit_name(const std::string& unit);

/// A family's name with its unit: "perf_compare_level" and "s" give "perf_compare_level_seconds".
std::string family_name(const std::string& name, const std::string& unit);

}  // namespace perf::reporter

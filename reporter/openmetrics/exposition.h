#pragma once

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
  /// the family's name, as the standard wants it.
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

}  // namespace perf::reporter

#include "analyzer/trend/machine_switch.h"

#include <algorithm>

namespace perf {
namespace {

constexpr std::size_t kNearSwitch = 3;  ///< points
constexpr std::size_t kAbsence = 10;    ///< points without a machine: it is not one of several
constexpr std::size_t kShortFingerprint = 8;

/// The machine's fingerprint at each point; empty where it is not known.
class Machines {
 public:
  Machines(const MeasuredSeries& measured, const RecordedHistory& recorded)
      : origins_(measured.origins), recorded_(recorded) {}

  std::string at(std::size_t point) const {
    const std::uint32_t run = origins_[point].run;
    if (run >= recorded_.runs.size()) {
      return {};
    }
    const std::uint32_t environment = recorded_.runs[run].environment;
    return environment < recorded_.environments.size()
               ? recorded_.environments[environment].fingerprint
               : std::string();
  }
  std::size_t size() const { return origins_.size(); }

  bool is_within(const std::string& machine, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (at(i) == machine) {
        return true;
      }
    }
    return false;
  }
  bool is_switch(std::size_t point) const {
    const std::string was = at(point - 1), is = at(point);
    if (was == is || was.empty() || is.empty()) {
      return false;
    }
    const std::size_t begin = point - std::min(point, kAbsence);
    return !is_within(is, begin, point) ||
           (point + kAbsence <= size() && !is_within(was, point, point + kAbsence));
  }

 private:
  const std::vector<PointOrigin>& origins_;
  const RecordedHistory& recorded_;
};

}  // namespace

std::optional<std::string> machine_switch_at(const MeasuredSeries& measured, std::size_t index,
                                             const RecordedHistory& recorded) {
  const Machines machines(measured, recorded);
  const std::size_t end = std::min(index + kNearSwitch + 1, machines.size());
  for (std::size_t i = std::max<std::size_t>(index - std::min(index, kNearSwitch), 1); i < end;
       ++i) {
    if (machines.is_switch(i)) {
      return "machine: " + machines.at(i - 1).substr(0, kShortFingerprint) + " -> " +
             machines.at(i).substr(0, kShortFingerprint);
    }
  }
  return std::nullopt;
}

}  // namespace perf

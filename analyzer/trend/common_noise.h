#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "schema/policy.h"
#include "schema/trend.h"

namespace perf {

/// So many series at least have something in common.
inline constexpr std::size_t kFewestInCommon = 5;

/// Whether a series is one of those whose common noise is searched: it may alert, and move with its
/// machine.
bool is_in_common(const TrendSeries& series, const Policy& policy);

/// What the series of one metric on one machine share: at each commit the mean over series of what
/// their own levels leave, in units of their own noise and cut to two of it, so that no series and
/// no outlier counts for many. It takes room for commits and none for points.
class CommonNoise {
 public:
  using Key = std::tuple<std::string, std::string, std::string>;  ///< fingerprint, host, metric
  struct Night {
    std::uint32_t commit = 0;
    double value = 0;  ///< about ln of the values: in the series' usual noise
  };

  explicit CommonNoise(const Policy& policy) : policy_(policy) {}

  /// Needs it searched, and its points whole.
  void add(const TrendSeries& series);

  std::vector<Key> keys() const;
  /// In the order of commits: those with 5 series or more.
  std::vector<Night> nights(const Key& key) const;

 private:
  struct Sum {
    float value = 0;
    std::uint32_t series = 0;
  };
  struct Group {
    std::vector<Sum> at;   ///< by commit
    double precision = 0;  ///< sum of 1 / noise
    std::size_t series = 0;
  };

  Policy policy_;
  std::map<Key, Group> groups_{};
};

/// A step in what series share; commits are indices into the measured ones.
struct CommonStep {
  std::uint32_t previous = 0, first = 0, last = 0;  ///< where it may be
  std::uint32_t at = 0, end = 0;                    ///< most likely; last commit of its level
  bool is_rise = false;
  double evidence = 0;
};
/// The sudden and new ones of the last 30 nights (find_common_steps); 50 nights or more are needed.
std::vector<CommonStep> common_steps(const std::vector<CommonNoise::Night>& nights);

}  // namespace perf

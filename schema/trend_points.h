#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace perf {

/// One commit's value in a series: the median over its invocations.
struct TrendPoint {
  std::uint32_t commit = 0;  ///< index into TrendReport::commits
  std::uint32_t invocations = 0;
  double value = 0;  ///< base unit; anchored: head/base
};

/// The points of a series, oldest first. Places and size() count all of them, begin() to end() are
/// those that are there: keep() leaves some out, but never the first or the last.
class TrendPoints {
 public:
  using Points = std::vector<TrendPoint>;

  TrendPoints() = default;
  TrendPoints(Points all) : there_(std::move(all)), size_(there_.size()) {}  // NOLINT

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Points::const_iterator begin() const { return there_.begin(); }
  Points::const_iterator end() const { return there_.end(); }
  Points::iterator begin() { return there_.begin(); }
  Points::iterator end() { return there_.end(); }
  const TrendPoint& front() const { return there_.front(); }
  const TrendPoint& back() const { return there_.back(); }

  /// Throws std::out_of_range for one that was left out.
  const TrendPoint& operator[](std::size_t place) const { return there_[found(place)]; }
  TrendPoint& operator[](std::size_t place) { return there_[found(place)]; }
  /// Of one that is there; size() of end().
  std::size_t place_of(Points::const_iterator point) const {
    const auto at = static_cast<std::size_t>(point - there_.begin());
    return at == there_.size() ? size_ : places_.empty() ? at : places_[at];
  }

  /// To points none of which was left out.
  void push_back(const TrendPoint& point) {
    there_.push_back(point);
    ++size_;
  }
  /// Leaves out those whose places are not marked, of points that are all there.
  void keep(const std::vector<bool>& marked) {
    Points points;
    points.reserve(static_cast<std::size_t>(std::ranges::count(marked, true)) + 2);
    for (std::size_t place = 0; place < size_; ++place) {
      if (marked[place] || place == 0 || place + 1 == size_) {
        places_.push_back(static_cast<std::uint32_t>(place));
        points.push_back(there_[place]);
      }
    }
    there_ = std::move(points);
  }
  /// Takes away the first ones, up to one that is there.
  void drop(std::size_t count) {
    const auto first = static_cast<std::ptrdiff_t>(
        places_.empty() ? count : std::ranges::lower_bound(places_, count) - places_.begin());
    there_.erase(there_.begin(), there_.begin() + first);
    size_ -= count;
    if (!places_.empty()) {
      places_.erase(places_.begin(), places_.begin() + first);
      std::ranges::for_each(places_,
                            [&](auto& place) { place -= static_cast<std::uint32_t>(count); });
    }
  }

 private:
  std::size_t found(std::size_t place) const {
    if (places_.empty()) {
      return place;
    }
    const auto at = std::ranges::lower_bound(places_, place);
    if (at == places_.end() || *at != place) {
      throw std::out_of_range("a point that was left out");
    }
    return static_cast<std::size_t>(at - places_.begin());
  }

  Points there_{};
  std::vector<std::uint32_t> places_{};  ///< of those that are there; none: all are
  std::size_t size_ = 0;
};

}  // namespace perf

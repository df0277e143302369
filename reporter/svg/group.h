#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reporter/svg/panel.h"
#include "schema/invocation.h"

namespace perf::reporter::svg {

constexpr std::size_t kMostDots = 2000;  ///< of one side on one axis: more are thinned out evenly

enum class Mark { measured, warmup, aside };  ///< aside: smaller, for what only goes with it

/// One value somewhere in a session.
struct GroupDot {
  double at = 0;  ///< in processes from its start: 2.5 is the middle of the third
  double value = 0;
  Side side = Side::head;
  Mark mark = Mark::measured;
};

/// Values of one unit along a session, base and head.
struct Group {
  std::string title, label, unit;
  std::size_t processes = 0;
  std::vector<GroupDot> dots;
  std::vector<std::string> remarks;  ///< said below the picture, after what it says itself
};

/// Where a value stands that is `index` of `count` in that process.
double place_in_group(std::size_t process, std::size_t index, std::size_t count);

/// Both sides in one field, with the median of what is measured as a line and in words (of all of
/// it, however few dots are drawn). Values far beyond the others stand at the border. Empty where
/// no value is finite.
std::string group_picture(Group session, double width);

}  // namespace perf::reporter::svg

#pragma once

#include <gtest/gtest.h>

#include <stdexcept>

namespace perf {

/// The exception of this type that `act` throws; fails the test if it throws none, or another.
template <class Thrown, class Act>
Thrown thrown_by(const Act& act) {
  try {
    act();
  } catch (const Thrown& thrown) {
    return thrown;
  }
  ADD_FAILURE() << "nothing was thrown";
  throw std::logic_error("nothing was thrown");
}

}  // namespace perf

#include "collector/postgres/session.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "collector/process/process.h"

namespace perf::postgres {
namespace {

/// Longer each time, and random, so that clients of one server do not collide again.
std::chrono::milliseconds pause(int tries) {
  constexpr unsigned kShortest = 50, kDoublings = 5;  // 1.6 s at most, and half as long again
  const unsigned most = kShortest << std::min<unsigned>(static_cast<unsigned>(tries), kDoublings);
  return std::chrono::milliseconds(most / 2 + std::random_device{}() % most);
}

}  // namespace

Session::Session(std::string address, std::function<bool()> interrupted, Patience patience)
    : address_(std::move(address)), interrupted_(std::move(interrupted)), patience_(patience) {}

void Session::run(const std::function<void(Connection&)>& work) {
  const double began = monotonic_seconds();
  for (int tries = 0;; ++tries) {
    try {
      if (connection_ == nullptr) {
        connection_ = std::make_unique<Connection>(address_, interrupted_);
        reached_ = true;
      }
      work(*connection_);
      return;
    } catch (const Refused& refused) {
      connection_.reset();
      if (!is_tried_again(refused, began, tries)) {
        throw;
      }
    } catch (...) {
      connection_.reset();
      throw;
    }
  }
}

/// After a pause, which a signal ends: the next try then throws.
bool Session::is_tried_again(const Refused& refused, double began, int tries) const {
  const double patience = reached_ || is_busy(refused) ? patience_.known : patience_.unreached;
  if (!is_passing(refused) || monotonic_seconds() - began > patience) {
    return false;
  }
  const auto until = std::chrono::steady_clock::now() + pause(tries);
  while (std::chrono::steady_clock::now() < until && !(interrupted_ && interrupted_())) {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  return true;
}

}  // namespace perf::postgres

#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace perf {

/// A revision laid out on disk and built, or the reason why it could not be.
struct Checkout {
  std::filesystem::path directory;  ///< where commands run
  std::string failure;        ///< why it cannot be measured, and where to look; empty when it can
  std::filesystem::path log;  ///< the build's output, kept
  std::shared_ptr<const void> hold{};  ///< keeps other runs out of the folder as long as it lives
  bool interrupted = false;  ///< a signal ended it: `failure` says nothing of the revision
};

/// Both sides of a plan. The same revision with the same build shares one folder.
struct Checkouts {
  Checkout base, head;
};

}  // namespace perf

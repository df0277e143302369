#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "schema/warning.h"

namespace perf {

/// A revision laid out on disk and built, or the reason why it could not be.
struct Checkout {
  std::filesystem::path directory;  ///< where commands run
  std::string failure;        ///< "does not build (exit status 2)"; empty when it can be measured
  std::filesystem::path log;  ///< the build's output, kept
  std::shared_ptr<const void> hold{};  ///< keeps other runs out of the folder as long as it lives
  bool interrupted = false;         ///< a signal ended it: `failure` says nothing of the revision
  bool starved = false;             ///< so does it where the machine lacked something
  std::vector<std::string> said{};  ///< the lines of the log that tell why
  std::string built{};              ///< what ran: "the build `make`"; empty: nothing did
  std::string remedy{};             ///< of the failure: what to try, with the command; may be empty
  std::vector<Warning> warnings{};  ///< of what is amiss with it though it can be measured
};

/// Whether it cannot be measured for a reason of its own.
inline bool failed(const Checkout& checkout) {
  return !checkout.failure.empty() && !checkout.interrupted;
}

/// Both sides of a plan. The same revision with the same build shares one folder.
struct Checkouts {
  Checkout base, head;
};

/// Of head, and of base where it is another.
std::vector<Warning> warnings_of(const Checkouts& checkouts);

/// The first line that tells why it failed, and where to look, on one line.
std::string why_failed(const Checkout& checkout);

/// The same after the failure, and before what to try.
std::string told(const Checkout& checkout);

/// A failure on many lines, for a report, of "head": the first says what happened, what was said
/// follows, where to look comes last.
std::string told_in_lines(const std::string& side, const Checkout& checkout);

}  // namespace perf

#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace perf::workloads {

/// A checkpoint that cannot be read: what happened, to which file and tensor, what to try.
struct BadCheckpoint : std::runtime_error {
  BadCheckpoint(std::string happened, std::string to_what, std::string what_to_try)
      : std::runtime_error(happened + ": " + to_what + "\nhint: " + what_to_try),
        what_happened(std::move(happened)),
        subject(std::move(to_what)),
        hint(std::move(what_to_try)) {}

  std::string what_happened, subject, hint;
};

/// What a file says, for a message: without control characters, at most 100 bytes.
std::string printable(const std::string& text);

}  // namespace perf::workloads

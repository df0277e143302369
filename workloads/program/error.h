#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace perf::workloads {

/// What main prints in three parts: what happened, to what, what to try. Thrown for bad input
/// (exit 2); the workloads link nothing of the tool, so this is their own.
struct Error : std::runtime_error {
  Error(std::string happened, std::string to_what, std::string what_to_try)
      : std::runtime_error(happened + ": " + to_what + "\nhint: " + what_to_try),
        what_happened(std::move(happened)),
        subject(std::move(to_what)),
        hint(std::move(what_to_try)) {}

  std::string what_happened, subject, hint;
};

}  // namespace perf::workloads

#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace perf {

/// A failure outside the program: git, SQL, a process, a bad file. Thrown where it happens, caught
/// once in main and printed as "error: WHAT: SUBJECT" and "hint: DO THIS". Results (a verdict, a
/// warning) are never Errors, and a bug is an assert.
struct Error : std::runtime_error {
  Error(std::string what_happened, std::string about, std::string what_to_try = {})
      : std::runtime_error(what_happened + ": " + about),
        what(std::move(what_happened)),
        subject(std::move(about)),
        hint(std::move(what_to_try)) {}

  std::string what;     ///< the problem: "the name does not resolve"
  std::string subject;  ///< the value or place: "v1.2"
  std::string hint;     ///< what to do: "git fetch --tags"; may be empty
};

/// A usage error: an invalid option, config or revision. Exit code 2, where an ordinary Error has
/// exit code 3.
struct UsageError : Error {
  using Error::Error;
};

}  // namespace perf

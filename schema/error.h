#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace perf {

/// The world failed: git, SQL, a process, a bad file. Thrown at the rim, caught once in main and
/// printed in its three parts. What the data says (a verdict, a warning) is never an Error, and a
/// bug is an assert.
struct Error : std::runtime_error {
  Error(std::string what_happened, std::string about, std::string what_to_try = {})
      : std::runtime_error(what_happened + ": " + about),
        what(std::move(what_happened)),
        subject(std::move(about)),
        hint(std::move(what_to_try)) {}

  std::string what;     ///< what happened: "the name does not resolve"
  std::string subject;  ///< to what: "v1.2"
  std::string hint;     ///< what to do: "git fetch --tags"; may be empty
};

/// The request itself was wrong: an option, the config, a name that does not resolve. Exit code 2,
/// where an ordinary Error is exit code 3.
struct UsageError : Error {
  using Error::Error;
};

}  // namespace perf

#pragma once

#include <cstring>
#include <string>

#include "schema/error.h"

namespace perf {

/// Throws the Error of a file that the disk fails to read; `error` is the errno.
[[noreturn]] inline void refuse_unreadable(const std::string& file, int error) {
  throw Error("the file could not be read", file + ": " + std::strerror(error), "check the disk");
}

}  // namespace perf

#pragma once

#include <cerrno>

namespace perf {

/// Whether an errno of opening or reading a file says that the disk or the system failed, and not
/// that the file's name was asked wrongly: exit code 3, not 2.
inline bool is_system_fault(int error) {
  return error == EIO || error == ESTALE || error == EMFILE || error == ENFILE || error == ENOMEM;
}

}  // namespace perf

#pragma once

namespace perf {

/// From here on SIGINT and SIGTERM request a stop instead of ending the program. A repetition
/// within a second, and the other signal at any time, are ignored; the same signal later ends the
/// program at once.
void catch_interruptions();

/// The first signal; 0 if there was none.
int interruption();
inline bool is_interrupted() {
  return interruption() != 0;
}

/// From here on a write beyond the file size limit (ulimit -f) fails with EFBIG instead of ending
/// the program.
void outlive_file_size_limit();

/// Whether a write exceeded that limit.
bool met_file_size_limit();

}  // namespace perf

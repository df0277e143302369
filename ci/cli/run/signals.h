#pragma once

namespace perf {

/// From here on SIGINT and SIGTERM ask the run to stop instead of ending the program. One that
/// comes again within a second, or the other one at any time, asks for nothing new; the same one
/// later ends the program at once.
void catch_interruptions();

/// The signal that asked to stop first; 0 while none has.
int interruption();
inline bool is_interrupted() {
  return interruption() != 0;
}

/// From here on a write beyond the limit on the size of files (ulimit -f) fails with EFBIG instead
/// of ending the program.
void outlive_file_size_limit();

/// Whether a write of this program met that limit.
bool met_file_size_limit();

}  // namespace perf

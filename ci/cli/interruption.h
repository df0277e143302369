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

}  // namespace perf

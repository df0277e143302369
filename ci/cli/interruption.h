#pragma once

namespace perf {

/// From here on SIGINT and SIGTERM ask the run to stop instead of ending the program.
void catch_interruptions();

/// The signal that asked to stop; 0 while none has.
int interruption();

}  // namespace perf

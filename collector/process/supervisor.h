#pragma once

namespace perf {

/// The life of the supervisor: a fork of the tool, taken before the tool grew, that starts one
/// child at a time as the tool asks through `socket` (collector/process/wire.h), measures it, and
/// answers when nothing of it is left. It outlives neither the tool (end of the stream) nor a
/// request to end (SIGTERM), and in both cases takes its child and everything that descends from
/// it along. While a child runs it sleeps in poll(2). `proc_root` is where processes are listed.
[[noreturn]] void supervise(int socket, const char* proc_root);

}  // namespace perf

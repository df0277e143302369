#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "collector/process/pacer.h"
#include "schema/files/descriptor.h"

namespace perf::wire {

/// What the tool and its supervisor say to each other over their socket. Both are of one build, so
/// plain memory is the format.
enum class Kind : std::uint32_t { run, cancel };

/// Precedes every message to the supervisor. `run` carries the write ends of the child's stdout and
/// stderr beside it (SCM_RIGHTS), and is followed by `body` bytes of text.
struct Header {
  Kind kind = Kind::run;
  std::uint32_t arguments = 0;
  std::uint64_t body = 0;  ///< B
  double timeout = 0;      ///< s; 0 = none
  StopAndGo stop_and_go{};
};

/// The text of a run: the directory, then `arguments` arguments, then the environment's NAME=VALUE
/// strings, each ended by a NUL.
std::string pack(const std::string& directory, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment);

/// How a supervisor ends that was not started by a tool of its build.
inline constexpr int kOtherBuild = 2;

/// Where starting a child failed.
enum class Stage : std::uint32_t { none, fork, directory, exec };

/// What the supervisor answers once nothing of the child is left.
struct Reply {
  Stage failed_at = Stage::none;
  int error = 0;   ///< errno of that stage
  int status = 0;  ///< as wait4 gave it
  bool timed_out = false;
  std::uint32_t survivors = 0;     ///< processes that even SIGKILL did not end in time
  double wall = 0;                 ///< s, monotonic
  double stopped = 0;              ///< s of it, by stop_and_go
  std::int64_t instructions = -1;  ///< retired in user mode; -1 = not known
  rusage usage{};
};
static_assert(std::is_trivially_copyable_v<Header> && std::is_trivially_copyable_v<Reply>);

/// Sends all of it; false when the other end is gone.
bool send_all(int socket, const void* data, std::size_t size);
/// Sends a header with two descriptors beside it; false when the other end is gone.
bool send_run(int socket, const Header& header, int out, int err);
/// Reads exactly `size` bytes; false at the end of the stream.
bool receive_all(int socket, void* data, std::size_t size);
/// Reads a header and the descriptors that came with it, if any did; false at the end.
bool receive_header(int socket, Header& header, Descriptor& out, Descriptor& err);

/// The life of the supervisor, a process as small as it can be that starts one child at a time as
/// the tool asks through `socket`, measures it, and answers when nothing of it is left. It outlives
/// neither the tool (end of the stream) nor a request to end (SIGTERM), and in both cases takes its
/// child and everything that descends from it along. While a child runs it sleeps in poll(2).
/// `proc_root` is where processes are listed.
[[noreturn]] void supervise(int socket, const char* proc_root);

}  // namespace perf::wire

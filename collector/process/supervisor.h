#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "collector/process/process.h"
#include "schema/files/descriptor.h"

namespace perf {

/// Keeps the share by the measured clock: whatever a busy machine adds to a stretch of running is
/// paid back by the next stop, and a stop that lasted too long by the one after. A process that
/// waits for a processor does not stop before it gets one, so a stop begins when it is seen, not
/// when it is asked for. Pure: the caller reads the clock, and does the stopping. All times are
/// seconds of one clock.
class Pacer {
 public:
  enum class Action { none, stop, go };

  Pacer(const StopAndGo& pace, double now);

  /// When to come back with the time.
  double next() const { return next_; }
  /// What to do now. `stands`: whether the process is seen to stand still.
  Action step(double now, bool stands);
  /// A stop has been asked for, and not been seen yet.
  bool is_stopping() const { return state_ == State::stopping; }
  /// Seconds stopped and run up to `now`.
  double stopped_until(double now) const;
  double run_until(double now) const;

  static constexpr double kLookInterval = 0.0002;  ///< s between looks whether it stands
  static constexpr double kPatience = 0.1;         ///< s; then it is taken to stand

 private:
  enum class State { running, stopping, held };

  Action ask_to_stop(double now);

  StopAndGo pace_;
  State state_ = State::running;
  double stretch_;    ///< s of running between stops
  double since_;      ///< when it last went on, or was last seen to stand
  double asked_ = 0;  ///< when it was asked to stop
  double next_;
  double run_ = 0, held_ = 0;
};

namespace wire {

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

}  // namespace wire

/// How long processes under SIGKILL may take to go before they are given up as stuck in the kernel
/// (a dead NFS mount, a hung device), in seconds.
inline constexpr double kKillPatience = 10;

/// Kills and reaps everything that descends from this process, which must be a child subreaper
/// (prctl(2), PR_SET_CHILD_SUBREAPER): whatever loses its parent then becomes a child of this one,
/// so that nobody escapes by forking twice or by starting a session of its own. Children are found
/// under `proc_root`, and by trying process ids where it is empty. Returns how many were still
/// there after kKillPatience.
std::uint32_t end_descendants(const char* proc_root);

/// Sends SIGKILL to every live descendant that can be found; returns how many there were.
std::uint32_t kill_descendants(const char* proc_root);

/// A process and what it belongs to.
struct Kin {
  pid_t pid = 0;
  pid_t parent = 0;  ///< 0 when it has gone
  pid_t group = 0;
  char state = 0;                ///< of its first thread, as in proc(5): R, S, T, ...
  unsigned long long start = 0;  ///< clock ticks after boot: tells it from a later owner of its id
};

/// The live descendants of this process, as `proc_root` shows them.
std::vector<Kin> find_descendants(const char* proc_root);

/// The first few hundred children of this thread, ended or not; none where the kernel keeps no list
/// of them (CONFIG_PROC_CHILDREN).
std::vector<pid_t> find_children(const char* proc_root);

/// A descriptor (pidfd) of a process, by system call: glibc 2.36 declares its functions without
/// extern "C". None, with errno, where the process is gone or the kernel knows none.
Descriptor open_process(pid_t pid);

/// Whether a process is neither stopped nor at its end.
bool may_run(const char* proc_root, pid_t pid);

/// A program to start: NUL-terminated texts that outlive the call.
struct ChildStart {
  const char* directory = nullptr;
  std::vector<char*> arguments;    ///< ended by nullptr
  std::vector<char*> environment;  ///< ended by nullptr
  Descriptor out{}, err{};         ///< become its stdout and stderr; its stdin is /dev/null
};

/// What a child that could not start its program says through the failure pipe.
struct StartFailure {
  wire::Stage stage = wire::Stage::none;
  int error = 0;
};

/// Forks and executes. The child leads a session of its own, has default signal dispositions, an
/// empty signal mask and no descriptors but the three (all of the supervisor's are close-on-exec),
/// leaves no core dump, and dies with the supervisor. Plain fork, because the high-water mark of
/// memory that exec keeps is then the supervisor's few pages. Returns the process id, or -1 with
/// errno. A StartFailure arrives at `failure_pipe` when the program was not reached.
pid_t start_child(const ChildStart& start, int failure_pipe);

/// Stops a child of ours with all its descendants, and lets them go on, in turns, where that is
/// wanted: the pacer says when. The child's process group is stopped at once, and those that have
/// left the group one by one. Descendants are looked for under /proc while the others stand still,
/// at most every kLookAgain seconds. Who left the group is held by descriptor, so that no signal
/// ever reaches a stranger who got the id of one that has ended.
class Pacing {
 public:
  /// The child leads its process group. `proc_root`: where /proc is.
  Pacing(const StopAndGo& pace, pid_t child, const char* proc_root);

  /// When to come back, in monotonic seconds; infinity where nothing is wanted.
  double next() const;
  /// Does what is due by now.
  void keep();
  /// Seconds that the child has been held.
  double stopped_until(double now) const;

  static constexpr double kLookAgain = 0.1;  ///< s

 private:
  void stop(double now);
  /// Whether all that were asked to stop have done so: of the child, every thread; of descendants,
  /// the first thread, as /proc tells.
  bool all_stand();
  void signal_all(int signal);
  void look_for_family();

  bool wanted_;
  Pacer pacer_;
  pid_t child_;
  const char* proc_root_;
  double looked_ = 0;                ///< s, monotonic
  bool child_stands_ = false;        ///< since the last stop
  std::vector<pid_t> family_;        ///< descendants of the child
  std::vector<Descriptor> escaped_;  ///< pidfds of those outside the group
};

}  // namespace perf

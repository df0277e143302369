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

/// Keeps the share of StopAndGo by measured time: the next stop compensates for a stretch of
/// running that a busy machine prolonged, and the one after for a stop that was too long. A process
/// that waits for a processor does not stop before it gets one, so a stop begins when it is
/// observed, not when it is requested. Pure: the caller reads the clock and stops the process. All
/// times are seconds of one clock.
class Pacer {
 public:
  enum class Action { none, stop, go };

  Pacer(const StopAndGo& pace, double now);

  /// The time of the next step.
  double next() const { return next_; }
  /// What to do now. `stands`: whether the process is observed to be stopped.
  Action step(double now, bool stands);
  /// Whether a stop was requested and not observed yet.
  bool is_stopping() const { return state_ == State::stopping; }
  /// Seconds stopped and run up to `now`.
  double stopped_until(double now) const;
  double run_until(double now) const;

  static constexpr double kCheckInterval = 0.0002;  ///< s between checks whether it has stopped
  static constexpr double kPatience = 0.1;          ///< s; then it counts as stopped

 private:
  enum class State { running, stopping, held };

  Action ask_to_stop(double now);

  StopAndGo pace_;
  State state_ = State::running;
  double stretch_;    ///< s of running between stops
  double since_;      ///< when it last continued, or was observed to have stopped
  double asked_ = 0;  ///< when the stop was requested
  double next_;
  double run_ = 0, held_ = 0;
};

namespace wire {

/// The messages between the tool and its supervisor over their socket. Both are of one build, so
/// the format is plain memory.
enum class Kind : std::uint32_t { run, cancel, stop };

/// Precedes every message to the supervisor. `run` carries the write ends of the child's stdout and
/// stderr beside it (SCM_RIGHTS), and is followed by `body` bytes of text.
struct Header {
  Kind kind = Kind::run;
  std::uint32_t arguments = 0;
  std::uint64_t body = 0;  ///< B
  double timeout = 0;      ///< s; 0 = none
  bool adds_memory = false;
  bool adds_time = false;  ///< the usage's times are of all descendants; for a first child only
  StopAndGo stop_and_go{};
};

/// The text of a run: the directory, then `arguments` arguments, then the environment's NAME=VALUE
/// strings, each ended by a NUL.
std::string pack(const std::string& directory, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment);

/// The exit status of a supervisor that was started by a tool of another build.
inline constexpr int kOtherBuild = 2;

/// The step at which starting a child failed.
enum class Stage : std::uint32_t { none, fork, directory, exec };

/// The supervisor's answer, once the child and its descendants have ended.
struct Reply {
  Stage failed_at = Stage::none;
  int error = 0;   ///< errno of that stage
  int status = 0;  ///< as wait4 gave it
  bool timed_out = false;
  std::uint32_t left_running = 0;  ///< descendants that outlived the child
  std::int64_t memory_seen = 0;    ///< B, the largest of all processes together; 0: there was one
  bool several_unseen = false;     ///< there were several, and their memory was not seen
  std::uint32_t survivors = 0;     ///< processes that did not end in time after SIGKILL
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

/// The supervisor: a process as small as possible that starts one child at a time on request
/// through `socket`, measures it, and answers once the child and its descendants have ended. It
/// ends with the tool (end of the stream) and on SIGTERM, and then ends its child and all
/// descendants. While a child runs it sleeps in poll(2), between looks at
/// the memory of the child's processes. `proc_root`: where processes are listed.
[[noreturn]] void supervise(int socket, const char* proc_root);

}  // namespace wire

/// s that processes may take to end after SIGKILL before they count as stuck in the kernel (a dead
/// NFS mount, a hung device).
inline constexpr double kKillPatience = 10;

/// Kills and reaps all descendants of this process, which must be a child subreaper (prctl(2),
/// PR_SET_CHILD_SUBREAPER): orphans become its children, so that no process escapes by forking
/// twice or starting a session. Children are found under `proc_root`, or by trying process ids
/// where that is empty. Returns how many were left after kKillPatience.
std::uint32_t end_descendants(const char* proc_root);

/// Sends SIGKILL to every live descendant; returns how many there were.
std::uint32_t kill_descendants(const char* proc_root);

/// A process with its parent and group.
struct Kin {
  pid_t pid = 0;
  pid_t parent = 0;  ///< 0 when it has ended
  pid_t group = 0;
  char state = 0;                ///< of its first thread, as in proc(5): R, S, T, ...
  unsigned long long start = 0;  ///< clock ticks after boot: a later process of that id differs
};

/// The live processes, by `proc_root`.
std::vector<Kin> find_processes(const char* proc_root);

/// The live descendants of this process, by `proc_root`.
std::vector<Kin> find_descendants(const char* proc_root);

/// The first few hundred children of this thread, ended or not; none without CONFIG_PROC_CHILDREN.
std::vector<pid_t> find_children(const char* proc_root);

/// Page faults of the children that an ended, unreaped process waited for: 0 without any.
long faults_of_children(const char* proc_root, pid_t pid);

/// The memory of a child and all its descendants together, of which the kernel's account has the
/// largest process alone. Looked at several times a second, less often the longer a look takes;
/// pages that processes share count once (proportional set size).
class TreeMemory {
 public:
  TreeMemory(pid_t child, const char* proc_root, double now);

  /// The time of the next look, in monotonic seconds.
  double next() const { return next_; }
  void look(double now);
  /// B, the largest sum of several processes; 0: one process at every look.
  std::int64_t largest() const { return largest_; }
  /// Whether /proc lists children (CONFIG_PROC_CHILDREN) and their memory.
  bool is_known() const { return is_known_; }

 private:
  pid_t child_;
  const char* proc_root_;
  double started_, next_;
  std::int64_t largest_ = 0;
  bool is_known_ = true;
};

/// A pidfd of a process, by system call: glibc 2.36 declares its functions without extern "C".
/// None, with errno, where the process has ended or the kernel has no pidfds.
Descriptor open_process(pid_t pid);

/// Whether a process is neither stopped nor ended.
bool may_run(const char* proc_root, pid_t pid);

/// A program to start; its texts are NUL-terminated and outlive the call.
struct ChildStart {
  const char* directory = nullptr;
  std::vector<char*> arguments;    ///< ended by nullptr
  std::vector<char*> environment;  ///< ended by nullptr
  Descriptor out{}, err{};         ///< become its stdout and stderr; its stdin is /dev/null
};

/// The message of a child that could not start its program, through the failure pipe.
struct StartFailure {
  wire::Stage stage = wire::Stage::none;
  int error = 0;
};

/// Forks and executes. The child leads a session of its own, has default signal dispositions, an
/// empty signal mask and only the three descriptors (all of the supervisor's are close-on-exec),
/// leaves no core dump, and dies with the supervisor. Plain fork, because exec keeps the peak of
/// memory, which is then the supervisor's few pages. Returns the process id, or -1 with errno. A
/// StartFailure arrives at `failure_pipe` if the program cannot be executed.
pid_t start_child(const ChildStart& start, int failure_pipe);

/// Stops and continues a child with all its descendants, at the times of the pacer. The child's
/// process group is stopped at once, and processes that have left the group one by one. Descendants
/// are searched under /proc while the others are stopped, at most every kSearchInterval seconds.
/// Processes outside the group are held by descriptor, so that no signal reaches another process
/// that got the id of an ended one.
class Pacing {
 public:
  /// The child leads its process group. `proc_root`: where /proc is.
  Pacing(const StopAndGo& pace, pid_t child, const char* proc_root);

  /// The time of the next step, in monotonic seconds; infinity where nothing is requested.
  double next() const;
  /// Does what is due.
  void keep();
  /// Seconds that the child has been stopped.
  double stopped_until(double now) const;

  static constexpr double kSearchInterval = 0.1;  ///< s

 private:
  void stop(double now);
  /// Whether all have stopped: of the child, every thread; of descendants, the first thread, by
  /// /proc.
  bool all_stand();
  void signal_all(int signal);
  void find_family();

  bool wanted_;
  Pacer pacer_;
  pid_t child_;
  const char* proc_root_;
  double searched_ = 0;              ///< s, monotonic
  bool child_stands_ = false;        ///< since the last stop
  std::vector<pid_t> family_;        ///< descendants of the child
  std::vector<Descriptor> escaped_;  ///< pidfds of those outside the group
};

}  // namespace perf

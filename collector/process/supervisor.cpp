#include "collector/process/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "collector/machine/event_access.h"
#include "collector/process/process.h"
#include "schema/files/descriptor.h"

namespace perf {
namespace {

struct Supervisor {
  int socket = -1;
  int signals = -1;  ///< signalfd
  const char* proc_root = "/proc";
};

[[noreturn]] void leave(const Supervisor& self) {
  end_descendants(self.proc_root);
  _exit(0);
}

/// Redirects descriptors 0 to 2, and closes all others of the tool.
int keep_only(int socket) {
  const int nothing = open("/dev/null", O_RDWR);
  const int kept = fcntl(socket, F_DUPFD_CLOEXEC, 3);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  const long limit = sysconf(_SC_OPEN_MAX);
  if (dup2(kept, 3) != 3 || close_range(4, ~0U, 0) != 0) {
    for (int fd = 4; fd < limit; ++fd) {
      close(fd);
    }
  }
  fcntl(3, F_SETFD, FD_CLOEXEC);
  return 3;
}

int listen_to_signals() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  // If the tool was started with SIGCHLD ignored, there would be nothing to wait for.
  signal(SIGCHLD, SIG_DFL);
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  sigaddset(&heard, SIGTERM);
  return signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// Empties the signal queue; exits on a request to end.
void hear_signals(const Supervisor& self) {
  signalfd_siginfo info{};
  while (read(self.signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    if (info.ssi_signo == SIGTERM) {
      leave(self);
    }
  }
}

/// Whether the child has ended (not reaped, so that the id of its process group is not reused);
/// reaps orphans that ended meanwhile.
bool has_ended(pid_t child) {
  for (;;) {
    siginfo_t info{};
    const int found = retried([&] { return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT); });
    if (found != 0 || info.si_pid == child) {
      return true;
    }
    if (info.si_pid == 0) {
      return false;
    }
    // The child may have ended, but an orphan is listed first.
    waitpid(info.si_pid, nullptr, WNOHANG);
  }
}

/// The tool's request, with the child's outputs if there are any; exits when the tool has ended.
wire::Header hear_tool(const Supervisor& self, ChildStart& start) {
  wire::Header header;
  if (!wire::receive_header(self.socket, header, start.out, start.err)) {
    leave(self);
  }
  return header;
}

/// The timeout of poll until then; for ppoll, because stops need tenths of milliseconds.
timespec time_until(double deadline) {
  constexpr double kLongest = 1e6;  // s
  const double left = std::fmin(std::fmax(deadline - monotonic_seconds(), 0), kLongest);
  const double whole = std::floor(left);
  return {static_cast<time_t>(whole), static_cast<long>((left - whole) * 1e9)};
}

/// Sleeps until the child has ended, its timeout is over, or the tool cancels it. Returns true
/// after a timeout, also that of a request to stop.
bool watch(const Supervisor& self, pid_t child, double deadline, Pacing& pacing,
           TreeMemory* memory) {
  while (!has_ended(child)) {
    pollfd polled[2] = {{self.socket, POLLIN, 0}, {self.signals, POLLIN, 0}};
    double until = std::fmin(deadline, pacing.next());
    until = memory == nullptr ? until : std::fmin(until, memory->next());
    const timespec pause = time_until(until);
    const int ready = ppoll(polled, 2, std::isfinite(until) ? &pause : nullptr, nullptr);
    if (ready == 0 && monotonic_seconds() >= deadline) {
      return true;
    }
    pacing.keep();
    if (const double now = monotonic_seconds(); memory != nullptr && now >= memory->next()) {
      memory->look(now);
    }
    if (ready > 0 && polled[1].revents != 0) {
      hear_signals(self);
    }
    ChildStart none;
    if (ready > 0 && polled[0].revents != 0) {
      if (hear_tool(self, none).kind == wire::Kind::cancel) {
        return false;
      }
      kill(-child, SIGTERM);
      deadline = std::fmin(deadline, monotonic_seconds() + kStopPatience);
    }
  }
  return false;
}

/// Waits a moment for what the child left behind to end by itself, as helpers do once their pipe is
/// closed. Returns when the last one ended, or nothing, with how many were left.
std::optional<double> await_background(const Supervisor& self, pid_t child, double ended,
                                       double patience, std::uint32_t& left) {
  for (bool waited = false;; waited = true) {
    left = 0;
    for (const pid_t pid : find_children(self.proc_root)) {
      left += pid != child && may_run(self.proc_root, pid) ? 1 : 0;
    }
    if (left == 0) {
      return waited ? monotonic_seconds() : ended;
    }
    if (monotonic_seconds() > ended + patience) {
      return std::nullopt;
    }
    const timespec nap{0, 1'000'000};
    nanosleep(&nap, nullptr);
  }
}

void take_usage(pid_t child, wire::Reply& reply) {
  // It got SIGKILL, so this returns at once, unless it is stuck in the kernel.
  const double give_up = monotonic_seconds() + kKillPatience;
  while (!has_ended(child)) {
    if (monotonic_seconds() > give_up) {
      reply.survivors = 1;
      return;
    }
    const timespec nap{0, 1'000'000};
    nanosleep(&nap, nullptr);
  }
  retried([&] { return wait4(child, &reply.status, 0, &reply.usage); });
}

wire::Reply run_child(const Supervisor& self, ChildStart& start, const wire::Header& header) {
  wire::Reply reply;
  int failure[2] = {-1, -1};
  if (pipe2(failure, O_CLOEXEC | O_NONBLOCK) != 0) {
    reply.failed_at = wire::Stage::fork;
    reply.error = errno;
    return reply;
  }
  const Descriptor told(failure[0]);
  Descriptor telling(failure[1]);
  const Descriptor counter = count_next_child();  // before the fork: the child inherits it
  const double started = monotonic_seconds();
  const pid_t child = start_child(start, failure[1]);
  if (child < 0) {
    reply.failed_at = wire::Stage::fork;
    reply.error = errno;
  }
  telling.reset();
  start.out.reset();
  start.err.reset();
  if (child > 0) {
    Pacing pacing(header.stop_and_go, child, self.proc_root);
    const double deadline =
        header.timeout > 0 ? started + header.timeout : std::numeric_limits<double>::infinity();
    TreeMemory memory(child, self.proc_root, started);
    reply.timed_out = watch(self, child, deadline, pacing, header.adds_memory ? &memory : nullptr);
    double ended = monotonic_seconds();
    if (!reply.timed_out && header.adds_memory && has_ended(child)) {
      constexpr double kShare = 0.1, kLeast = 0.1, kMost = 0.5;  // of the time, s
      const double patience = std::fmin(std::fmax(kShare * (ended - started), kLeast), kMost);
      ended = await_background(self, child, ended, patience, reply.left_running).value_or(ended);
    }
    reply.memory_seen = memory.largest();
    reply.several_unseen = !memory.is_known() && faults_of_children(self.proc_root, child) > 0;
    reply.wall = ended - started;
    reply.stopped = pacing.stopped_until(ended);
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    take_usage(child, reply);
    StartFailure said;
    if (read(failure[0], &said, sizeof said) == static_cast<ssize_t>(sizeof said)) {
      reply.failed_at = said.stage;
      reply.error = said.error;
    }
    reply.survivors += end_descendants(self.proc_root);
    rusage all{};
    if (header.adds_time && getrusage(RUSAGE_CHILDREN, &all) == 0) {
      reply.usage.ru_utime = all.ru_utime;
      reply.usage.ru_stime = all.ru_stime;
    }
    reply.instructions = counted_instructions(counter).value_or(-1);
  }
  return reply;
}

/// Serves one request whose header has been read.
void serve(const Supervisor& self, const wire::Header& header, ChildStart& start) {
  std::string body(header.body, '\0');
  if (!wire::receive_all(self.socket, body.data(), body.size())) {
    leave(self);
  }
  start.directory = body.data();
  std::uint32_t texts = 0;
  for (std::size_t at = body.find('\0') + 1; at < body.size(); at = body.find('\0', at) + 1) {
    (texts++ < header.arguments ? start.arguments : start.environment).push_back(body.data() + at);
  }
  start.arguments.push_back(nullptr);
  start.environment.push_back(nullptr);
  const wire::Reply reply = run_child(self, start, header);
  if (!wire::send_all(self.socket, &reply, sizeof reply)) {
    leave(self);
  }
}

}  // namespace

void wire::supervise(int socket, const char* proc_root) {
  setsid();  // the terminal's Ctrl-C is for the tool, which then cancels
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  Supervisor self;
  self.socket = keep_only(socket);
  self.signals = listen_to_signals();
  self.proc_root = proc_root;
  for (;;) {
    pollfd polled[2] = {{self.socket, POLLIN, 0}, {self.signals, POLLIN, 0}};
    poll(polled, 2, -1);
    hear_signals(self);
    if (polled[0].revents == 0) {
      continue;
    }
    ChildStart start;
    const wire::Header header = hear_tool(self, start);
    if (header.kind == wire::Kind::run) {  // a late cancel is ignored
      serve(self, header, start);
    }
  }
}

}  // namespace perf

#include "collector/process/spawner.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <system_error>

#include "collector/process/capture.h"
#include "collector/process/captured_text.h"
#include "collector/process/supervisor.h"
#include "collector/this_process.h"
#include "schema/error.h"
#include "schema/files/descriptor.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// ms between checks of the supervisor, `interrupted` and bounded files while a child runs. A
/// signal to this process ends the wait at once.
constexpr int kAskInterval = 200;

/// B: with less beside the largest process (a shell, a launcher), peak_rss is the kernel's.
constexpr std::int64_t kSmallHelpers = std::int64_t{16} << 20;

/// The variables of this process with the request's on top, sorted: the block has the same order
/// and, apart from the request's, the same size on both sides of a pair.
std::vector<std::string> environment_of(const ProcessRequest& request) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && equals > 0) {
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  for (const auto& [name, value] : request.environment) {
    variables.erase(name);
    if (!value.empty()) {
      variables.emplace(name, value);
    }
  }
  return mapped(variables, [](const auto& one) { return one.first + '=' + one.second; });
}

std::string unusable(const ProcessRequest& request, const std::vector<std::string>& environment) {
  if (request.command.empty()) {
    return "the command is empty";
  }
  for (const std::vector<std::string>* texts : {&request.command, &environment}) {
    for (const std::string& text : *texts) {
      if (text.find('\0') != std::string::npos) {
        return "an argument or variable holds a NUL byte";
      }
    }
  }
  return {};
}

std::string reason_of(const wire::Reply& reply, const ProcessRequest& request) {
  const std::string why = std::generic_category().message(reply.error);
  if (reply.failed_at == wire::Stage::directory) {
    return "cannot enter " + to_one_line(request.directory.string(), PATH_MAX) + ": " + why;
  }
  std::error_code ignored;
  const std::string& program = request.command.front();
  if (reply.error == ENOENT && program.find('/') != std::string::npos &&
      std::filesystem::exists(request.directory / program, ignored)) {
    return "cannot run " + to_one_line(program) + ": its interpreter or loader does not exist";
  }
  return "cannot run " + to_one_line(program) + ": " + why;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

void take_account(const wire::Reply& reply, ProcessResult& result) {
  if (WIFEXITED(reply.status)) {
    result.exit_code = WEXITSTATUS(reply.status);
  } else if (WIFSIGNALED(reply.status)) {
    result.signal = WTERMSIG(reply.status);
  }
  result.timed_out = reply.timed_out;
  result.wall = reply.wall;
  result.stopped = reply.stopped;
  result.user = seconds(reply.usage.ru_utime);
  result.system = seconds(reply.usage.ru_stime);
  constexpr std::int64_t kMaxRssUnit = 1024;  // Linux counts ru_maxrss in KiB
  result.peak_rss = reply.usage.ru_maxrss * kMaxRssUnit;
  if (reply.memory_seen >= *result.peak_rss + kSmallHelpers) {
    result.peak_rss = reply.memory_seen;
    result.memory_of = kAllProcesses;
  } else if (reply.several_unseen) {
    result.memory_of = kLargestProcess;
  }
  result.left_running = static_cast<int>(reply.left_running);
  result.minor_faults = reply.usage.ru_minflt;
  result.major_faults = reply.usage.ru_majflt;
  result.voluntary_switches = reply.usage.ru_nvcsw;
  result.involuntary_switches = reply.usage.ru_nivcsw;
  if (reply.instructions >= 0) {
    result.instructions = reply.instructions;
  }
}

/// The path of the supervisor's program, beside the running one.
std::filesystem::path supervisor_beside(const std::filesystem::path& self) {
  return self.parent_path() / "../lib/perf-compare/perf-supervisor";
}

/// Executes that program; returns where it is missing. Without an environment, to save memory.
void become_supervisor(const std::filesystem::path& self, int socket, const char* proc_root) {
  if (self.empty()) {  // its path is unknown
    return;
  }
  const std::filesystem::path program = supervisor_beside(self);
  std::string name = program.filename(), number = std::to_string(socket), root = proc_root,
              build = PERF_COMPARE_SUPERVISOR;
  char* arguments[] = {name.data(), number.data(), root.data(), build.data(), nullptr};
  char* environment[] = {nullptr};
  fcntl(socket, F_SETFD, 0);
  execve(program.c_str(), arguments, environment);
}

/// A tool started without standard descriptors would give their numbers to sockets and files and
/// print into them. Read-only, so that printing a result fails.
void open_standard_descriptors() {
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) {
    fd = open("/dev/null", O_RDONLY);
  }
  if (fd >= 0) {
    close(fd);
  }
}

/// Continues a supervisor that a workload has stopped; whether it was.
bool keep_awake(pid_t supervisor) {
  siginfo_t stop{};
  return waitid(P_PID, static_cast<id_t>(supervisor), &stop, WSTOPPED | WNOHANG) == 0 &&
         stop.si_pid == supervisor && kill(supervisor, SIGCONT) == 0;
}

/// s after a timeout or a cancellation in which the supervisor must have ended its child and all
/// descendants; and in which it must not be stopped again and again.
constexpr double kAnswerPatience = 2 * kKillPatience + 5, kStoppedPatience = 1;

/// Moves output until the supervisor answers; nullopt when it has died. Cancels when `must_end`, if
/// given, returns true; stops when `stop` can be read. `timeout` (s; 0: none) is the child's.
std::optional<wire::Reply> attend(int socket, pid_t supervisor, double timeout, Capture& out,
                                  Capture& err, OutputLog& log,
                                  const std::function<bool()>& must_end, int stop) {
  bool cancelled = false;
  double due =
      timeout > 0 ? monotonic_seconds() + timeout : std::numeric_limits<double>::infinity();
  for (;;) {
    pollfd polled[4] = {{socket, POLLIN, 0},
                        {out.read_end(), POLLIN, 0},
                        {err.read_end(), POLLIN, 0},
                        {stop, POLLIN, 0}};
    const bool asks = must_end && !cancelled;
    const int ready = poll(polled, 4, kAskInterval);
    const bool was_stopped = keep_awake(supervisor);
    if (asks && must_end()) {
      const wire::Header cancel{wire::Kind::cancel, 0, 0, 0, {}};
      cancelled = wire::send_all(socket, &cancel, sizeof cancel);
      due = std::min(due, monotonic_seconds());
    }
    if (ready > 0 && polled[3].revents != 0) {
      const wire::Header request{wire::Kind::stop, 0, 0, 0, {}};
      wire::send_all(socket, &request, sizeof request);
      due = std::min(due, monotonic_seconds() + kStopPatience);
      stop = -1;
    }
    if (monotonic_seconds() > due + (was_stopped ? kStoppedPatience : kAnswerPatience)) {
      kill(supervisor, SIGKILL);
      return std::nullopt;
    }
    if (ready <= 0) {
      continue;
    }
    if (polled[1].revents != 0) {
      out.drain(log);
    }
    if (polled[2].revents != 0) {
      err.drain(log);
    }
    if (polled[0].revents != 0) {
      wire::Reply reply;
      if (!wire::receive_all(socket, &reply, sizeof reply)) {
        return std::nullopt;
      }
      return reply;
    }
  }
}

}  // namespace

std::filesystem::path missing_supervisor() {
#ifdef PERF_COMPARE_FORKS_ITSELF
  return {};
#else
  std::error_code ignored;
  const std::filesystem::path program = supervisor_beside(running_program());
  return std::filesystem::exists(program, ignored) ? std::filesystem::path()
                                                   : program.lexically_normal();
#endif
}

Spawner::Spawner(const char* proc_root) : proc_root_(proc_root) {
  open_standard_descriptors();
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error("cannot start the process supervisor", std::strerror(errno));
  }
  socket_ = Descriptor(ends[0]);
  const Descriptor theirs(ends[1]);
  const std::filesystem::path self = running_program();
  supervisor_ = fork();
  if (supervisor_ == 0) {
    socket_.reset();
    become_supervisor(self, ends[1], proc_root);
    wire::supervise(ends[1], proc_root);
  }
  if (supervisor_ < 0) {
    throw Error("cannot start the process supervisor", std::strerror(errno),
                "raise the limit on processes (ulimit -u)");
  }
}

Spawner::~Spawner() {
  socket_.reset();
  siginfo_t end{};
  const auto wait = [&] {
    return waitid(P_PID, static_cast<id_t>(supervisor_), &end, WEXITED | WSTOPPED);
  };
  while (retried(wait) == 0 && end.si_code == CLD_STOPPED) {
    kill(supervisor_, SIGCONT);
  }
}

void Spawner::adopt_orphans() {
  // A shell with other children may have executed this program.
  const bool alone = find_children(proc_root_) == std::vector<pid_t>{supervisor_};
  adopts_orphans_ = alone && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

void Spawner::supervisor_died() const {
  siginfo_t end{};  // not reaped: this may be called again
  retried([&] { return waitid(P_PID, static_cast<id_t>(supervisor_), &end, WEXITED | WNOWAIT); });
  if (end.si_code == CLD_EXITED && end.si_status == wire::kOtherBuild) {
    throw Error("the process supervisor is from another build", "lib/perf-compare/perf-supervisor",
                "install both programs from one build");
  }
  if (adopts_orphans_) {
    end_descendants(proc_root_);
  }
  throw Error(
      "the process supervisor has died", "perf-compare",
      "check whether the command kills or stops its parent, and the system log for the kernel's "
      "out-of-memory killer");
}

void Spawner::set_interrupted(std::function<bool()> interrupted) {
  interrupted_ = std::move(interrupted);
}

ProcessResult Spawner::run(const ProcessRequest& request) {
  if (!request.beside) {
    return run_supervised(request);
  }
  Spawner own(proc_root_);
  own.set_interrupted(interrupted_);
  own.adopts_orphans_ = adopts_orphans_;  // should its supervisor be killed
  return own.run_supervised(request);
}

ProcessResult Spawner::run_supervised(const ProcessRequest& request) {
  ProcessResult result;
  const std::vector<std::string> environment = environment_of(request);
  result.spawn_error = unusable(request, environment);
  if (!result.spawn_error.empty()) {
    return result;
  }
  const std::string directory =
      (request.directory.empty() ? std::filesystem::current_path() : request.directory).string();
  const std::string body = wire::pack(directory, request.command, environment);
  wire::Header header;
  header.arguments = static_cast<std::uint32_t>(request.command.size());
  header.body = body.size();
  header.timeout = request.timeout;
  header.adds_memory = request.adds_memory;
  header.adds_time = request.beside;
  header.stop_and_go = request.stop_and_go;

  OutputLog log(request.log, request.on_output);
  Capture out(Keep::first, request.stdout_limit);
  Capture err(Keep::last, request.stderr_limit);
  const Descriptor file = make_stdout_file(request.stdout_file);
  const int to = file ? file.number() : out.write_end();
  if (!wire::send_run(socket_.number(), header, to, err.write_end()) ||
      !wire::send_all(socket_.number(), body.data(), body.size())) {
    supervisor_died();
  }
  out.close_write_end();
  err.close_write_end();
  const auto must_end = [&] {
    return (interrupted_ && interrupted_()) ||
           std::ranges::any_of(request.bounded_files, [&](const auto& path) {
             return has_outgrown(path, request.file_limit);
           });
  };
  const bool may_have_to = interrupted_ || !request.bounded_files.empty();
  const std::optional<wire::Reply> answer =
      attend(socket_.number(), supervisor_, request.timeout, out, err, log,
             may_have_to ? std::function<bool()>(must_end) : nullptr, request.stop);
  if (!answer) {
    supervisor_died();
  }
  const wire::Reply& reply = *answer;
  out.drain(log);  // the last output; its writers have ended
  err.drain(log);
  if (reply.failed_at == wire::Stage::fork) {
    throw Error("cannot start a process", std::generic_category().message(reply.error),
                "raise the limit on processes (ulimit -u) or end some processes");
  }
  result.stdout_text = out.text();
  result.stderr_text = err.text();
  if (reply.survivors > 0) {
    result.stderr_text += "\n[perf-compare: " + std::to_string(reply.survivors) +
                          " of its processes could not be killed]\n";
  }
  if (reply.failed_at != wire::Stage::none) {
    result.spawn_error = reason_of(reply, request);
    return result;
  }
  take_account(reply, result);
  return result;
}

bool has_outgrown(const std::filesystem::path& file, std::uintmax_t limit) {
  struct stat status {};
  return lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         static_cast<std::uintmax_t>(status.st_size) > limit;
}

RunProcess make_run_process(Spawner& spawner) {
  return [&spawner](const ProcessRequest& request) { return spawner.run(request); };
}

}  // namespace perf

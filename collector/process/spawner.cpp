#include "collector/process/spawner.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <map>
#include <system_error>

#include "collector/process/capture.h"
#include "collector/process/captured_text.h"
#include "collector/process/supervisor.h"
#include "collector/process/wire.h"
#include "schema/error.h"

namespace perf {
namespace {

/// How often `interrupted` is asked while a child runs, in milliseconds. A signal to this process
/// ends the wait at once, so this bounds only flags that are set otherwise.
constexpr int kAskInterval = 200;

/// The variables of this process with the request's on top, sorted: the block has the same order
/// and, but for what the request says, the same size on both sides of a pair.
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
  std::vector<std::string> block;
  block.reserve(variables.size());
  for (const auto& [name, value] : variables) {
    std::string& entry = block.emplace_back(name);
    entry += '=';
    entry += value;
  }
  return block;
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
  result.minor_faults = reply.usage.ru_minflt;
  result.major_faults = reply.usage.ru_majflt;
  result.voluntary_switches = reply.usage.ru_nvcsw;
  result.involuntary_switches = reply.usage.ru_nivcsw;
  if (reply.instructions >= 0) {
    result.instructions = reply.instructions;
  }
}

[[noreturn]] void supervisor_died() {
  throw Error("the process supervisor has died", "perf-compare",
              "look for the kernel's out-of-memory killer in the system log, and run again");
}

/// A tool started without standard descriptors would give their numbers to sockets and files, and
/// then print into them.
void open_standard_descriptors() {
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) {
    fd = open("/dev/null", O_RDWR);
  }
  if (fd >= 0) {
    close(fd);
  }
}

}  // namespace

Spawner::Spawner(const char* proc_root) {
  open_standard_descriptors();
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error("cannot start the process supervisor", std::strerror(errno));
  }
  supervisor_ = fork();
  if (supervisor_ == 0) {
    close(ends[0]);
    supervise(ends[1], proc_root);
  }
  const int error = errno;
  close(ends[1]);
  socket_ = ends[0];
  if (supervisor_ < 0) {
    close(socket_);
    throw Error("cannot start the process supervisor", std::strerror(error),
                "raise the limit on processes (ulimit -u)");
  }
}

Spawner::~Spawner() {
  close(socket_);
  while (waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Spawner::set_interrupted(std::function<bool()> interrupted) {
  interrupted_ = std::move(interrupted);
}

namespace {

/// Moves output until the supervisor answers.
wire::Reply attend(int socket, Capture& out, Capture& err, OutputLog& log,
                   const std::function<bool()>& interrupted) {
  bool cancelled = false;
  for (;;) {
    pollfd polled[3] = {
        {socket, POLLIN, 0}, {out.read_end(), POLLIN, 0}, {err.read_end(), POLLIN, 0}};
    const bool asks = interrupted && !cancelled;
    const int ready = poll(polled, 3, asks ? kAskInterval : -1);
    if (asks && interrupted()) {
      const wire::Header cancel{wire::Kind::cancel, 0, 0, 0, {}};
      cancelled = wire::send_all(socket, &cancel, sizeof cancel);
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
        supervisor_died();
      }
      return reply;
    }
  }
}

/// The file that takes a child's standard output in place of our pipe.
class StdoutFile {
 public:
  /// Makes the file; an empty path is none. Throws Error.
  explicit StdoutFile(const std::filesystem::path& file) {
    if (file.empty()) {
      return;
    }
    // O_APPEND: who opens /dev/stdout once more overwrites nothing.
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
    file_ = open(file.c_str(), kFlags, 0600);
    if (file_ < 0) {
      throw Error("cannot make the file for a process's output",
                  file.string() + ": " + std::strerror(errno));
    }
  }
  ~StdoutFile() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  StdoutFile(const StdoutFile&) = delete;
  StdoutFile& operator=(const StdoutFile&) = delete;

  int or_else(int pipe) const { return file_ >= 0 ? file_ : pipe; }

 private:
  int file_ = -1;
};

}  // namespace

ProcessResult Spawner::run(const ProcessRequest& request) {
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
  header.stop_and_go = request.stop_and_go;

  OutputLog log(request.log);
  Capture out(Keep::first, request.stdout_limit);
  Capture err(Keep::last, request.stderr_limit);
  const StdoutFile file(request.stdout_file);
  if (!wire::send_run(socket_, header, file.or_else(out.write_end()), err.write_end()) ||
      !wire::send_all(socket_, body.data(), body.size())) {
    supervisor_died();
  }
  out.close_write_end();
  err.close_write_end();
  const wire::Reply reply = attend(socket_, out, err, log, interrupted_);
  out.drain(log);  // the last words; whoever wrote them is gone
  err.drain(log);
  if (reply.failed_at == wire::Stage::fork) {
    throw Error("cannot start a process", std::generic_category().message(reply.error),
                "raise the limit on processes (ulimit -u), or end some");
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

RunProcess make_run_process(Spawner& spawner) {
  return [&spawner](const ProcessRequest& request) { return spawner.run(request); };
}

}  // namespace perf

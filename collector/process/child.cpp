#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "collector/process/supervisor.h"

namespace perf {
namespace {

constexpr const char* kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

[[noreturn]] void give_up(int failure_pipe, wire::Stage stage, int error) {
  const StartFailure failure{stage, error};
  [[maybe_unused]] const ssize_t written = write(failure_pipe, &failure, sizeof failure);
  _exit(127);
}

void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    ::signal(signal, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// A core dump would be in the checkout, as large as the program. The program may raise the limit.
void leave_no_core() {
  rlimit core{};
  if (getrlimit(RLIMIT_CORE, &core) == 0) {
    core.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &core);
  }
}

const char* path_of(const std::vector<char*>& environment) {
  for (const char* variable : environment) {
    if (variable != nullptr && std::strncmp(variable, "PATH=", 5) == 0) {
      return variable + 5;
    }
  }
  return kDefaultPath;
}

/// execvp, but with the child's PATH, without a shell for files that are not programs, and without
/// relative folders in PATH: those are in the checkout, which is untrusted.
int execute(const ChildStart& start) {
  char* const* arguments = start.arguments.data();
  char* const* environment = start.environment.data();
  const char* name = arguments[0];
  if (std::strchr(name, '/') != nullptr || *name == '\0') {
    execve(name, arguments, environment);
    return errno;
  }
  int error = ENOENT;
  char candidate[PATH_MAX];
  for (const char* folder = path_of(start.environment); folder != nullptr;) {
    const char* end = std::strchr(folder, ':');
    const std::size_t length =
        end != nullptr ? static_cast<std::size_t>(end - folder) : std::strlen(folder);
    const int written = std::snprintf(candidate, sizeof candidate, "%.*s/%s",
                                      static_cast<int>(length), folder, name);
    if (folder[0] == '/' && written < static_cast<int>(sizeof candidate)) {
      execve(candidate, arguments, environment);
      if (errno != ENOENT && errno != ENOTDIR) {
        error = errno;
        if (errno != EACCES) {
          break;
        }
      }
    }
    folder = end != nullptr ? end + 1 : nullptr;
  }
  return error;
}

[[noreturn]] void become(const ChildStart& start, pid_t supervisor, int failure_pipe) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) {
    _exit(127);
  }
  reset_signals();
  leave_no_core();
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) {
    dup2(nothing, STDIN_FILENO);
  }
  dup2(start.out.number(), STDOUT_FILENO);
  dup2(start.err.number(), STDERR_FILENO);
  if (chdir(start.directory) != 0) {
    give_up(failure_pipe, wire::Stage::directory, errno);
  }
  give_up(failure_pipe, wire::Stage::exec, execute(start));
}

}  // namespace

pid_t start_child(const ChildStart& start, int failure_pipe) {
  const pid_t supervisor = getpid();
  const pid_t child = fork();
  if (child == 0) {
    become(start, supervisor, failure_pipe);
  }
  return child;
}

}  // namespace perf

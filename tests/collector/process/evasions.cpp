#include "evasions.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>

namespace perf::testing {
namespace {

constexpr unsigned kLongestStay = 120;  // s

[[noreturn]] void stay() {
  alarm(kLongestStay);
  for (;;) {
    pause();
  }
}

/// One process at a time that is gone before anybody can kill it: its child goes on. For ten
/// seconds at most, and last in line: this one eats processors.
[[noreturn]] void run_away() {
  constexpr int kLongestFlight = 10;  // s
  nice(10);
  const std::time_t end = std::time(nullptr) + kLongestFlight;
  while (std::time(nullptr) < end) {
    if (fork() != 0) {  // or it could not
      _exit(0);
    }
    setsid();
  }
  _exit(0);
}

/// Starts another child for each that ends; at most a hundred thousand in all.
[[noreturn]] void regrow(int children) {
  setsid();
  alarm(kLongestStay);
  int running = 0;
  for (int forked = 0; forked < 100'000; ++forked) {
    if (running++ == children) {
      wait(nullptr);
      --running;
    }
    if (fork() == 0) {
      setsid();
      stay_deaf();
    }
  }
  stay_deaf();
}

void* hold_thread(void*) {
  stay_deaf();
}

/// The first thread ends: what is left looks like a zombie, and is none.
[[noreturn]] void leave_threads(int threads) {
  for (int i = 0; i < threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, hold_thread, nullptr) != 0) {
      std::exit(99);
    }
  }
  pthread_exit(nullptr);
}

/// Its child holds it by ptrace(2), stopped.
[[noreturn]] void be_traced() {
  const pid_t self = getpid();
  if (fork() == 0) {
    ptrace(PTRACE_ATTACH, self, nullptr, nullptr);
    stay_deaf();
  }
  stay_deaf();
}

void daemonise_with_closed_pipes() {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      close_range(0, ~0U, 0);
      stay_deaf();
    }
    _exit(0);
  }
  wait(nullptr);
}

/// Waits in the kernel, deaf even to what it has not ignored, until a child that never will has
/// executed something.
[[noreturn]] void wait_in_vfork() {
  if (vfork() == 0) {
    for (;;) {
      pause();
    }
  }
  stay_deaf();
}

/// A child of its own parent: no descendant of its.
void clone_a_brother() {
  if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr) == 0) {
    setsid();
    stay_deaf();
  }
}

/// `count` children that sleep, each in a session of its own.
void breed_sleepers(int count) {
  for (int i = 0; i < count; ++i) {
    if (fork() == 0) {
      setsid();
      stay_deaf();
    }
  }
}

void take_all_limits_away() {
  for (const auto resource : {RLIMIT_CPU, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_STACK}) {
    rlimit limit{};
    getrlimit(resource, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
  }
  nice(19);
}

/// Kills who watches it, having left a daemon behind that dies with nobody.
[[noreturn]] void kill_supervisor() {
  const pid_t supervisor = getppid();
  daemonise_with_closed_pipes();
  if (supervisor > 1) {
    kill(supervisor, SIGKILL);
  }
  stay_deaf();
}

}  // namespace

void stay_deaf() {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (signal != SIGALRM) {
      std::signal(signal, SIG_IGN);
    }
  }
  stay();
}

bool evade(const std::string& way, int number) {
  if (way == "run-away") {
    for (int i = 0; i < number; ++i) {
      if (fork() == 0) {
        run_away();
      }
    }
  } else if (way == "regrow") {
    if (fork() == 0) {
      regrow(number);
    }
  } else if (way == "threads") {
    leave_threads(number);
  } else if (way == "traced") {
    be_traced();
  } else if (way == "daemon") {
    daemonise_with_closed_pipes();
  } else if (way == "vfork") {
    wait_in_vfork();
  } else if (way == "brother") {
    clone_a_brother();
  } else if (way == "sleepers") {
    breed_sleepers(number);
  } else if (way == "group") {
    if (fork() == 0) {
      setpgid(0, 0);
      stay_deaf();
    }
  } else if (way == "zombies") {
    for (int i = 0; i < number; ++i) {
      if (fork() == 0) {
        _exit(0);
      }
    }
  } else if (way == "limits") {
    take_all_limits_away();
  } else if (way == "kill-supervisor") {
    kill_supervisor();
  } else if (way == "kill-group") {
    kill(0, SIGKILL);
  } else if (way != "deaf") {
    return false;
  }
  stay_deaf();
}

}  // namespace perf::testing

#include "collector/process/stopper.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "collector/process/descendants.h"

// pidfds by system call: glibc 2.36 declares its functions without extern "C".

namespace perf {

Stopper::Stopper(pid_t child, const char* proc_root) : child_(child), proc_root_(proc_root) {}

Stopper::~Stopper() {
  for (const int process : escaped_) {
    close(process);
  }
}

void Stopper::stop(double now) {
  child_stands_ = false;
  signal_all(SIGSTOP);
  if (now - looked_ >= kLookAgain) {
    look_for_family();
    looked_ = now;
    signal_all(SIGSTOP);  // who is stopped already does not notice
  }
}

void Stopper::go() {
  signal_all(SIGCONT);
}

bool Stopper::all_stand() {
  siginfo_t info{};
  if (!child_stands_ && waitid(P_PID, static_cast<id_t>(child_), &info, WSTOPPED | WNOHANG) == 0) {
    child_stands_ = info.si_pid == child_;
  }
  return child_stands_ && std::all_of(family_.begin(), family_.end(),
                                      [this](pid_t pid) { return !may_run(proc_root_, pid); });
}

void Stopper::signal_all(int signal) {
  if (kill(-child_, signal) != 0) {
    kill(child_, signal);  // it has just been forked, and leads no group yet
  }
  for (const int process : escaped_) {
    syscall(SYS_pidfd_send_signal, process, signal, nullptr, 0);
  }
}

void Stopper::look_for_family() {
  for (const int process : escaped_) {
    close(process);
  }
  escaped_.clear();
  family_.clear();
  for (const Kin& kin : find_descendants(proc_root_)) {
    if (kin.pid == child_) {
      continue;
    }
    family_.push_back(kin.pid);
    if (kin.group != child_) {
      const auto process = static_cast<int>(syscall(SYS_pidfd_open, kin.pid, 0));
      if (process >= 0) {
        escaped_.push_back(process);
      }
    }
  }
}

}  // namespace perf

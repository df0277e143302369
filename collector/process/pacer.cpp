#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <limits>

#include "collector/process/process.h"
#include "collector/process/supervisor.h"

namespace perf {
namespace {}  // namespace

Pacer::Pacer(const StopAndGo& pace, double now)
    : pace_(pace), stretch_(pace.period / (1 + pace.share)), since_(now), next_(now + stretch_) {}

Pacer::Action Pacer::ask_to_stop(double now) {
  if (pace_.share * run_until(now) <= held_) {  // the last stop was too long
    next_ = now + stretch_;
    return Action::none;
  }
  state_ = State::stopping;
  asked_ = now;
  next_ = now + kCheckInterval;
  return Action::stop;
}

Pacer::Action Pacer::step(double now, bool stands) {
  if (state_ == State::stopping) {
    if (!stands && now - asked_ < kPatience) {
      next_ = now + kCheckInterval;
      return Action::none;
    }
    run_ += now - since_;
    since_ = now;
    state_ = State::held;
    next_ = now + std::max(pace_.share * run_ - held_, 0.0);
    return Action::none;
  }
  if (now < next_) {
    return Action::none;
  }
  if (state_ == State::running) {
    return ask_to_stop(now);
  }
  held_ += now - since_;
  since_ = now;
  state_ = State::running;
  next_ = now + stretch_;
  return Action::go;
}

double Pacer::stopped_until(double now) const {
  return held_ + (state_ == State::held ? now - since_ : 0);
}

double Pacer::run_until(double now) const {
  return run_ + (state_ == State::held ? 0 : now - since_);
}

Pacing::Pacing(const StopAndGo& pace, pid_t child, const char* proc_root)
    : wanted_(pace.wanted()),
      pacer_(pace, monotonic_seconds()),
      child_(child),
      proc_root_(proc_root) {}

double Pacing::next() const {
  return wanted_ ? pacer_.next() : std::numeric_limits<double>::infinity();
}

void Pacing::keep() {
  if (!wanted_) {
    return;
  }
  const bool stands = pacer_.is_stopping() && all_stand();
  const double now = monotonic_seconds();
  const Pacer::Action action = pacer_.step(now, stands);
  if (action == Pacer::Action::stop) {
    stop(now);
  } else if (action == Pacer::Action::go) {
    signal_all(SIGCONT);
  }
}

double Pacing::stopped_until(double now) const {
  return wanted_ ? pacer_.stopped_until(now) : 0;
}

void Pacing::stop(double now) {
  child_stands_ = false;
  signal_all(SIGSTOP);
  if (now - searched_ >= kSearchInterval) {
    find_family();
    searched_ = now;
    signal_all(SIGSTOP);  // no effect on stopped ones
  }
}

bool Pacing::all_stand() {
  siginfo_t info{};
  if (!child_stands_ && waitid(P_PID, static_cast<id_t>(child_), &info, WSTOPPED | WNOHANG) == 0) {
    child_stands_ = info.si_pid == child_;
  }
  return child_stands_ &&
         std::ranges::none_of(family_, [this](pid_t pid) { return may_run(proc_root_, pid); });
}

void Pacing::signal_all(int signal) {
  if (kill(-child_, signal) != 0) {
    kill(child_, signal);  // just forked, does not lead a group yet
  }
  for (const Descriptor& process : escaped_) {
    syscall(SYS_pidfd_send_signal, process.number(), signal, nullptr, 0);
  }
}

void Pacing::find_family() {
  escaped_.clear();
  family_.clear();
  for (const Kin& kin : find_descendants(proc_root_)) {
    if (kin.pid == child_) {
      continue;
    }
    family_.push_back(kin.pid);
    if (kin.group != child_) {
      if (Descriptor process = open_process(kin.pid)) {
        escaped_.push_back(std::move(process));
      }
    }
  }
}

}  // namespace perf

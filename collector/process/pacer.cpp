#include <algorithm>

#include "collector/process/supervisor.h"

namespace perf {

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

}  // namespace perf

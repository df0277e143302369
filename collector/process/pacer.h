#pragma once

namespace perf {

/// How a process is slowed down on purpose from outside: stopped for `share` of the time that it
/// runs, over and over.
struct StopAndGo {
  double share = 0;   ///< stopped / run: 0.15 makes it take 15 % longer; 0 = let it run
  double period = 0;  ///< s from one stop to the next

  bool wanted() const { return share > 0 && period > 0; }
};

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

}  // namespace perf

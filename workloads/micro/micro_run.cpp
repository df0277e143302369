#include "workloads/micro/micro_run.h"

#include <algorithm>
#include <cstddef>

#include "workloads/kernels/gemm_rate.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

// Beyond that, caches are out of play and more would only take longer.
constexpr double kMostRead = 256 << 20;
// A probe reads this much: 2 ms and more, long beside the clock and the start of threads.
constexpr std::size_t kLeastReadInAll = 128 << 20;

/// The rate of the limit that bounds the work, taken again and again.
class Yardstick {
 public:
  Yardstick(const Settings& settings, const MicroWork& work)
      : work_(work),
        products_(work.bound == Bound::products ? settings.count("peak-size") : 0, work.dtype),
        reading_(static_cast<std::size_t>(bytes_read(work))) {}

  void take() {
    products_.measure(1);
    reading_.probe(kLeastReadInAll);
  }

  void step(double calls, double seconds) {
    if (work_.bound == Bound::memory) {
      reading_.step(calls * work_.amount, seconds);
    }
  }

  void report(double call_seconds, StepEmitter& out) const {
    if (work_.bound == Bound::memory) {
      return reading_.report(out);
    }
    const double rate = work_.amount / call_seconds;
    out.metric("flop_rate", "flop/s", Better::higher, rate);
    report_gemm_share(rate, products_.rate(), out);
  }

 private:
  static double bytes_read(const MicroWork& work) {
    if (work.bound == Bound::products) {
      return 0;
    }
    return std::min(kMostRead, work.working_set > 0 ? work.working_set : work.amount);
  }

  const MicroWork& work_;
  GemmRate products_;
  ReadShare reading_;
};

void prepare_step(const MicroWork& work) {
  work.forward();
  if (work.backward) {
    work.backward();
  }
  if (work.spoil) {
    work.spoil();
  }
}

// Where there is no way back, one reading of the clock is enough for all calls.
void timed_calls(const MicroWork& work, std::int64_t calls, StepEmitter& out) {
  for (std::int64_t i = 0; i < calls; ++i) {
    work.forward();
    if (!work.backward) {
      continue;
    }
    out.phase("forward");
    work.backward();
    out.phase("backward");
  }
  if (!work.backward) {
    out.phase("forward");
  }
}

}  // namespace

void run_micro(const Settings& settings, const MicroWork& work, StepEmitter& out) {
  const std::int64_t calls = settings.integer("calls");
  const auto calls_of_step = static_cast<double>(calls);
  Yardstick yardstick(settings, work);
  yardstick.take();
  prepare_step(work);
  while (out.next_step()) {
    timed_calls(work, calls, out);
    out.stop_step();
    if (!out.steps().back().warmup) {
      yardstick.step(calls_of_step, out.steps().back().seconds);
    }
    yardstick.take();
    if (steps_follow(out)) {
      prepare_step(work);
    }
  }
  const double call_seconds = out.median_seconds() / calls_of_step;
  out.metric("call_time", "s", Better::lower, call_seconds);
  yardstick.report(call_seconds, out);
}

bool steps_follow(const StepEmitter& out) {
  const auto taken = static_cast<std::int64_t>(out.steps().size());
  return taken < std::int64_t{out.wanted().steps} + out.wanted().warmup;
}

std::vector<Parameter> micro_parameters(std::vector<Parameter> own,
                                        std::array<std::int64_t, 3> calls, Bound bound) {
  own.push_back(integer("calls", calls, 1, 1'000'000, "of the operation in a step"));
  if (bound == Bound::products) {
    own.push_back(integer("peak-size", {512, 512, 2048}, 0, 16384,
                          "n of the n^3 product whose rate is the yardstick; 0: none"));
  }
  return own;
}

std::vector<std::string> micro_metrics(Bound bound) {
  std::vector<std::string> names = {"call_time"};
  if (bound == Bound::products) {
    names.emplace_back("flop_rate");
  }
  const std::vector<std::string> shares =
      bound == Bound::products ? gemm_share_metrics() : ReadShare::metrics();
  names.insert(names.end(), shares.begin(), shares.end());
  return names;
}

}  // namespace perf::workloads

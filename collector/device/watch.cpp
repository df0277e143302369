#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <map>
#include <set>

#include "collector/device/devices.h"
#include "collector/device/owners.h"

namespace perf::nvml {
namespace {

constexpr double kInterval = 0.010;     // s between samples
constexpr double kShareOfCore = 0.008;  // that sampling may take: slow drivers are asked less often
constexpr double kLongestInterval = 1;
/// B: less is what a driver moves by itself.
constexpr unsigned long long kOwnMemory = 1ULL << 20U, kOthersMemory = 64ULL << 20U;

using Clocks = std::map<unsigned, long>;  // MHz -> samples

std::optional<unsigned> median(const Clocks& clocks) {
  long all = 0, seen = 0;
  for (const auto& [clock, samples] : clocks) {
    all += samples;
  }
  for (const auto& [clock, samples] : clocks) {
    seen += samples;
    if (2 * seen >= all) {
      return clock;
    }
  }
  return std::nullopt;
}

/// What one device did.
struct Watched {
  Visible at{};
  std::optional<unsigned long long> before{}, after{}, energy_before{}, energy_after{};
  unsigned long long peak = 0;
  bool counter_fell = false, lists_processes = false, used = false;
  Clocks clocks{}, busy_clocks{};  ///< while it was ours, and of that while it computed
  long samples = 0, throttled = 0;
  unsigned long long reasons = 0;
  unsigned hottest = 0;
  std::set<unsigned> hidden_first{}, hidden_last{};
};

/// Counts the processes on a device; returns whether ours are among them.
bool take_processes(const std::optional<std::vector<unsigned>>& pids, Owners& owners,
                    Watched& watched, std::map<unsigned, std::string>& others) {
  bool ours = false;
  watched.lists_processes = pids.has_value();
  watched.hidden_last.clear();
  for (const unsigned pid : pids.value_or(std::vector<unsigned>())) {
    const Owner owner = owners.of(pid);
    ours = ours || owner == Owner::ours;
    if (owner == Owner::other && !others.contains(pid)) {
      others.emplace(pid, process_name(pid));
    } else if (owner == Owner::hidden && process_name(pid).empty()) {
      watched.hidden_last.insert(pid);
    }
  }
  return ours;
}

void take_card(const Library& library, Watched& watched) {
  const Device card = watched.at.card;
  const auto clock = number(library.clock, card, kSmClock);
  const auto busy = number(library.utilization, watched.at.device);
  if (clock) {
    ++(busy && busy->gpu == 0 ? watched.clocks : watched.busy_clocks)[*clock];
  }
  if (const auto reasons = number(library.reasons, card)) {
    unsigned long long known = 0;
    for (const Reason& reason : kReasons) {
      known |= *reasons & reason.bit;
    }
    watched.reasons |= known;
    watched.throttled += known != 0 ? 1 : 0;
    ++watched.samples;
  }
  const auto heat = number(library.temperature, card, kGpuTemperature);
  watched.hottest = std::max(watched.hottest, heat.value_or(0));
}

/// The counter is of the whole card; of an instance it would contain the work of others.
void take_energy(const Library& library, Watched& watched) {
  const auto energy =
      watched.at.is_instance() ? std::nullopt : number(library.energy, watched.at.card);
  watched.counter_fell = watched.counter_fell || (energy && energy < watched.energy_after);
  watched.energy_before = watched.energy_before ? watched.energy_before : energy;
  watched.energy_after = energy;
}

class Watch {
 public:
  Watch(const Devices& devices, int own) : library_(devices.library), owners_(own) {
    for (const Visible& one : devices.visible) {
      watched_.push_back({one});
    }
  }

  /// Whether all devices can still be reached.
  bool sample() {
    for (Watched& one : watched_) {
      const bool is_first = !one.before;
      one.after = memory_used(library_, one.at.device);
      one.before = one.before ? one.before : one.after;
      one.peak = std::max(one.peak, one.after.value_or(0));
      const auto pids = processes_on(library_, one.at.device);
      bool ours = take_processes(pids, owners_, one, others_);
      if (is_first) {
        one.hidden_first = one.hidden_last;
      }
      if (!ours && !sees_processes(one)) {
        ours = one.after && *one.after > *one.before + kOwnMemory;
      }
      one.used = one.used || ours;
      if (ours) {
        take_card(library_, one);
      }
      take_energy(library_, one);
      unsigned clock = 0;
      if (library_.clock != nullptr && library_.clock(one.at.card, kSmClock, &clock) == kLost) {
        return false;
      }
    }
    return true;
  }

  void print() const;

 private:
  bool sees_processes(const Watched& one) const {
    return one.lists_processes && owners_.sees_all();
  }

  const Library& library_;
  Owners owners_;
  std::vector<Watched> watched_{};
  std::map<unsigned, std::string> others_{};
};

void Watch::print() const {
  // Of all devices in use; a value that one of them lacks is missing.
  std::optional<double> memory = 0, energy = 0;
  std::optional<unsigned> slowest;
  unsigned hottest = 0;
  long samples = 0, throttled = 0;
  unsigned long long reasons = 0;
  bool used = false, appeared = false;
  std::set<unsigned> hidden;
  for (const Watched& one : watched_) {
    if (!one.used) {
      continue;
    }
    if (!owners_.sees_all()) {  // else they have ended
      std::ranges::set_intersection(one.hidden_first, one.hidden_last,
                                    std::inserter(hidden, hidden.end()));
    }
    used = true;
    memory = memory && one.before
                 ? std::optional(*memory + static_cast<double>(one.peak - *one.before))
                 : std::nullopt;
    const bool has_energy = one.energy_before && one.energy_after && !one.counter_fell;
    energy = energy && has_energy
                 ? std::optional(*energy +
                                 1e-3 * static_cast<double>(*one.energy_after - *one.energy_before))
                 : std::nullopt;
    const auto clock = median(one.busy_clocks.empty() ? one.clocks : one.busy_clocks);
    slowest = clock && (!slowest || *clock < *slowest) ? clock : slowest;
    hottest = std::max(hottest, one.hottest);
    samples += one.samples;
    throttled += one.throttled;
    reasons |= one.reasons;
    appeared =
        appeared || (!sees_processes(one) && one.before && one.after &&
                     (*one.before > kOthersMemory || *one.after > *one.before + kOthersMemory));
  }
  if (!used) {
    return;
  }
  std::printf("used\t1\n");
  if (memory) {
    std::printf("memory\t%.0f\n", *memory);
  }
  if (energy) {
    std::printf("energy\t%.3f\n", *energy);
  }
  if (slowest) {
    std::printf("clock\t%u000000\n", *slowest);
  }
  if (hottest > 0) {
    std::printf("temperature\t%u\n", hottest);
  }
  if (samples > 0) {
    std::printf("throttled\t%.4f\n", static_cast<double>(throttled) / static_cast<double>(samples));
  }
  if (reasons != 0) {
    std::printf("reasons\t%s\n", reason_names(reasons).c_str());
  }
  for (const auto& [pid, name] : others_) {
    std::printf("other\t%u %s\n", pid, name.c_str());
  }
  for (const unsigned pid : hidden) {
    std::printf("other\t%u\n", pid);
  }
  if (appeared) {
    std::printf("appeared\t1\n");
  }
}

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Whether SIGTERM came within so many seconds.
bool is_stopped(double seconds) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  const timespec wait{
      static_cast<time_t>(seconds),
      static_cast<long>(1e9 * (seconds - static_cast<double>(static_cast<time_t>(seconds))))};
  return sigtimedwait(&stop, nullptr, &wait) == SIGTERM;
}

}  // namespace

void limit_call(int milliseconds) {
  const itimerval limit{{}, {milliseconds / 1000, milliseconds % 1000 * 1000}};
  setitimer(ITIMER_REAL, &limit, nullptr);
}

int watch(const Devices& devices, int own, int patience_ms) {
  if (!devices.problem.empty()) {
    std::printf("%s\t%s\n", devices.absent ? "absent" : "problem", devices.problem.c_str());
    return 0;
  }
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  sigprocmask(SIG_BLOCK, &stop, nullptr);
  Watch watch(devices, own);
  bool reached = true, stopped = false, is_first = true;
  const double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID), began = seconds_of(CLOCK_MONOTONIC);
  while (reached && !stopped) {
    limit_call(patience_ms);
    reached = watch.sample();
    limit_call(0);
    if (is_first) {
      std::printf("ready\n");
      std::fflush(stdout);
    }
    is_first = false;
    const double pause = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used) / kShareOfCore -
                         (seconds_of(CLOCK_MONOTONIC) - began);
    stopped = is_stopped(std::clamp(pause, kInterval, kLongestInterval));
  }
  if (!reached) {
    std::printf("problem\t%s\n", problem_of(kLost).c_str());
    return 0;
  }
  limit_call(patience_ms);
  reached = watch.sample();
  watch.print();
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace perf::nvml

// A benchmark for the tests of `selftest`: `planting_benchmark PLAY [--plant-slowdown SHARE]
// [--plant-allocation BYTES]`.
//   claims   claims its times, plants what it is asked for, and says that it can
//   deaf     the same, but plants nothing
//   works    takes real time: steps of some 20 ms of a fixed amount of work
//   hurries  the same with steps of some 0.1 ms
// All of them hold 20 MB.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>

namespace {

constexpr int kWarmup = 1, kSteps = 3;

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// So many dependent divisions that no compiler can leave out: some 10 ns each.
double seconds_of_work(int count) {
  static volatile std::uint64_t sink = 1;
  const double started = now();
  std::uint64_t value = sink;
  for (int i = 0; i < count; ++i) {
    value = 0xfffffffffffffff1u / (value % 1000 + 3) + value;
  }
  sink = value;
  return now() - started;
}

double claimed_seconds(double planted) {
  const char* seed = std::getenv("PERF_COMPARE_SEED");
  static std::mt19937_64 random(std::strtoull(seed != nullptr ? seed : "1", nullptr, 10) +
                                static_cast<std::uint64_t>(getpid()));
  std::uniform_real_distribution<double> noise(-0.005, 0.005);
  return 0.1 * (1 + planted) * (1 + noise(random));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string play = argc > 1 ? argv[1] : "";
  double slowdown = 0;
  std::size_t allocation = 0;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--plant-slowdown") == 0) {
      slowdown = std::strtod(argv[i + 1], nullptr);
    } else if (std::strcmp(argv[i], "--plant-allocation") == 0) {
      allocation = std::strtoull(argv[i + 1], nullptr, 10);
    }
  }
  const bool claims = play == "claims" || play == "deaf";
  const bool obeys = play == "claims";
  constexpr std::size_t kOwnMemory = 20'000'000;
  const std::string ballast(kOwnMemory + (obeys ? allocation : 0), 'x');
  const char* path = std::getenv("PERF_COMPARE_OUT");
  std::FILE* out = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (out == nullptr) {
    return 9;
  }
  double seconds[kWarmup + kSteps];
  for (double& step : seconds) {
    step = claims ? claimed_seconds(obeys ? slowdown : 0)
                  : seconds_of_work(play == "works" ? 2'000'000 : 10'000);
  }
  std::fprintf(out, "{\"type\":\"begin\",\"protocol\":1}\n");
  if (claims) {
    std::fprintf(out, "{\"type\":\"environment\",\"plants\":\"slowdown,allocation\"}\n");
  }
  for (int i = 0; i < kWarmup + kSteps; ++i) {
    std::fprintf(out, "{\"type\":\"step\",\"index\":%d,\"warmup\":%s,\"seconds\":%.9f}\n", i,
                 i < kWarmup ? "true" : "false", seconds[i]);
  }
  std::fprintf(out, "{\"type\":\"end\"}\n");
  return std::fclose(out) == 0 && ballast.find('y') == std::string::npos ? 0 : 9;
}

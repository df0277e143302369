#include "collector/process/device_watch.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <iterator>
#include <map>

#include "collector/machine/devices.h"
#include "collector/process/captured_text.h"
#include "collector/process/workload_runner.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr double kReadyPatience = 20;  // s; perf-device itself gives up before

Server helper_server() {
  Server server;
  server.command = {device_helper().string(), "watch", "--own", std::to_string(getpid())};
  server.ready_by = ReadyBy::line;
  server.ready = "ready\n";
  server.timeout = kReadyPatience;
  return server;
}

/// Variables for the benchmark alone (LD_PRELOAD, ...) are not for the helper.
ProcessRequest helper_request(const std::vector<std::pair<std::string, std::string>>& environment) {
  ProcessRequest request;
  request.directory = "/";
  std::ranges::copy_if(environment, std::back_inserter(request.environment),
                       [](const auto& one) { return one.first == "CUDA_VISIBLE_DEVICES"; });
  return request;
}

struct PrintedMetric {
  const char* name;
  const Metric& metric;
  double factor = 1;
};

void add_metrics(const std::map<std::string, std::string>& printed, Invocation& invocation) {
  static const std::vector<PrintedMetric> kPrinted{{"memory", kDeviceMemory},
                                                   {"energy", kDeviceEnergy},
                                                   {"clock", kDeviceClock},
                                                   {"temperature", kDeviceTemperature},
                                                   {"throttled", kDeviceThrottled, 100}};
  Block& block = invocation.blocks.front();
  for (const auto& [name, metric, factor] : kPrinted) {
    const auto found = printed.find(name);
    constexpr double kUnknown = -1;
    const double value =
        found == printed.end() ? kUnknown : parsed<double>(found->second).value_or(kUnknown);
    const bool is_memory = metric == kDeviceMemory;
    // That of a process is none of its several benchmarks'; what a benchmark reports is exact.
    const bool is_in_place =
        is_memory && (invocation.blocks.size() > 1 ||
                      std::ranges::any_of(block.metrics, [](const MetricValue& one) {
                        return one.metric.name == kDeviceMemory.name;
                      }));
    if (std::isfinite(value) && value >= 0 && !is_in_place) {
      block.metrics.push_back({metric, value * factor, is_memory});
    }
  }
}

}  // namespace

DeviceWatch::DeviceWatch(const RunProcess& run_process,
                         const std::vector<std::pair<std::string, std::string>>& environment)
    : helper_(helper_server(), helper_request(environment), run_process) {
  helper_.await();  // one that never gets ready says why at its end
}

bool DeviceWatch::finish(Invocation& invocation) {
  helper_.stop(false);
  const ProcessResult& ended = helper_.process();
  if (ended.exit_code == 0) {
    return take_device_lines(ended.stdout_text, invocation);
  }
  state_fact(invocation, kDeviceProblem,
             ended.signal == SIGALRM ? "the NVIDIA driver does not answer"
                                     : "perf-device: " + failure_of(ended, kReadyPatience));
  return false;
}

void state_fact(Invocation& invocation, const char* name, const std::string& value) {
  for (Block& block : invocation.blocks) {
    block.facts.erase(name);
  }
  if (!value.empty() && !invocation.blocks.empty()) {
    invocation.blocks.front().facts[name] = to_one_line(value);
  }
}

bool take_device_lines(std::string_view output, Invocation& invocation) {
  std::map<std::string, std::string> printed;
  std::vector<std::string> others;
  for (const auto& [name, value] : device_lines(output)) {
    if (name == "other") {
      others.push_back(to_one_line(value));
    } else {
      printed.emplace(name, value);
    }
  }
  state_fact(invocation, kThrottleReasons, printed["reasons"]);
  state_fact(invocation, kDeviceProblem, printed["problem"]);
  state_fact(invocation, kDeviceShared, printed["appeared"]);
  if (!invocation.blocks.empty()) {
    add_metrics(printed, invocation);
  }
  if (!others.empty()) {
    const std::string failed = invocation.ok() ? "" : "; " + invocation.failure;
    invocation.failure = kDeviceInUse + (": " + joined(others, ", ")) + failed;
  }
  return printed["problem"].empty();
}

}  // namespace perf

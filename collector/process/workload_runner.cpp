#include "collector/process/workload_runner.h"

#include <csignal>
#include <cstring>
#include <optional>

#include "collector/machine/devices.h"
#include "collector/machine/readings.h"
#include "collector/process/captured_text.h"
#include "collector/process/compiler_caches.h"
#include "collector/process/device_watch.h"
#include "collector/process/port.h"
#include "collector/process/server.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/workload_output.h"
#include "schema/text/lists.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// After so many invocations beside which perf-device failed, in a row, it is not started again: a
/// driver that hangs takes a second each time.
constexpr int kDeviceFailures = 2;

/// The output file of a command that a person runs.
constexpr const char* kTriedOutput = "/tmp/out";

/// s; counting makes a process slower.
double timeout_of(const Workload& workload, const Invocation& invocation) {
  return workload.timeout * (invocation.counted ? kCountingSlowdown : 1);
}

ProcessRequest request_for(const Workload& workload, const std::filesystem::path& directory,
                           const Invocation& invocation, OutputWay way, const OutputFiles& files) {
  ProcessRequest request;
  request.command = command_of(workload);
  name_output(way, files.out, request.command);
  request.stdout_file = files.standard_output;
  request.bounded_files = {files.out, files.standard_output};
  request.file_limit = kOutputLimit;
  request.directory = folder_of(workload, directory);
  request.timeout = timeout_of(workload, invocation);
  request.adds_memory = invocation.is_timed();
  request.environment = {
      {"PERF_COMPARE_OUT", files.out.string()},
      {"PERF_COMPARE_STEPS", std::to_string(invocation.steps_wanted)},
      {"PERF_COMPARE_WARMUP", std::to_string(invocation.warmup_wanted)},
      {"PERF_COMPARE_SEED", std::to_string(invocation.seed)},
      {"PERF_COMPARE_PADDING", std::string(static_cast<std::size_t>(invocation.padding), 'x')},
      {"PERF_COMPARE_CONFIG_DIR", workload.config_folder},
  };
  for (const std::string_view name : kOfOneJob) {
    request.environment.emplace_back(name, "");
  }
  request.environment.insert(request.environment.end(), workload.env.begin(), workload.env.end());
  return request;
}

/// Empty where the folder of the processes lies in the checkout, or does not exist.
std::string fault_in_cwd(const Workload& workload, const std::filesystem::path& directory) {
  std::error_code error, other;
  const std::filesystem::path top = std::filesystem::canonical(directory, error),
                              folder = std::filesystem::canonical(directory / workload.cwd, other);
  const auto apart = std::mismatch(top.begin(), top.end(), folder.begin(), folder.end());
  return workload.cwd.empty() || error || other || apart.first == top.end()
             ? std::string()
             : "cwd " + to_one_line(workload.cwd) + " leads out of the checkout, to " +
                   to_one_line(folder.string());
}

/// Fills the machine's activity meanwhile.
void take_machine(const MachineLoad& before, const MachineLoad& after, ProcessResult& process) {
  process.memory_available_before = before.memory_available;
  process.steal = growth(before.steal, after.steal);
  process.cpu_pressure = growth(before.cpu_pressure, after.cpu_pressure);
}

/// Restores parameters with {port}, which a benchmark reports as it got them.
void hide_port(const Params& given, const Params& filled, Params& reported) {
  for (const auto& [key, value] : filled) {
    const auto found = reported.find(key);
    const Param& original = given.at(key);
    if (original != value && found != reported.end() && to_text(found->second) == to_text(value)) {
      found->second = original;
    }
  }
}

std::string after_last_line(const ProcessResult& process) {
  const std::string last = last_line(process.stderr_text);
  const std::string words = last_words(process.stderr_text);
  return last.empty()    ? std::string()
         : words == last ? "; last line of stderr: " + last
                         : "; last lines of stderr: " + words;
}

/// For processes whose output is not read: they get the command's folder and variables.
ProcessRequest apart_from_command(ProcessRequest request) {
  request.stdout_file.clear();
  request.bounded_files.clear();
  request.adds_memory = false;
  request.environment.emplace_back("PERF_COMPARE_OUT", "");
  return request;
}

/// Runs `prepare` as a process of its own; returns why it failed. Its output replaces that of the
/// command, which is not run then.
std::string run_prepare(const Workload& workload, ProcessRequest request,
                        const RunProcess& run_process, ProcessResult& process) {
  if (workload.prepare.empty()) {
    return {};
  }
  request = apart_from_command(std::move(request));
  request.command = workload.prepare;
  request.timeout = workload.timeout;
  const ProcessResult done = run_process(request);
  const std::string failure = failure_of(done, request.timeout);
  if (failure.empty()) {
    return {};
  }
  process.spawn_error = done.spawn_error;
  process.stdout_text = done.stdout_text;
  process.stderr_text = done.stderr_text;
  const std::string printed = last_line(done.stdout_text);
  const bool shows_stdout = last_line(done.stderr_text).empty() && !printed.empty();
  return "prepare failed: " + failure + (shows_stdout ? "; last line of stdout: " + printed : "");
}

std::string signal_words(int signal, std::optional<std::int64_t> memory_kills) {
  const char* name = sigabbrev_np(signal);
  std::string words = "killed by signal " + std::to_string(signal);
  if (name != nullptr) {
    words += std::string(" (SIG") + name + ")";
  }
  if (signal == SIGKILL) {
    words += !memory_kills       ? ", as the kernel does when memory runs out"
             : *memory_kills > 0 ? "; the kernel killed processes for lack of memory meanwhile"
                                 : ", but not by the kernel for lack of memory";
  }
  return words;
}

}  // namespace

std::vector<std::string> command_of(const Workload& workload) {
  std::vector<std::string> command = workload.command;
  for (const auto& [key, value] : workload.params) {
    command.push_back("--" + key);
    command.push_back(to_text(value));
  }
  return command;
}

std::filesystem::path folder_of(const Workload& workload, const std::filesystem::path& directory) {
  return workload.cwd.empty() ? directory : directory / workload.cwd;
}

std::vector<std::string> words_of_run(const Workload& workload) {
  std::vector<std::string> words = command_of(workload);
  if (!workload.cwd.empty()) {
    words.insert(words.end(), {"perf-compare:cwd", workload.cwd});
  }
  for (const auto& [name, value] : workload.env) {
    words.insert(words.end(), {"perf-compare:env", name + "=" + value});
  }
  if (!workload.prepare.empty()) {
    words.emplace_back("perf-compare:prepare");
    words.insert(words.end(), workload.prepare.begin(), workload.prepare.end());
  }
  if (workload.serve) {
    words.insert(words.end(),
                 {"perf-compare:serve", std::string(to_string(workload.serve->ready_by)),
                  workload.serve->ready});
    words.insert(words.end(), workload.serve->command.begin(), workload.serve->command.end());
  }
  return words;
}

std::string what_to_try(const Workload& workload, const std::filesystem::path& directory) {
  const OutputWay way = output_way(workload);
  std::vector<std::string> command = command_of(workload);
  name_output(way, kTriedOutput, command);
  std::string line =
      kToReproduce + ("cd " + shell_word(folder_of(workload, directory).string()) + " &&");
  std::size_t left = kTriedLimit;
  const auto add = [&](const std::vector<std::string>& words) {
    for (const std::string& argument : words) {
      const std::string word = shell_word(argument);
      if (word.size() >= left) {
        line += " ...";
        return false;
      }
      line += " " + word;
      left -= word.size() + 1;
    }
    return true;
  };
  if (!workload.prepare.empty()) {
    if (!add(workload.prepare)) {
      return line;
    }
    line += " &&";
  }
  if (way == OutputWay::protocol) {
    line += std::string(" PERF_COMPARE_OUT=") + kTriedOutput;
  }
  if (!workload.config_folder.empty()) {
    line += " PERF_COMPARE_CONFIG_DIR=" + shell_word(workload.config_folder);
  }
  add(command);
  std::vector<std::string> names;  // values may be secret
  for (const auto& [name, value] : workload.env) {
    if (!names_compiler_cache(name)) {
      names.push_back(name);
    }
  }
  line += names.empty() ? "" : "  # with " + joined(names, ", ") + " of its \"env\"";
  line += workload.serve ? "  # beside its server" : "";
  return line;
}

std::string failure_of(const ProcessResult& process, double timeout,
                       std::optional<std::int64_t> memory_kills) {
  if (!process.spawn_error.empty()) {
    return "could not start: " + process.spawn_error;
  }
  if (process.timed_out) {
    return "exceeded its timeout of " + to_text(Param(timeout)) + " s and was killed" +
           after_last_line(process);
  }
  if (process.signal) {
    return signal_words(*process.signal, memory_kills) + after_last_line(process);
  }
  if (process.exit_code.value_or(0) != 0) {
    return "exit status " + std::to_string(*process.exit_code) + after_last_line(process);
  }
  return {};
}

WorkloadRunner::WorkloadRunner(RunProcess run_process, std::filesystem::path root,
                               std::filesystem::path temporary)
    : run_process_(std::move(run_process)),
      root_(std::move(root)),
      temporary_(std::move(temporary)) {}

void WorkloadRunner::run_command(const Workload& workload, const ProcessRequest& request,
                                 OutputWay way, const OutputFiles& files,
                                 const std::filesystem::path& folder, Invocation& invocation) {
  const MachineLoad before = read_machine_load(root_);
  const RunProcess run_process =
      invocation.counted ? under_callgrind(run_process_, folder, root_) : run_process_;
  invocation.process = run_process(request);
  const MachineLoad after = read_machine_load(root_);
  take_machine(before, after, invocation.process);
  invocation.failure = failure_of(invocation.process, timeout_of(workload, invocation),
                                  growth(before.memory_kills, after.memory_kills));
  const std::string large = too_large(way, files);
  if (invocation.process.signal == SIGKILL && !invocation.process.timed_out && !large.empty()) {
    invocation.failure = large + " and was killed" + after_last_line(invocation.process);
  }
  const std::string unreadable = take_output(workload, way, files, invocation);
  const ProcessResult& process = invocation.process;
  state_fact(invocation, kLeftRunning,
             process.left_running > 0 ? std::to_string(process.left_running) : "");
  state_fact(invocation, kMemoryOf, process.memory_of);
  if (invocation.failure.empty() && !unreadable.empty()) {
    invocation.failure = unreadable + after_last_line(invocation.process);
  }
  if (invocation.failure.empty() && invocation.counted && !invocation.process.instructions) {
    invocation.failure = "callgrind wrote no count" + after_last_line(invocation.process);
  }
}

void WorkloadRunner::run_served(const Workload& workload, ProcessRequest request, OutputWay way,
                                const OutputFiles& files, const std::filesystem::path& folder,
                                Invocation& invocation) {
  RunningServer server(*workload.serve, apart_from_command(request), run_process_);
  if (server.await()) {
    request.stop = server.ended();
    run_command(workload, request, way, files, folder, invocation);
  }
  if (const std::string failure = server.stop(!invocation.ok()); !failure.empty()) {
    invocation.failure = "its server failed: " + failure;
  } else if (!invocation.blocks.empty()) {
    const ProcessResult& used = server.process();
    std::vector<MetricValue>& metrics = invocation.blocks.front().metrics;
    if (used.peak_rss) {
      metrics.push_back({kServerPeakRss, static_cast<double>(*used.peak_rss), false});
    }
    if (used.user && used.system) {
      metrics.push_back({kServerCpuTime, *used.user + *used.system, false});
    }
  }
}

Invocation WorkloadRunner::run(const Workload& given, const std::filesystem::path& directory,
                               Invocation invocation) {
  const int port = given.serve ? free_port() : 0;
  const Workload workload = with_port(given, port);
  const OutputWay way = output_way(workload);
  if (way != OutputWay::protocol) {
    invocation.warmup_wanted = 0;  // warm-up steps could not be distinguished
  }
  if (way == OutputWay::nothing) {
    invocation.steps_wanted = 1;
  }
  const TemporaryFolder folder(temporary_);
  OutputFiles files;
  files.port = port;
  files.out = folder.path() / "steps.jsonl";
  if (way == OutputWay::standard_output) {
    files.standard_output = folder.path() / "stdout";
  }
  const ProcessRequest request = request_for(workload, directory, invocation, way, files);
  if (std::string fault = fault_in_cwd(workload, directory); !fault.empty()) {
    invocation.process.spawn_error = fault;
    invocation.failure = "could not start: " + fault;
  } else {
    invocation.failure = run_prepare(workload, request, run_process_, invocation.process);
  }
  std::optional<DeviceWatch> devices;
  if (invocation.failure.empty() && invocation.is_timed() && device_failures_ < kDeviceFailures &&
      may_have_devices(root_, environment_variable)) {
    devices.emplace(run_process_, request.environment);
  }
  if (invocation.failure.empty() && workload.serve) {
    run_served(workload, request, way, files, folder.path(), invocation);
  } else if (invocation.failure.empty()) {
    run_command(workload, request, way, files, folder.path(), invocation);
  }
  if (devices) {
    device_failures_ = devices->finish(invocation) ? 0 : device_failures_ + 1;
  } else if (invocation.is_timed() && device_failures_ >= kDeviceFailures) {
    state_fact(invocation, kDeviceProblem, "perf-device failed before");
  }
  for (Block& block : invocation.blocks) {
    hide_port(given.params, workload.params, block.params);
  }
  if (!invocation.ok() && !invocation.is_lost_to_others() && invocation.attempt > 1) {
    invocation.failure += "; " + what_to_try(given, directory);
  }
  return invocation;
}

}  // namespace perf

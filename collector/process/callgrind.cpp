#include <limits>
#include <string>
#include <utility>

#include "collector/machine/readings.h"
#include "collector/process/workload_output.h"
#include "collector/process/workload_runner.h"
#include "collector/this_process.h"
#include "schema/error.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr const char* kPrefix = "callgrind.";
constexpr std::size_t kCountLimit = std::size_t{32} << 20;  ///< B of its output about one process

/// LD_PRELOAD with the clock's library, which is beside the running program, first; without it
/// where it is missing or its path is unknown: some counts then vary.
std::string preloaded() {
  const std::string inherited = environment_variable("LD_PRELOAD").value_or("");
  std::error_code error;
  const std::filesystem::path self = running_program();
  const std::string library =
      (self.parent_path() / PERF_COMPARE_CLOCK_LIBRARY).lexically_normal().string();
  if (self.empty() || !std::filesystem::exists(library, error) ||
      library.find_first_of(" :") != std::string::npos) {
    return inherited;
  }
  return inherited.empty() ? library : library + ":" + inherited;
}

ProcessRequest counted(ProcessRequest request, const std::filesystem::path& folder,
                       const std::filesystem::path& root) {
  // %p: a file for each process.
  std::vector<std::string> command{"valgrind",
                                   "-q",
                                   "--tool=callgrind",
                                   "--trace-children=yes",
                                   "--command-line-only=yes",  // no .valgrindrc
                                   "--callgrind-out-file=" + (folder / kPrefix).string() + "%p"};
  command.insert(command.end(), request.command.begin(), request.command.end());
  request.command = std::move(command);
  request.environment.insert(request.environment.end(), {{"LD_PRELOAD", preloaded()},
                                                         {"OMP_NUM_THREADS", "1"},
                                                         {"OMP_WAIT_POLICY", "PASSIVE"},
                                                         {"OPENBLAS_NUM_THREADS", "1"},
                                                         {"VALGRIND_OPTS", ""}});
  if (read_small_file(root / "proc/cpuinfo").find(" avx512f") != std::string::npos) {
    request.environment.emplace_back("OPENBLAS_CORETYPE", "Haswell");
  }
  return request;
}

/// Of all processes together; absent where a total is missing or there is no file.
std::optional<std::int64_t> total_of(const std::filesystem::path& folder) {
  std::optional<std::int64_t> total;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) {
      continue;
    }
    const WrittenOutput written =
        read_written(entry.path(), kPrefix, kCountLimit, std::numeric_limits<std::size_t>::max());
    const auto instructions = instructions_in(written.text);
    if (!instructions) {
      return std::nullopt;
    }
    total = total.value_or(0) + *instructions;
  }
  return total;
}

}  // namespace

RunProcess under_callgrind(RunProcess run_process, std::filesystem::path folder,
                           std::filesystem::path root) {
  return [run_process = std::move(run_process), folder = std::move(folder),
          root = std::move(root)](const ProcessRequest& request) {
    ProcessResult result = run_process(counted(request, folder, root));
    result.instructions = total_of(folder);
    return result;
  };
}

std::optional<std::int64_t> instructions_in(std::string_view callgrind_output) {
  constexpr std::string_view kTotals = "\ntotals: ";
  const std::size_t at = callgrind_output.rfind(kTotals);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view rest = callgrind_output.substr(at + kTotals.size());
  const std::size_t end = rest.find_first_of("\n ");  // else it is truncated
  // The first event is Ir.
  const auto instructions = parsed<std::int64_t>(rest.substr(0, end));
  return end != std::string_view::npos && instructions > 0 ? instructions : std::nullopt;
}

void require_callgrind(const RunProcess& run_process) {
  const ProcessRequest request{
      .command = {"valgrind", "--version"}, .directory = "/", .timeout = 60};
  const ProcessResult result = run_process(request);
  if (result.exit_code != 0) {
    const std::string why =
        result.spawn_error.empty() ? failure_of(result, request.timeout) : result.spawn_error;
    throw Error("--count needs valgrind", why,
                "apt-get install valgrind\nor omit --count: where the processor's counters may be "
                "read, instructions are measured anyway");
  }
}

}  // namespace perf

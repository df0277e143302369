#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/process/captured_text.h"
#include "collector/process/compiler_caches.h"
#include "collector/process/port.h"
#include "collector/process/server.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/whole_file.h"
#include "collector/process/workload_runner.h"
#include "collector/trace/program.h"
#include "schema/formats/json.h"
#include "schema/json/json_record_reader.h"
#include "schema/json/json_writer.h"
#include "schema/json/record_fields.h"
#include "schema/text/fnv.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kVersion = "perf-compare trace 11";  // of what is traced and kept

/// Of one workload and build: two for each of some environments, and no more than so many bytes.
constexpr std::size_t kMostKept = 8;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{16} << 20;  // B

fs::path traces_of(const Checkout& checkout) {
  return entry_of(checkout) / "traces";
}

fs::path file_of(const Checkout& checkout, const Workload& workload, const std::string& key) {
  return traces_of(checkout) / hexadecimal(fnv1a_64(workload.name)) / hexadecimal(fnv1a_64(key));
}

/// The variables that a workload inherits, except those that every shell sets anew.
std::string inherited_variables() {
  constexpr std::array<std::string_view, 4> kOfTheShell{"_", "SHLVL", "PWD", "OLDPWD"};
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    const std::string_view name = variable.substr(0, variable.find('='));
    if (std::ranges::find(kOfTheShell, name) == kOfTheShell.end() &&
        std::ranges::find(kOfOneJob, name) == kOfOneJob.end()) {
      variables.emplace_back(variable);
    }
  }
  std::ranges::sort(variables);
  return joined(variables, std::string(1, '\0'));
}

/// What a trace depends on, beside the build.
std::string key_text(const Workload& workload, const Invocation& request) {
  const std::vector<std::string> command = words_of_run(workload);
  return std::string(kVersion) + '\0' + workload.name + '\0' + workload.format + '\0' +
         std::to_string(request.steps_wanted) + '\0' + std::to_string(request.warmup_wanted) +
         '\0' + std::to_string(request.seed) + '\0' + workload.config_folder + '\0' +
         joined(command, std::string(1, '\0')) + "\0\0" + inherited_variables();
}

Json json_of_invocation(const Invocation& invocation) {
  Json json;
  json["peak_rss"] = invocation.process.peak_rss.has_value();
  json["instructions"] = invocation.process.instructions.has_value();
  json["blocks"] = Json::array();
  for (const Block& block : invocation.blocks) {
    json["blocks"].push_back(json_of(block));
    json["blocks"].back()["timed"] =
        std::ranges::any_of(block.steps, [](const Step& step) { return !step.warmup; });
  }
  return json;
}

/// Reads what json_of_invocation kept. Steps were not kept: each timed block gets one, whose time
/// means nothing.
void read_invocation(std::string_view text, Invocation& invocation) {
  const formats::JsonValue json = formats::read_json(text, {});
  const formats::JsonObject& object = formats::as_object(json, "a trace");
  const auto has = [&](const char* name) {
    return formats::as_bool(formats::required_field(object, 0, name, "a trace"), name);
  };
  invocation.process.exit_code = 0;
  if (has("peak_rss")) {
    invocation.process.peak_rss = 1;
  }
  if (has("instructions")) {
    invocation.process.instructions = 1;
  }
  for (const formats::JsonValue& one :
       formats::as_array(formats::required_field(object, 0, "blocks", "a trace"), "blocks")) {
    Block& block = invocation.blocks.emplace_back();
    JsonRecordReader::read(one, "a block", block, Absent::is_fault);
    if (formats::as_bool(
            formats::required_field(formats::as_object(one, "a block"), 0, "timed", ""), "timed")) {
      block.steps.push_back({0, false, 1, {}});
    }
  }
}

/// The sets of paths that are kept, and the word for a path of each.
using PathsOfKind = std::pair<std::string_view, std::set<std::string> Trace::*>;
constexpr std::array<PathsOfKind, 3> kPaths{
    {{"made", &Trace::made}, {"wrote", &Trace::wrote}, {"cache", &Trace::caches}}};

// KEY '\0' OUTSIDE '\0' JSON '\0', then records that end with a NUL: "asked HOW PATH", "executed
// FOLDER" before its "program PATH", "made PATH", "wrote PATH", "cache PATH", "doubt TEXT".
std::string text_of(const std::string& key, const TracedRun& traced) {
  std::string text = hexadecimal(fnv1a_64(key)) + '\0' + traced.outside + '\0' +
                     one_line_of(json_of_invocation(traced.invocation)) + '\0';
  for (const auto& [path, how] : traced.trace.asked) {
    text += "asked " + std::to_string(how) + ' ' + path + '\0';
  }
  for (const auto& [program, folder] : traced.trace.executed) {
    text += "executed " + folder + '\0' + "program " + program + '\0';
  }
  for (const auto& [kind, paths] : kPaths) {
    for (const std::string& path : traced.trace.*paths) {
      text += std::string(kind) + ' ' + path + '\0';
    }
  }
  for (const std::string& doubt : traced.trace.doubts) {
    text += "doubt " + doubt + '\0';
  }
  return text + "end" + '\0';
}

std::string_view take_record(std::string_view& text) {
  const std::string_view record = text.substr(0, text.find('\0'));
  text.remove_prefix(std::min(record.size() + 1, text.size()));
  return record;
}

/// False for an incomplete text, or one that text_of did not write.
bool read_traced_run(std::string_view text, const std::string& key, TracedRun& traced) {
  if (take_record(text) != hexadecimal(fnv1a_64(key))) {
    return false;
  }
  traced.outside = take_record(text);
  read_invocation(take_record(text), traced.invocation);
  std::string folder;
  while (!text.empty()) {
    std::string_view record = take_record(text);
    const std::string_view kind = record.substr(0, record.find(' '));
    record.remove_prefix(std::min(kind.size() + 1, record.size()));
    if (kind == "end") {
      return text.empty();
    }
    if (kind == "asked") {
      const std::size_t space = record.find(' ');
      const auto how = parsed<unsigned>(record.substr(0, space));
      if (!how || space == std::string_view::npos) {
        return false;
      }
      traced.trace.asked.emplace(record.substr(space + 1), *how);
    } else if (kind == "executed") {
      folder = record;
    } else if (kind == "program") {
      traced.trace.executed.emplace(record, folder);
    } else if (kind == "doubt") {
      traced.trace.doubts.emplace_back(record);
    } else if (const auto found = std::ranges::find(kPaths, kind, &PathsOfKind::first);
               found != kPaths.end()) {
      (traced.trace.*found->second).emplace(record);
    } else {
      return false;
    }
  }
  return false;
}

/// Only a cache: where it cannot be written, workloads are traced again.
void keep(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  write_whole_file(file, file.string() + ".new", text, 0600);
}

/// Removes the traces that were not used for the longest time where there are too many.
void limit_kept(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> kept;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    kept.emplace_back(entry.last_write_time(error), entry.path());
  }
  std::ranges::sort(kept, std::greater());
  std::uintmax_t bytes = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::uintmax_t size = fs::file_size(kept[i].second, error);
    bytes += error ? 0 : size;
    if (i >= kMostKept || (i > 1 && bytes > kMostBytes)) {
      fs::remove(kept[i].second, error);
    }
  }
}

bool is_file(const std::string& path) {
  const std::optional<BuiltFile> there = built_file_at(path);
  return there && there->is_file();
}

/// Compilers' caches began empty, so that what is in them follows from all else that was asked for.
/// The files left there count as caches only.
void set_caches_apart(const Checkout& checkout, Trace& trace) {
  const CacheNames names(checkout);
  const auto is_in_cache = [&](const std::string& path) { return names.of(path).has_value(); };
  std::set<std::string> left;
  for (const std::string& path : trace.made) {
    if (const auto name = names.of(path); name && is_file(path)) {
      left.insert(*name);
    }
  }
  std::erase_if(trace.asked, [&](const auto& one) { return is_in_cache(one.first); });
  std::erase_if(trace.made, is_in_cache);
  std::erase_if(trace.caches, is_in_cache);
  trace.caches.merge(left);
}

}  // namespace

Trace merged(Trace one, const Trace& other) {
  for (const auto& [path, how] : other.asked) {
    one.asked[path] |= how;
  }
  one.executed.insert(other.executed.begin(), other.executed.end());
  for (const auto& [kind, paths] : kPaths) {
    (one.*paths).insert((other.*paths).begin(), (other.*paths).end());
  }
  one.doubts.insert(one.doubts.end(), other.doubts.begin(), other.doubts.end());
  one.learned.insert(other.learned.begin(), other.learned.end());
  return one;
}

TracedRun run_traced(const Workload& workload, const Checkout& checkout, Invocation request,
                     const RunProcess& run_process,
                     const std::function<std::string(const Trace&)>& outside_of,
                     const Trace& earlier) {
  const std::string key = key_text(workload, request);
  const fs::path file = file_of(checkout, workload, key);
  const auto now_outside = [&outside_of](const Trace& trace) {
    return outside_of ? outside_of(trace) : std::string();
  };
  request.traced = true;
  TracedRun traced{{}, request, {}};
  try {
    if (read_traced_run(content_of(file), key, traced) &&
        traced.outside == now_outside(traced.trace)) {
      std::error_code error;
      fs::last_write_time(file, fs::file_time_type::clock::now(), error);
      return traced;
    }
  } catch (const formats::JsonFault&) {
    // Another version's, or damaged: traced again.
  }
  const TemporaryFolder folder;
  std::vector<fs::path> logs;  // of `prepare` and of the command
  const fs::path server_log = folder.path() / "server";
  bool was_killed = false;
  WorkloadRunner runner([&](const ProcessRequest& process) {
    if (process.beside) {  // in another thread
      const ProcessResult server = under_strace(run_process, server_log)(process);
      was_killed = server.timed_out;
      return server;
    }
    logs.push_back(folder.path() / ("trace" + std::to_string(logs.size())));
    ProcessResult result = under_strace(run_process, logs.back())(process);
    constexpr const char* kCannotRun = "strace: exec: ";
    if (const std::string last = last_line(result.stderr_text); last.starts_with(kCannotRun)) {
      result.spawn_error =
          "cannot run " + process.command.front() + ": " + last.substr(std::strlen(kCannotRun));
    }
    return result;
  });
  const int port = workload.serve ? free_port() : 0;
  const Workload filled = with_port(workload, port);
  std::set<int> ports;
  if (filled.serve) {
    ports = {port, port_of(*filled.serve)};
    ports.erase(0);  // of no server; any free port in bind(2)
  }
  renew_caches(checkout);
  traced = {
      {},
      runner.run(with_own_caches(filled, checkout, request.side), checkout.directory, request),
      {}};
  if (traced.invocation.ok()) {
    std::error_code error;
    const fs::path given = folder_of(workload, checkout.directory),
                   place = fs::canonical(given, error);
    const auto read = [&](const fs::path& log) {
      return read_trace(content_of(log), error ? given : place, ports);
    };
    for (const fs::path& log : logs) {
      traced.trace = merged(std::move(traced.trace), read(log));
    }
    if (workload.serve) {
      if (was_killed) {  // and strace, before it had written all
        traced.trace.doubts.emplace_back("its server had to be killed");
      }
      traced.trace = merged(std::move(traced.trace), read(server_log));
    }
    std::erase_if(traced.trace.caches, [](const std::string& path) { return !is_file(path); });
    set_caches_apart(checkout, traced.trace);
    traced.trace.made.insert(earlier.made.begin(), earlier.made.end());
    traced.trace.caches.insert(earlier.caches.begin(), earlier.caches.end());
    traced.outside = now_outside(traced.trace);
    keep(file, text_of(key, traced));
    limit_kept(file.parent_path());
  }
  return traced;
}

bool has_kept(const Workload& workload, const Checkout& checkout, const Invocation& request) {
  return is_file(file_of(checkout, workload, key_text(workload, request)));
}

std::string reported_by(Invocation done) {
  for (Block& block : done.blocks) {
    for (MetricValue& metric : block.metrics) {
      metric.value = 0;
    }
    for (Check& check : block.checks) {
      check.error.reset();
    }
  }
  return one_line_of(json_of_invocation(done));
}

std::optional<std::uint64_t> traced_with_seed(const Checkout& checkout) {
  return parsed<std::uint64_t>(content_of(traces_of(checkout) / "seed"));
}

void remember_seed(const Checkout& checkout, std::uint64_t seed) {
  keep(traces_of(checkout) / "seed", std::to_string(seed));
}

}  // namespace perf

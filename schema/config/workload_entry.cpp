#include <algorithm>
#include <filesystem>
#include <set>

#include "schema/config/fields.h"
#include "schema/formats/foreign.h"
#include "schema/text/lists.h"
#include "schema/text/nearest_name.h"
#include "schema/text/text_parts.h"
#include "schema/workload_name.h"

namespace perf::config {
namespace {

std::string read_workload_name(const JsonValue& value, std::string_view key) {
  const std::string& name = formats::as_text(value, key);
  if (const std::string fault = fault_in_workload_name(name); !fault.empty()) {
    throw JsonFault{value.offset, "the workload name " + in_quotes(name) + " " + fault,
                    "use a name such as parser or micro/matmul-128"};
  }
  return name;
}

std::string read_format(const JsonValue& value, std::string_view key) {
  const std::string& format = formats::as_text(value, key);
  std::vector<std::string_view> known = formats::foreign_formats();
  known.push_back(kProcessFormat);
  if (std::ranges::find(known, format) == known.end()) {
    throw JsonFault{value.offset, "unknown format " + in_quotes(format), instead_of(format, known)};
  }
  return format;
}

std::map<std::string, std::optional<Params>> read_sizes(const JsonValue& value,
                                                        std::string_view key) {
  std::map<std::string, std::optional<Params>> sizes;
  for (const JsonMember& member : formats::as_object(value, key)) {
    const std::string size = read_size(member.name, member.offset);
    const bool* wanted = std::get_if<bool>(&member.value.data);
    if (wanted != nullptr && *wanted) {
      throw JsonFault{member.value.offset,
                      "size " + in_quotes(size) + " must be false or an object of parameters",
                      "leave it out, or write {}: every size is run unless it is false"};
    }
    if (wanted == nullptr) {
      sizes[size] = read_options(member.value, "the parameters of size " + size);
    } else {
      sizes[size] = std::nullopt;
    }
  }
  return sizes;
}

std::map<std::string, double> read_metrics(const JsonValue& value, std::string_view key) {
  const Thresholds thresholds = read_metric_thresholds(value, key);
  return {thresholds.begin(), thresholds.end()};
}

double read_seconds(const JsonValue& value, std::string_view key) {
  constexpr double kMost = 1e9;
  const double seconds = formats::as_number(value, key);
  if (!(seconds > 0 && seconds <= kMost)) {
    throw JsonFault{value.offset, "seconds must be above 0 and at most 10^9",
                    "write the time that measuring the workload takes, such as 12.5"};
  }
  return seconds;
}

/// A folder below the checkout, without `.` parts. Links are resolved when it is entered.
std::string read_cwd(const JsonValue& value, std::string_view key) {
  const std::string& text = read_text(value, key);
  const std::filesystem::path given = text;
  const bool leads_up =
      std::any_of(given.begin(), given.end(), [](const auto& part) { return part == ".."; });
  if (given.is_absolute() || leads_up) {
    throw JsonFault{value.offset,
                    std::string(key) + " must lie inside the checkout, got " + in_quotes(text),
                    "write a folder relative to the top of the checkout, such as \"bench\""};
  }
  const std::filesystem::path folder = (given / "").lexically_normal().parent_path();
  return folder == "." ? std::string() : folder.string();
}

/// {"OMP_NUM_THREADS": "4"}
std::map<std::string, std::string> read_env(const JsonValue& value, std::string_view key) {
  constexpr std::string_view kOwn = "PERF_COMPARE_";
  std::map<std::string, std::string> variables;
  for (const JsonMember& member : formats::as_object(value, key)) {
    if (member.name.empty() || member.name.find('=') != std::string::npos) {
      throw JsonFault{member.offset, "invalid variable name " + in_quotes(member.name)};
    }
    if (member.name.starts_with(kOwn)) {
      throw JsonFault{
          member.offset, std::string(key) + " must not set " + in_quotes(member.name),
          "use another name: perf-compare sets the variables that begin with " + std::string(kOwn)};
    }
    variables[member.name] = formats::as_text(member.value, "variable " + in_quotes(member.name));
  }
  return variables;
}

constexpr std::string_view kPort = "{port}";

/// A port from 1 to 65535, as a number or text, or {port}.
std::string read_port(const JsonValue& value, std::string_view key) {
  const std::string* text = std::get_if<std::string>(&value.data);
  if (text != nullptr && *text == kPort) {
    return *text;
  }
  constexpr std::int64_t kLargest = 65535;
  const std::int64_t port = formats::as_integer(value, key);
  if (port < 1 || port > kLargest) {
    throw JsonFault{value.offset,
                    std::string(key) + " must be from 1 to 65535, got " + std::to_string(port)};
  }
  return std::to_string(port);
}

/// A URL of this machine: another one may be slow, and is not stopped.
std::string read_url(const JsonValue& value, std::string_view key) {
  const std::string& url = read_text(value, key);
  for (const std::string_view start : {"http://localhost", "http://127.0.0.1", "http://[::1]"}) {
    if (!url.starts_with(start)) {
      continue;
    }
    const std::string rest = url.substr(start.size());
    const std::string port = rest.starts_with(':') ? rest.substr(1, rest.find('/') - 1) : "80";
    const auto number = parsed<int>(port);
    const bool has_port = port == kPort || (number && *number > 0 && *number <= 65535);
    const bool is_one_line =
        std::ranges::none_of(url, [](unsigned char byte) { return byte <= ' '; });
    if ((rest.empty() || rest.front() == ':' || rest.front() == '/') && has_port && is_one_line) {
      return url;
    }
  }
  throw JsonFault{value.offset,
                  std::string(key) + " is not a URL of this machine: " + in_quotes(url),
                  "write it as http://localhost:{port}/health"};
}

/// {"tcp": 5432}, {"http": URL}, {"line": TEXT} or {"file": PATH}
void read_ready(const JsonValue& value, std::string_view key, Server& server) {
  std::string port, url, line, file;
  read_keys(value, std::string(key), [&](Keys& keys) {
    keys("tcp", port, read_port);
    keys("http", url, read_url);
    keys("line", line, read_text);
    keys("file", file, read_text);
  });
  const JsonObject& object = formats::as_object(value, key);
  if (object.size() != 1) {
    throw JsonFault{value.offset, std::string(key) + " must have one key",
                    R"(write {"tcp": "{port}"}, or "http", "line" or "file")"};
  }
  server.ready_by = *named<ReadyBy>(object.front().name);
  server.ready = port + url + line + file;
}

Server read_server(const JsonValue& value, std::string_view key) {
  Server server;
  int ignored = 0;
  read_keys(value, std::string(key), [&](Keys& keys) {
    keys.required("command", server.command, read_command);
    keys.required("ready", ignored, [&](const JsonValue& ready, std::string_view name) {
      read_ready(ready, name, server);
      return 0;
    });
    keys("timeout", server.timeout, read_duration);
  });
  return server;
}

ConfiguredWorkload read_workload(const JsonValue& value) {
  ConfiguredWorkload entry;
  Workload& workload = entry.workload;
  read_keys(value, "a workload", [&](Keys& keys) {
    keys.required("name", workload.name, read_workload_name);
    keys.where = "workload " + in_quotes(workload.name);
    keys.required("command", workload.command, read_command);
    keys("format", workload.format, read_format);
    keys("params", workload.params, read_options);
    keys("sizes", entry.sizes, read_sizes);
    keys("timeout", workload.timeout, read_duration);
    keys("metrics", entry.metric_thresholds, read_metrics);
    keys("inputs", workload.inputs, read_globs);
    keys("seconds", workload.seconds, read_seconds);
    keys("cwd", workload.cwd, read_cwd);
    keys("env", workload.env, read_env);
    keys("prepare", workload.prepare, read_command);
    keys("serve", workload.serve, read_server);
  });
  return entry;
}

/// Workloads with names like children of this one.
std::vector<std::string> names_below(const std::string& name,
                                     const std::vector<ConfiguredWorkload>& workloads) {
  std::vector<std::string> below;
  for (const ConfiguredWorkload& other : workloads) {
    if (other.workload.name.rfind(name + "/", 0) == 0) {
      below.push_back(other.workload.name);
    }
  }
  return below;
}

}  // namespace

std::vector<ConfiguredWorkload> read_workloads(const JsonValue& value, std::string_view key) {
  std::vector<ConfiguredWorkload> workloads;
  std::set<std::string> seen;
  for (const JsonValue& item : formats::as_array(value, key)) {
    workloads.push_back(read_workload(item));
    const std::string& name = workloads.back().workload.name;
    if (!seen.insert(name).second) {
      throw JsonFault{item.offset, "duplicate workload " + in_quotes(name),
                      "give each workload its own name"};
    }
  }
  return workloads;
}

std::vector<ThresholdRule> rules_of(const std::vector<ConfiguredWorkload>& workloads) {
  auto by_length = mapped(workloads, [](const ConfiguredWorkload& entry) { return &entry; });
  // Later rules win: `a/b` is nearer to `a/b/c` than `a` is, and a workload's own rule nearest.
  std::ranges::stable_sort(
      by_length, {}, [](const ConfiguredWorkload* entry) { return entry->workload.name.size(); });
  std::vector<ThresholdRule> rules;
  for (const ConfiguredWorkload* entry : by_length) {
    const std::string& name = entry->workload.name;
    const std::vector<std::string> others = names_below(name, workloads);
    for (const auto& [metric, threshold] : entry->metric_thresholds) {
      rules.push_back({name + "/*", metric, threshold, others});
    }
  }
  for (const ConfiguredWorkload* entry : by_length) {
    for (const auto& [metric, threshold] : entry->metric_thresholds) {
      rules.push_back({entry->workload.name, metric, threshold});
    }
  }
  return rules;
}

}  // namespace perf::config

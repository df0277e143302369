#include "collector/process/workload_output.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "collector/process/captured_text.h"
#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/files/descriptor.h"
#include "schema/formats/foreign.h"
#include "schema/formats/steps.h"
#include "schema/text/nearest_name.h"

namespace perf {
namespace {

constexpr std::string_view kOut = "{out}";
/// B of standard output that the invocation keeps, as for output through a pipe.
constexpr std::size_t kShown = 1 << 16;

bool names_output(const std::string& argument) {
  return argument.find(kOut) != std::string::npos;
}

bool has_output_name(const Workload& workload) {
  const auto in_param = [](const auto& param) { return names_output(to_text(param.second)); };
  return std::ranges::any_of(workload.command, names_output) ||
         std::ranges::any_of(workload.params, in_param);
}

const char* name_of_out(OutputWay way) {
  return way == OutputWay::named_file ? kOut.data() : "PERF_COMPARE_OUT";
}

constexpr const char* kStandardOutput = "standard output";

std::string more_than(const std::string& amount, const std::string& name) {
  return "it wrote more than " + amount + " to " + name;
}

std::string in_mib(std::size_t limit) {
  return std::to_string(limit >> 20) + " MiB";
}

/// The number of values that a text may have: bytes that end or begin one.
std::size_t values_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return byte == ',' || byte == '[' || byte == '{' || byte == '\n'; }));
}

/// It is not a failure of the workload.
Error disk_fault(const std::string& name, const std::filesystem::path& file) {
  return {"cannot read the output of a workload",
          name + ", " + file.string() + ": " + std::strerror(errno),
          "check the disk, or set TMPDIR to another folder"};
}

/// Stores the result of `read` in the blocks; returns a failure, or an empty text.
template <class Read>
std::string take_blocks(const WrittenOutput& written, const std::string& format, const Read& read,
                        Invocation& invocation) {
  if (!written.failure.empty()) {
    return written.failure;
  }
  try {
    invocation.blocks = read(written.text);
  } catch (const Error& error) {
    return "its output is not in the format " + format + ": " + error.subject + ": " + error.what;
  }
  return {};
}

std::string take_foreign(const Workload& workload, const WrittenOutput& written,
                         const std::string& name, Invocation& invocation) {
  const auto read = [&](const std::string& text) {
    return formats::read_foreign_blocks(workload.format, text, name);
  };
  return take_blocks(written, workload.format, read, invocation);
}

/// Each process gets another port, but a benchmark that is named after a URL must keep its name.
void hide_port(int port, std::string& text) {
  for (const std::string_view host : {"localhost:", "127.0.0.1:", "[::1]:"}) {
    const std::string whole = std::string(host) + std::to_string(port);
    for (std::size_t at = 0; port != 0 && (at = text.find(whole, at)) != std::string::npos;) {
      at += host.size();
      const std::size_t end = at + whole.size() - host.size();
      if (end == text.size() || text[end] < '0' || text[end] > '9') {
        text.replace(at, end - at, "{port}");
      }
    }
  }
}

WrittenOutput read_output(const OutputFiles& files, const std::filesystem::path& file,
                          const std::string& name) {
  WrittenOutput written = read_written(file, name);
  hide_port(files.port, written.text);
  return written;
}

std::string take_standard_output(const Workload& workload, const OutputFiles& files,
                                 Invocation& invocation) {
  const WrittenOutput written = read_output(files, files.standard_output, kStandardOutput);
  const std::string_view text = written.text;
  invocation.process.stdout_text =
      to_valid_text(text.substr(text.size() - std::min(text.size(), kShown)));
  return take_foreign(workload, written, kStandardOutput, invocation);
}

void take_wall(const Workload& workload, Invocation& invocation) {
  const ProcessResult& process = invocation.process;
  if (process.exit_code != 0 || process.timed_out) {
    return;
  }
  Step step;
  step.seconds = process.wall;
  Block block;
  block.workload = workload.name;
  block.params = workload.params;
  block.steps = {step};
  const auto add = [&block](const char* name, const std::optional<double>& seconds) {
    if (seconds) {
      block.metrics.push_back({{name, "s", Better::lower}, *seconds, false});
    }
  };
  add("user_time", process.user);
  add("system_time", process.system);
  invocation.blocks = {std::move(block)};
}

}  // namespace

WrittenOutput read_written(const std::filesystem::path& file, const std::string& name,
                           std::size_t limit, std::size_t values) {
  const Descriptor opened =
      open_file(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!opened && is_system_fault(errno)) {
    throw disk_fault(name, file);
  }
  if (!opened) {
    return {{},
            errno == ENOENT  ? name + " was not written"
            : errno == ELOOP ? name + " is a symbolic link"
                             : "cannot read " + name + ": " + std::strerror(errno)};
  }
  struct stat status {};
  if (fstat(opened.number(), &status) != 0) {
    throw disk_fault(name, file);
  }
  if (!S_ISREG(status.st_mode)) {
    return {{}, name + " is not a regular file"};
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) {
    return {{}, more_than(in_mib(limit), name)};
  }
  WrittenOutput written;
  written.text.reserve(size);
  constexpr std::size_t kPiece = 1 << 16;
  for (std::size_t done = 0, found = 0; done < size; done += kPiece) {
    if (read_up_to(opened.number(), std::min(done + kPiece, size), written.text) != 0) {
      throw disk_fault(name, file);
    }
    found += values_in(std::string_view(written.text).substr(std::min(done, written.text.size())));
    if (found > values) {
      return {{}, more_than("1,000,000 values", name)};
    }
  }
  return written;
}

OutputWay output_way(const Workload& workload) {
  if (workload.format == kStepsFormat) {
    return OutputWay::protocol;
  }
  if (workload.format == kProcessFormat) {
    return OutputWay::nothing;
  }
  std::vector<std::string_view> known = formats::foreign_formats();
  if (std::ranges::find(known, workload.format) == known.end()) {
    known.push_back(kProcessFormat);
    throw UsageError("unknown output format of " + workload.name, workload.format,
                     instead_of(workload.format, known));
  }
  return has_output_name(workload) ? OutputWay::named_file : OutputWay::standard_output;
}

void name_output(OutputWay way, const std::filesystem::path& file,
                 std::vector<std::string>& command) {
  if (way != OutputWay::named_file) {
    return;
  }
  const std::string name = file.string();
  for (std::string& argument : command) {
    for (std::size_t at = argument.find(kOut); at != std::string::npos;
         at = argument.find(kOut, at + name.size())) {
      argument.replace(at, kOut.size(), name);
    }
  }
}

std::string too_large(OutputWay way, const OutputFiles& files) {
  return has_outgrown(files.standard_output, kOutputLimit)
             ? more_than(in_mib(kOutputLimit), kStandardOutput)
         : has_outgrown(files.out, kOutputLimit) ? more_than(in_mib(kOutputLimit), name_of_out(way))
                                                 : std::string();
}

std::string take_output(const Workload& workload, OutputWay way, const OutputFiles& files,
                        Invocation& invocation) {
  switch (way) {
    case OutputWay::protocol:
      return take_blocks(read_output(files, files.out, name_of_out(way)), "steps",
                         formats::read_steps, invocation);
    case OutputWay::standard_output:
      return take_standard_output(workload, files, invocation);
    case OutputWay::named_file: {
      const std::string name = name_of_out(way);
      return take_foreign(workload, read_output(files, files.out, name), name, invocation);
    }
    case OutputWay::nothing:
      take_wall(workload, invocation);
      break;
  }
  return {};
}

}  // namespace perf

#include "ci/cli/output/output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "ci/cli/run/signals.h"
#include "collector/postgres/address.h"
#include "collector/process/process.h"
#include "collector/process/whole_file.h"
#include "collector/this_process.h"
#include "reporter/escape/terminal.h"
#include "reporter/escape/visible.h"
#include "schema/files/content.h"
#include "schema/files/descriptor.h"
#include "schema/files/hold.h"

namespace perf {
namespace {

constexpr const char* kCheckFolder =
    "check the disk and the permissions of the folder; the results are in the store";

[[noreturn]] void throw_write_error(const std::string& file, const std::error_code& why) {
  throw Error("the report could not be written", file + ": " + why.message(), kCheckFolder);
}

void write_standard_output(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno != EPIPE) {
    throw_write_error("standard output", {errno, std::generic_category()});
  }
}

/// The second after a signal in which a slow reader may still read.
class SignalGrace {
 public:
  bool is_over() {
    if (interruption() == 0) {
      return false;
    }
    if (!end_) {
      end_ = monotonic_seconds() + 1;
    }
    return monotonic_seconds() >= *end_;
  }

 private:
  std::optional<double> end_;
};

/// A pipe with a name, whose reader may come later; unlike /dev/stdout.
bool is_named_pipe(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_fifo(std::filesystem::symlink_status(file, ignored));
}

/// Does not block in the kernel, which would swallow the signal. Empty, with errno, on failure.
Descriptor open_for_reader(const std::string& file) {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  constexpr int kPollInterval = 20;  // ms
  Descriptor opened = open_file(file, kFlags);
  if (opened || errno != ENXIO || !is_named_pipe(file)) {
    return opened;
  }
  std::fputs(("note: waiting for a reader of " + reporter::terminal_text(file) + "\n").c_str(),
             stderr);
  SignalGrace grace;
  do {
    poll(nullptr, 0, kPollInterval);
    opened = open_file(file, kFlags);
  } while (!opened && errno == ENXIO && !grace.is_over());
  return opened;
}

std::error_code write_patiently(int file, std::string_view text) {
  constexpr int kPollInterval = 100;  // ms
  for (SignalGrace grace; !text.empty();) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      grace = {};
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
      return last_error();
    } else if (grace.is_over()) {
      return std::make_error_code(std::errc::timed_out);
    } else {
      pollfd polled{file, POLLOUT, 0};
      poll(&polled, 1, kPollInterval);
    }
  }
  return {};
}

/// Appends to an existing file, pipe or device. Waits for the reader of a named pipe, and for a
/// slow one, until a second after a signal. Without a reader: no_such_device_or_address or
/// timed_out.
std::error_code write_for_reader(const std::string& file, std::string_view text) {
  Descriptor opened = open_for_reader(file);
  if (!opened) {
    return last_error();
  }
  std::error_code failed = write_patiently(opened.number(), text);
  if (opened.reset() != 0 && !failed && errno != EINTR) {
    failed = last_error();
  }
  return failed;
}

void write_into(const std::string& file, const std::string& text) {
  const std::error_code failed = write_for_reader(file, text);
  if (!failed) {
    return;
  }
  std::error_code ignored;
  if (std::filesystem::is_fifo(std::filesystem::status(file, ignored)) &&
      (failed == std::errc::no_such_device_or_address || failed == std::errc::timed_out)) {
    throw Error("the report could not be written", file + ": no reader of this pipe",
                "read the pipe, or pass a file; the results are in the store");
  }
  throw_write_error(file, failed);
}

/// Creates the folder if it is missing; its other files stay.
void write_plots(const std::string& folder, const std::vector<Picture>& pictures) {
  std::error_code failed;
  std::filesystem::create_directory(folder, failed);
  if (failed) {
    throw Error("the pictures could not be written", folder + ": " + failed.message(),
                kCheckFolder);
  }
  for (const Picture& picture : pictures) {
    write_text((std::filesystem::path(folder) / (picture.name + ".svg")).string(), picture.svg);
  }
}

/// Whether standard output should get colours.
bool wants_color(const Options& options) {
  if (options.color != "auto") {
    return options.color == "always";
  }
  return isatty(STDOUT_FILENO) == 1 && environment_variable("TERM") != "dumb" &&
         environment_variable("NO_COLOR").value_or("").empty();  // https://no-color.org
}

/// Whether a report goes to standard output, instead of the terminal report.
bool takes_standard_output(const Options& options) {
  return std::ranges::any_of(
      kOutputFormats, [&](const OutputFormat& format) { return options.*format.file == "-"; });
}

}  // namespace

void attempt(const std::function<void()>& write, std::vector<Error>& errors) {
  try {
    write();
  } catch (const Error& error) {
    errors.push_back(error);
  }
}

bool is_written_into(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::symlink_status(file, ignored);
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return folder == "/dev" || folder == "/dev/fd" || file.starts_with("/proc/") ||
         (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there) &&
          !std::filesystem::is_symlink(there));
}

void write_text(const std::string& file, const std::string& text) {
  if (file == "-") {
    return write_standard_output(text);
  }
  if (is_written_into(file)) {
    return write_into(file, text);
  }
  sweep_parts(file, ".part-");
  const std::string fresh = file + ".part-" + std::to_string(getpid());
  if (const std::error_code failed = write_whole_file(file, fresh, text, 0666)) {
    throw_write_error(file, failed);
  }
}

std::vector<Error> write_outputs(const Renderings& renderings, const Options& options) {
  std::vector<Error> errors;
  if (!takes_standard_output(options)) {
    attempt([&] { write_text("-", renderings.terminal(wants_color(options))); }, errors);
  }
  for (const OutputFormat& format : kOutputFormats) {
    const std::string& file = options.*format.file;
    assert(file.empty() ||
           renderings.*format.text);  // else the command lacks a renderer for its option
    if (!file.empty()) {
      attempt([&] { write_text(file, (renderings.*format.text)()); }, errors);
    }
  }
  if (!options.plots.empty()) {
    attempt([&] { write_plots(options.plots, renderings.plots()); }, errors);
  }
  if (options.github) {
    write_for_github(renderings.github, takes_standard_output(options), errors);
  }
  return errors;
}

std::string error_text(const Error& error) {
  constexpr std::size_t kLongestLine = 8192;  // columns: the longest path, and words
  const auto line_of = [](const std::string& text) {
    return reporter::shortened(reporter::terminal_text(text), kLongestLine) + "\n";
  };
  std::string text =
      "error: " + line_of(error.what + (error.subject.empty() ? "" : ": " + error.subject));
  std::istringstream hint(error.hint);
  const char* label = "hint: ";
  for (std::string line; std::getline(hint, line); label = "      ") {
    text += label + line_of(line);
  }
  return text;
}

void print_error(const Error& error) {
  Error shown = error;
  if (met_file_size_limit()) {
    shown.hint = "raise the limit on the size of files (ulimit -f), which a write exceeded" +
                 (error.hint.empty() ? "" : "\n" + error.hint);
  }
  for (std::string* const text : {&shown.what, &shown.subject, &shown.hint}) {
    *text = postgres::masked_text(*text);  // any of them may contain an address
  }
  std::fputs(error_text(shown).c_str(), stderr);
}

}  // namespace perf

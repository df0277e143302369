#include "ci/cli/output.h"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "ci/cli/github_actions.h"
#include "reporter/escape/terminal.h"

namespace perf {
namespace {

[[noreturn]] void throw_write_error(const std::string& file) {
  throw Error("the report could not be written", file + ": " + std::strerror(errno),
              "the results are kept in the store; check the disk and the rights of the folder");
}

void write_standard_output(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno != EPIPE)
    throw_write_error("standard output");
}

/// The folder is made where there is none; what it holds already stays.
void write_plots(const std::string& folder, const std::vector<Picture>& pictures) {
  std::error_code failed;
  std::filesystem::create_directory(folder, failed);
  if (failed)
    throw Error("the pictures could not be written", folder + ": " + failed.message(),
                "the results are kept in the store; check the disk and the rights of the folder");
  for (const Picture& picture : pictures)
    write_text((std::filesystem::path(folder) / (picture.name + ".svg")).string(), picture.svg);
}

}  // namespace

void attempt(const std::function<void()>& write, std::vector<Error>& errors) {
  try {
    write();
  } catch (const Error& error) {
    errors.push_back(error);
  }
}

void write_text(const std::string& file, const std::string& text) {
  if (file == "-")
    return write_standard_output(text);
  // A pipe or a device cannot be replaced by a rename: write straight into it.
  std::error_code ignored;
  const bool special =
      std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored);
  const std::string target = special ? file : file + ".part-" + std::to_string(getpid());
  std::ofstream stream(target, std::ios::binary | std::ios::trunc);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream || (!special && std::rename(target.c_str(), file.c_str()) != 0)) {
    const int reason = errno;
    if (!special)
      std::filesystem::remove(target, ignored);
    errno = reason;
    throw_write_error(file);
  }
}

bool wants_color(const Options& options) {
  if (options.color != "auto")
    return options.color == "always";
  const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

bool takes_standard_output(const Options& options) {
  return std::any_of(kOutputFormats.begin(), kOutputFormats.end(),
                     [&](const OutputFormat& format) { return options.*format.file == "-"; });
}

std::vector<Error> write_outputs(const Renderings& renderings, const Options& options) {
  std::vector<Error> errors;
  if (!takes_standard_output(options))
    attempt([&] { write_text("-", renderings.terminal(wants_color(options))); }, errors);
  for (const OutputFormat& format : kOutputFormats) {
    const std::string& file = options.*format.file;
    assert(file.empty() || renderings.*format.text);  // else the command should have no such option
    if (!file.empty())
      attempt([&] { write_text(file, (renderings.*format.text)()); }, errors);
  }
  if (!options.plots.empty())
    attempt([&] { write_plots(options.plots, renderings.plots()); }, errors);
  if (options.github) {
    for (Error& error : tell_github(renderings.github, takes_standard_output(options)))
      errors.push_back(std::move(error));
  }
  return errors;
}

void print_error(const Error& error) {
  std::string text = "error: " + reporter::terminal_text(error.what + ": " + error.subject) + "\n";
  std::istringstream hint(error.hint);
  const char* label = "  try: ";
  for (std::string line; std::getline(hint, line); label = "       ")
    text += label + reporter::terminal_text(line) + "\n";
  std::fputs(text.c_str(), stderr);
}

}  // namespace perf

#include "ci/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "reporter/escape/terminal.h"
#include "reporter/render.h"

namespace perf {
namespace {

void check_file(const std::string& option, const std::string& file) {
  if (file.empty() || file == "-")
    return;
  const std::filesystem::path path(file);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (std::filesystem::is_directory(path))
    throw UsageError("a folder stands where the report should go", option + " " + file,
                     "name a file in it");
  if (!std::filesystem::is_directory(folder))
    throw UsageError("there is no such folder", option + " " + file, "mkdir -p " + folder.string());
  if (access(folder.c_str(), W_OK) != 0)
    throw UsageError("the report may not be written there", option + " " + file,
                     "name a file in another folder");
}

/// A device, such as /dev/null, may take two.
bool is_one_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  const auto place = [&ignored](const std::string& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
  };
  const std::filesystem::path one = place(a);
  return one == place(b) &&
         (!std::filesystem::exists(one, ignored) || std::filesystem::is_regular_file(one, ignored));
}

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

}  // namespace

void check_outputs(const Options& options) {
  if (options.json == "-" && options.markdown == "-")
    throw UsageError("two reports want standard output", "--json - --markdown -",
                     "give one of them a file");
  if (!options.json.empty() && !options.markdown.empty() &&
      is_one_file(options.json, options.markdown))
    throw UsageError("two reports want one file",
                     "--json " + options.json + " --markdown " + options.markdown,
                     "give each of them a file");
  check_file("--json", options.json);
  check_file("--markdown", options.markdown);
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
  if (!stream) {
    const int reason = errno;
    if (!special)
      std::filesystem::remove(target, ignored);
    errno = reason;
    throw_write_error(file);
  }
  if (!special && std::rename(target.c_str(), file.c_str()) != 0)
    throw_write_error(file);
}

bool wants_color(const Options& options) {
  if (options.color != "auto")
    return options.color == "always";
  const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

std::vector<Error> write_outputs(const Renderings& renderings, const Options& options) {
  std::vector<Error> errors;
  const auto attempt = [&errors](const std::string& file, const std::string& text) {
    try {
      write_text(file, text);
    } catch (const Error& error) {
      errors.push_back(error);
    }
  };
  if (options.json != "-" && options.markdown != "-")
    attempt("-", renderings.terminal(wants_color(options)));
  if (!options.json.empty())
    attempt(options.json, renderings.json());
  if (!options.markdown.empty())
    attempt(options.markdown, renderings.markdown());
  return errors;
}

std::vector<Error> write_outputs(const Report& report, const Options& options) {
  return write_outputs(
      {[&report](bool color) { return render_terminal(report, color); },
       [&report] { return render_json(report); }, [&report] { return render_markdown(report); }},
      options);
}

void print_error(const Error& error) {
  std::string text = "error: " + reporter::terminal_text(error.what + ": " + error.subject) + "\n";
  std::istringstream hint(error.hint);
  const char* label = "  try: ";
  for (std::string line; std::getline(hint, line); label = "")
    text += label + reporter::terminal_text(line) + "\n";
  std::fputs(text.c_str(), stderr);
}

}  // namespace perf

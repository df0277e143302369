#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "ci/cli/output/output.h"
#include "collector/this_process.h"
#include "schema/files/content.h"
#include "schema/files/descriptor.h"

namespace perf {
namespace {

/// GitHub drops the whole summary of a step if it exceeds 1 MiB.
constexpr std::uintmax_t kSummaryLimit = std::uintmax_t{900} * 1024;
/// With less room, no useful report fits.
constexpr std::uintmax_t kLeastSummary = 2048;

/// Opens without blocking: a pipe without a reader must not block a job. Writing blocks as usual.
Descriptor open_at_end(const std::string& file) {
  Descriptor opened = open_file(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (opened) {
    fcntl(opened.number(), F_SETFL, fcntl(opened.number(), F_GETFL) & ~O_NONBLOCK);
  }
  return opened;
}

void append_text(const char* variable, const std::string& file, const std::string& text) {
  Descriptor opened = open_at_end(file);
  std::error_code failed = opened ? std::error_code() : last_error();
  if (opened) {
    const off_t before = lseek(opened.number(), 0, SEEK_END);
    failed = write_all(opened.number(), text);
    if (failed && before >= 0) {  // or half of it would stay
      std::ignore = ftruncate(opened.number(), before);
    }
    if (opened.reset() != 0 && !failed) {
      failed = last_error();
    }
  }
  if (failed) {
    throw Error(std::string("the file of ") + variable + " could not be written",
                file + ": " + failed.message(), "remove --github, or unset the variable");
  }
}

/// Whether the last line of the file ends with a newline; false if the file cannot be read, because
/// an additional empty line is harmless.
bool ends_a_line(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) {
    return true;
  }
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const bool is_empty = stream.tellg() == std::streampos(0);
  return is_empty || stream.seekg(-1, std::ios::end).get() == '\n';
}

void add_summary(const GithubRenderings& renderings, const std::string& file) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file, none);
  const std::uintmax_t there = none ? 0 : size;
  const std::string gap = there == 0 ? "" : ends_a_line(file) ? "\n" : "\n\n";
  if (there + gap.size() + kLeastSummary > kSummaryLimit) {
    std::fputs("note: the step summary is full; nothing was added\n", stderr);
    return;
  }
  append_text("GITHUB_STEP_SUMMARY", file,
              gap + renderings.summary(kSummaryLimit - there - gap.size()));
}

void print_annotations(const std::string& annotations, bool standard_output_is_taken) {
  if (standard_output_is_taken) {
    std::fputs(annotations.c_str(), stderr);
  } else {
    write_text("-", annotations);
  }
}

}  // namespace

void write_for_github(const GithubRenderings& renderings, bool standard_output_is_taken,
                      std::vector<Error>& errors) {
  const std::string summary = environment_variable("GITHUB_STEP_SUMMARY").value_or("");
  const std::string outputs = environment_variable("GITHUB_OUTPUT").value_or("");
  if (summary.empty() && outputs.empty()) {
    std::fputs(
        "note: GITHUB_STEP_SUMMARY and GITHUB_OUTPUT are not set (not in GitHub Actions?), so "
        "--github writes no summary and no outputs\n",
        stderr);
  }
  if (renderings.annotations) {
    attempt([&] { print_annotations(renderings.annotations(), standard_output_is_taken); }, errors);
  }
  if (renderings.summary && !summary.empty()) {
    attempt([&] { add_summary(renderings, summary); }, errors);
  }
  if (renderings.outputs && !outputs.empty()) {
    const auto text = [&] { return (ends_a_line(outputs) ? "" : "\n") + renderings.outputs(); };
    attempt([&] { append_text("GITHUB_OUTPUT", outputs, text()); }, errors);
  }
}

}  // namespace perf

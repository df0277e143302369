#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "schema/error.h"
#include "schema/report.h"

namespace perf {

/// Refuses, before anything is measured, what could not be written afterwards: two reports on
/// standard output, or a file in a folder that does not exist or may not be written. Throws
/// UsageError.
void check_outputs(const Options& options);

/// How a result is written down, in each format.
struct Renderings {
  std::function<std::string(bool color)> terminal;
  std::function<std::string()> json, markdown;
};

/// Writes every report that was asked for: files whole or not at all, and the terminal's report
/// on standard output unless another one took its place. One that cannot be written keeps none of
/// the others back; answers what went wrong.
std::vector<Error> write_outputs(const Renderings& renderings, const Options& options);
std::vector<Error> write_outputs(const Report& report, const Options& options);

/// Writes `text` to a file (through a temporary one beside it) or, for `-`, to standard output,
/// where a reader who has left is no error. Throws Error.
void write_text(const std::string& file, const std::string& text);

/// Whether standard output should get colours.
bool wants_color(const Options& options);

/// Prints what happened, to what, and what to try, to standard error; whatever names and texts of
/// strangers it holds, it stays text.
void print_error(const Error& error);

}  // namespace perf

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "ci/cli/output_formats.h"
#include "schema/error.h"

namespace perf {

/// Refuses, before anything is measured, what could not be written afterwards: two reports on
/// standard output or in one file, or a file or pictures in a folder that does not exist, may not
/// be written, or is a link out of the repository. Throws UsageError.
void check_outputs(const Options& options);

/// Refuses a folder to write to whose path goes through a link that lies in a repository's working
/// tree and leads out of it: whoever may push can bring such a link under any name. Where nothing
/// is there yet, nothing is refused. `subject`: what was asked for. Throws UsageError.
void refuse_links_out(const std::filesystem::path& folder, const std::string& subject);

/// The files and folders that the reports and pictures go to.
std::vector<std::filesystem::path> output_places(const Options& options);

/// Writes every report that was asked for: files whole or not at all, the terminal's report on
/// standard output unless another one took its place, and what GitHub Actions wants to know. One
/// that cannot be written keeps none of the others back; answers what went wrong.
std::vector<Error> write_outputs(const Renderings& renderings, const Options& options);

/// Tells GitHub Actions (and what speaks its language: Gitea, Forgejo) of a result: the summary is
/// added to the file of GITHUB_STEP_SUMMARY, outputs to that of GITHUB_OUTPUT, and the annotations
/// are printed, on standard error where standard output belongs to a report. Where neither variable
/// is set this is no such job: that is said, and the annotations are printed all the same. One
/// that cannot be written keeps none of the others back; what went wrong is added to `errors`.
void tell_github(const GithubRenderings& renderings, bool standard_output_is_taken,
                 std::vector<Error>& errors);

/// Runs a piece of the writing. What goes wrong is added to `errors`, and keeps no other piece
/// back.
void attempt(const std::function<void()>& write, std::vector<Error>& errors);

/// Writes `text` to a file (through a temporary one beside it) or, for `-`, to standard output,
/// where a reader who has left is no error. Throws Error.
void write_text(const std::string& file, const std::string& text);

/// Whether a file is a pipe, a device, or named as one of the system's: /dev/stdout may be a link
/// to anything. Such a file is written into (a pipe's reader is waited for until a signal asks to
/// stop); any other is replaced, whole or not at all, and so is any other link: a tree may have
/// brought it.
bool is_written_into(const std::string& file);

/// What print_error prints: lines that are text only, each with its end, none longer than a screen
/// of them can bear.
std::string error_text(const Error& error);

/// Prints what happened, to what, and what to try, to standard error; whatever names and texts of
/// strangers it holds, it stays text. Where a write met the limit on the size of files, that is
/// what to try first.
void print_error(const Error& error);

}  // namespace perf

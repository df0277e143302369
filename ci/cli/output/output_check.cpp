#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "ci/cli/output/output.h"
#include "collector/plan/config_source.h"

namespace perf {
namespace {

/// The top of the working tree around a folder.
std::optional<std::filesystem::path> tree_around(std::filesystem::path folder) {
  std::error_code ignored;
  while (!std::filesystem::exists(folder / ".git", ignored)) {
    if (folder == folder.parent_path()) {
      return std::nullopt;
    }
    folder = folder.parent_path();
  }
  return folder;
}

bool is_within(const std::filesystem::path& path, const std::filesystem::path& top) {
  const std::filesystem::path relative = path.lexically_relative(top);
  return !relative.empty() && *relative.begin() != "..";
}

std::string given(const OutputFormat& format, const Options& options) {
  return std::string(format.option) + " " + options.*format.file;
}

/// The folder of an entry.
std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void check_folder(const std::filesystem::path& folder, const std::string& subject,
                  bool adds_to_it = true) {
  if (!std::filesystem::is_directory(folder)) {
    throw UsageError("no such folder", subject, "mkdir -p " + folder.string());
  }
  if (adds_to_it && access(folder.c_str(), W_OK) != 0) {
    throw UsageError("no permission to write the report", subject, "write it to another folder");
  }
  refuse_links_out(folder, subject);
}

/// As SQLite marks its files.
bool is_database(const std::string& file) {
  constexpr std::string_view kMark = "SQLite format 3";
  std::string begin(kMark.size(), '\0');
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) &&
         std::ifstream(file, std::ios::binary).read(begin.data(), kMark.size()) && begin == kMark;
}

/// Refuses to replace what is no report: a store of any name, a config, a file of git.
void check_replaced(const std::string& file, const std::string& subject, const Options& options) {
  std::error_code ignored;
  const std::filesystem::path place = std::filesystem::weakly_canonical(file, ignored);
  const bool is_config =
      place.filename() == kConfigName || std::filesystem::equivalent(file, options.config, ignored);
  const bool is_of_git = std::ranges::find(place, std::filesystem::path(".git")) != place.end();
  const bool is_store = place.parent_path().filename() == ".perf-compare" &&
                        place.filename().string().starts_with("results.db");
  if (is_config || is_of_git || is_store || is_database(file)) {
    throw UsageError(is_config   ? "the report would replace the config"
                     : is_of_git ? "the report would be written into .git"
                                 : "the report would replace a database",
                     subject, "write another file");
  }
}

void check_file(const std::string& file, const std::string& subject, const Options& options) {
  if (file.empty() || file == "-") {
    return;
  }
  check_replaced(file, subject, options);
  if (std::filesystem::is_directory(file)) {
    throw UsageError("the report must be a file, not a folder", subject, "pass a file in it");
  }
  check_folder(folder_of(file), subject, !is_written_into(file));
  if (is_written_into(file) && access(file.c_str(), W_OK) != 0) {
    throw UsageError("no permission to write the report", subject, "write another file");
  }
}

/// `out/` is `out`.
std::filesystem::path without_slash(const std::string& folder) {
  const std::size_t last = folder.find_last_not_of('/');
  return last == std::string::npos ? folder : folder.substr(0, last + 1);
}

void check_plots(const std::string& folder) {
  if (folder.empty()) {
    return;
  }
  const std::string subject = "--plots " + folder;
  if (folder == "-") {
    throw UsageError("--plots must be a folder", folder, "pass a folder");
  }
  if (std::filesystem::is_directory(folder)) {
    return check_folder(folder, subject);
  }
  if (std::filesystem::exists(folder)) {
    throw UsageError("--plots must be a folder", folder, "pass a folder");
  }
  check_folder(folder_of(without_slash(folder)), subject);
}

/// A device such as /dev/null may be written twice.
bool is_one_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  const auto place = [&ignored](const std::string& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
  };
  const std::filesystem::path one = place(a);
  return one == place(b) &&
         (!std::filesystem::exists(one, ignored) || std::filesystem::is_regular_file(one, ignored));
}

void check_pair(const OutputFormat& one, const OutputFormat& other, const Options& options) {
  const std::string& first = options.*one.file;
  const std::string& second = options.*other.file;
  if (first.empty() || second.empty()) {
    return;
  }
  const std::string subject = given(one, options) + " " + given(other, options);
  if (first == "-" && second == "-") {
    throw UsageError("two reports cannot share standard output", subject,
                     "write one of them to a file");
  }
  if (first != "-" && second != "-" && is_one_file(first, second)) {
    throw UsageError("two reports cannot share a file", subject, "write each to its own file");
  }
}

}  // namespace

void refuse_links_out(const std::filesystem::path& folder, const std::string& subject) {
  std::error_code ignored;
  std::filesystem::path holder;
  for (const std::filesystem::path& part : std::filesystem::absolute(folder, ignored)) {
    const std::filesystem::path place = holder / part;
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(place, ignored))) {
      const std::filesystem::path target = std::filesystem::weakly_canonical(place, ignored);
      const std::optional<std::filesystem::path> tree =
          tree_around(std::filesystem::weakly_canonical(holder, ignored));
      if (tree && (!is_within(target, *tree) || is_within(target, *tree / ".git"))) {
        throw UsageError("link out of the repository",
                         subject + ": " + place.string() + " -> " + target.string(),
                         "pass the target of the link, or another folder");
      }
    }
    holder = place;
  }
}

std::vector<std::filesystem::path> output_places(const Options& options) {
  std::vector<std::filesystem::path> places;
  for (const OutputFormat& format : kOutputFormats) {
    const std::string& file = options.*format.file;
    if (!file.empty() && file != "-") {
      places.emplace_back(file);
    }
  }
  if (!options.plots.empty()) {
    places.emplace_back(options.plots);
  }
  return places;
}

void check_outputs(const Options& options) {
  for (auto one = kOutputFormats.begin(); one != kOutputFormats.end(); ++one) {
    for (auto other = one + 1; other != kOutputFormats.end(); ++other) {
      check_pair(*one, *other, options);
    }
  }
  for (const OutputFormat& format : kOutputFormats) {
    check_file(options.*format.file, given(format, options), options);
  }
  check_plots(options.plots);
}

}  // namespace perf

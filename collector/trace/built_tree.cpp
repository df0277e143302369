#include "collector/trace/built_tree.h"

#include <charconv>
#include <chrono>
#include <ctime>
#include <string_view>
#include <thread>

namespace perf {
namespace {

constexpr std::string_view kMark = "perf-compare files 4 ";
constexpr const char* kEnd = "end";  // the last record: a text that lacks it was cut short
constexpr std::int64_t kNanoseconds = 1'000'000'000;
/// Times of files come from a clock that ticks every 1 to 10 ms.
constexpr auto kOfOneTime = std::chrono::milliseconds(40);

/// The number that a text begins with, which a space follows; both are taken from it.
template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::size_t length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || length == text.size() || text[length] != ' ') {
    return false;
  }
  text.remove_prefix(length + 1);
  return true;
}

std::int64_t nanoseconds_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * kNanoseconds + time.tv_nsec;
}

/// Calls `take` with each path in a tree, and the path below it; not with those in `.git`. False
/// where a folder cannot be read.
template <class Take>
bool walk(const std::filesystem::path& tree, const Take& take) {
  std::error_code error;
  std::filesystem::recursive_directory_iterator at(tree, error);
  for (; !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
    const std::string below = at->path().lexically_relative(tree).string();
    take(at->path(), below);
    if (below == ".git") {
      at.disable_recursion_pending();
    }
  }
  return !error;
}

}  // namespace

std::optional<BuiltFile> built_file_at(const std::filesystem::path& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) {
    return std::nullopt;
  }
  return BuiltFile{found.st_mode,
                   found.st_size,
                   nanoseconds_of(found.st_ctim),
                   found.st_ino,
                   nanoseconds_of(found.st_mtim),
                   false};
}

std::int64_t nanoseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds_of(now);
}

CheckedOut checkout_of(const BuiltTree& built) {
  CheckedOut checkout{built.began, built.checked_out};
  for (const auto& [path, file] : built.files) {
    if (file.is_of_commit) {
      checkout.paths.insert(path);
    }
  }
  return checkout;
}

CheckedOut checked_out_tree(const std::filesystem::path& tree, std::int64_t began) {
  CheckedOut checkout{began, nanoseconds_now()};
  walk(tree, [&checkout](const auto&, const std::string& below) { checkout.paths.insert(below); });
  std::this_thread::sleep_for(kOfOneTime);
  checkout.ended += std::chrono::nanoseconds(kOfOneTime).count() / 2;
  return checkout;
}

// Each record ends with a NUL, which no path holds: "MODE SIZE CHANGED NUMBER MODIFIED OF_COMMIT
// PATH".
std::string built_tree_text(const std::filesystem::path& tree, const CheckedOut& before,
                            const BuiltTree* only) {
  std::string text = std::string(kMark) + std::to_string(before.began) + ' ' +
                     std::to_string(before.ended) + ' ' + '\0';
  const auto take = [&](const std::filesystem::path& path, const std::string& below) {
    const std::optional<BuiltFile> file = built_file_at(path);
    if (file && (only == nullptr || only->files.contains(below))) {
      text += std::to_string(file->mode) + ' ' + std::to_string(file->size) + ' ' +
              std::to_string(file->changed) + ' ' + std::to_string(file->number) + ' ' +
              std::to_string(file->modified) + ' ' + (before.paths.contains(below) ? "1 " : "0 ") +
              below + '\0';
    }
  };
  if (std::error_code error; std::filesystem::is_regular_file(tree, error)) {
    take(tree, "");
    return text + kEnd + '\0';
  }
  return walk(tree, take) ? text + kEnd + '\0' : std::string();
}

std::optional<BuiltTree> read_built_tree(std::string_view text) {
  BuiltTree tree;
  if (!text.starts_with(kMark) || text.back() != '\0') {
    return std::nullopt;
  }
  text.remove_prefix(kMark.size());
  if (!take_number(text, tree.began) || !take_number(text, tree.checked_out) ||
      text.front() != '\0') {
    return std::nullopt;
  }
  text.remove_prefix(1);
  while (!text.empty()) {
    std::string_view record = text.substr(0, text.find('\0'));
    text.remove_prefix(record.size() + 1);
    if (record == kEnd && text.empty()) {
      return tree;
    }
    BuiltFile file;
    int is_of_commit = 0;
    if (!take_number(record, file.mode) || !take_number(record, file.size) ||
        !take_number(record, file.changed) || !take_number(record, file.number) ||
        !take_number(record, file.modified) || !take_number(record, is_of_commit)) {
      return std::nullopt;
    }
    file.is_of_commit = is_of_commit != 0;
    tree.files.emplace(record, file);
  }
  return std::nullopt;
}

}  // namespace perf

#include "collector/trace/built_tree.h"

#include <charconv>
#include <ctime>
#include <string_view>

namespace perf {
namespace {

constexpr std::string_view kMark = "perf-compare files 3 ";
constexpr const char* kEnd = "end";  // the last record: a text that lacks it was cut short
constexpr std::int64_t kNanoseconds = 1'000'000'000;

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

}  // namespace

std::optional<BuiltFile> built_file_at(const std::filesystem::path& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) {
    return std::nullopt;
  }
  return BuiltFile{found.st_mode, found.st_size, nanoseconds_of(found.st_ctim), found.st_ino,
                   nanoseconds_of(found.st_mtim)};
}

std::int64_t nanoseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds_of(now);
}

// Each record ends with a NUL, which no path holds: "MODE SIZE CHANGED NUMBER MODIFIED PATH".
std::string built_tree_text(const std::filesystem::path& tree, std::int64_t began) {
  std::string text = std::string(kMark) + std::to_string(began) + ' ' + '\0';
  std::error_code error;
  std::filesystem::recursive_directory_iterator at(tree, error);
  for (; !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
    const std::optional<BuiltFile> file = built_file_at(at->path());
    if (!file) {
      continue;
    }
    const std::string path = at->path().lexically_relative(tree).string();
    text += std::to_string(file->mode) + ' ' + std::to_string(file->size) + ' ' +
            std::to_string(file->changed) + ' ' + std::to_string(file->number) + ' ' +
            std::to_string(file->modified) + ' ' + path + '\0';
    if (path == ".git") {
      at.disable_recursion_pending();
    }
  }
  return error ? std::string() : text + kEnd + '\0';
}

std::optional<BuiltTree> read_built_tree(std::string_view text) {
  BuiltTree tree;
  if (!text.starts_with(kMark) || text.back() != '\0') {
    return std::nullopt;
  }
  text.remove_prefix(kMark.size());
  if (!take_number(text, tree.began) || text.front() != '\0') {
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
    if (!take_number(record, file.mode) || !take_number(record, file.size) ||
        !take_number(record, file.changed) || !take_number(record, file.number) ||
        !take_number(record, file.modified)) {
      return std::nullopt;
    }
    tree.files.emplace(record, file);
  }
  return std::nullopt;
}

}  // namespace perf

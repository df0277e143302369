#include "collector/machine/small_file.h"

#include <map>

#include "collector/process/captured_text.h"
#include "schema/files/content.h"
#include "schema/text_parts.h"

namespace perf {

std::optional<std::string> read_small_file(const std::filesystem::path& file, std::size_t limit) {
  const Descriptor opened = open_file(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  std::string text;
  const bool is_read = regular_size(opened) && read_up_to(opened.number(), limit, text) == 0;
  return is_read ? std::optional<std::string>(std::move(text)) : std::nullopt;
}

std::optional<std::string> read_line_of(const std::filesystem::path& file) {
  const std::string text = read_small_file(file, 4096).value_or("");
  std::string line = to_one_line(text.substr(0, text.find('\n')));
  return line.empty() ? std::nullopt : std::optional<std::string>(std::move(line));
}

std::optional<std::int64_t> read_number(const std::filesystem::path& file) {
  return whole_number(read_line_of(file).value_or(""));
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  return parsed<std::int64_t>(trimmed(text, " \t\n"));
}

std::vector<std::filesystem::path> numbered_entries(const std::filesystem::path& folder,
                                                    std::string_view prefix) {
  std::map<std::int64_t, std::filesystem::path> entries;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const std::optional<std::int64_t> number =
        name.rfind(prefix, 0) == 0 ? whole_number(name.substr(prefix.size())) : std::nullopt;
    if (number && *number >= 0) {
      entries.emplace(*number, it->path());
    }
  }
  std::vector<std::filesystem::path> paths;
  paths.reserve(entries.size());
  for (const auto& [number, path] : entries) {
    paths.push_back(path);
  }
  return paths;
}

std::optional<std::string_view> value_named(std::string_view text, std::string_view name,
                                            char separator) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t at = line.find(separator);
    if (at != std::string_view::npos && trimmed(line.substr(0, at)) == name) {
      return trimmed(line.substr(at + 1));
    }
  }
  return std::nullopt;
}

}  // namespace perf

#include "collector/machine/readings.h"
#include "collector/process/captured_text.h"
#include "schema/files/content.h"
#include "schema/text/text_parts.h"

namespace perf {

std::string read_small_file(const std::filesystem::path& file, std::size_t limit) {
  const Descriptor opened = open_file(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  std::string text;
  const bool is_read = regular_size(opened) && read_up_to(opened.number(), limit, text) == 0;
  return is_read ? text : "";
}

std::string read_line_of(const std::filesystem::path& file) {
  return to_one_line(first_line(read_small_file(file, 4096)));
}

void put_fact(std::map<std::string, std::string>& facts, const std::string& name,
              std::string_view value) {
  const std::string line = to_one_line(value);
  if (!line.empty()) {
    facts[name] = line;
  }
}

std::optional<std::int64_t> read_number(const std::filesystem::path& file) {
  return whole_number(read_line_of(file));
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
        name.starts_with(prefix) ? whole_number(name.substr(prefix.size())) : std::nullopt;
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

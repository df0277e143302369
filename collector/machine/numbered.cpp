#include "collector/machine/numbered.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <system_error>

#include "collector/machine/small_file.h"

namespace perf {

std::optional<std::int64_t> whole_number(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text = text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = !text.empty() && end == text.data() + text.size();
  return error == std::errc() && all ? std::optional<std::int64_t>(value) : std::nullopt;
}

std::optional<std::int64_t> read_number(const std::filesystem::path& file) {
  return whole_number(read_line_of(file).value_or(""));
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

}  // namespace perf

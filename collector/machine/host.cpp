#include <cstdio>
#include <system_error>

#include "collector/machine/environment.h"
#include "collector/machine/readings.h"
#include "collector/randomness.h"
#include "schema/files/content.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

bool is_id(const std::string& text) {
  constexpr std::size_t kDigits = 32;
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool write_new(const fs::path& file, const std::string& text) {
  Descriptor made = open_file(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
  return made && !write_all(made.number(), text) && made.reset() == 0;
}

}  // namespace

std::string host_id(const fs::path& folder) {
  const fs::path file = folder / "host";
  if (const std::string known = read_line_of(file); is_id(known)) {
    return known;
  }
  const std::string id = new_id();
  const fs::path fresh = folder / ("host-" + id);
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  if (write_new(fresh, id + "\n")) {
    // A link does not replace a file: of two processes that start at once, one is first.
    const bool is_first = link(fresh.c_str(), file.c_str()) == 0;
    if (!is_first && !is_id(read_line_of(file))) {
      std::rename(fresh.c_str(), file.c_str());  // an invalid id, or a file system without links
    }
  }
  unlink(fresh.c_str());
  const std::string kept = read_line_of(file);
  return is_id(kept) ? kept : id;
}

}  // namespace perf

#include "collector/machine/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "collector/process/captured_text.h"
#include "schema/files/open_file.h"

namespace perf {

std::optional<std::string> read_small_file(const std::filesystem::path& file, std::size_t limit) {
  const int fd = open_file(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    return std::nullopt;
  }
  struct stat status {};
  std::optional<std::string> text;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    text.emplace();
    char chunk[4096];
    while (text && text->size() < limit) {
      const ssize_t size = read(fd, chunk, std::min(sizeof chunk, limit - text->size()));
      if (size > 0) {
        text->append(chunk, static_cast<std::size_t>(size));
      } else if (size == 0) {
        break;
      } else if (errno != EINTR) {
        text.reset();
      }
    }
  }
  close(fd);
  return text;
}

std::optional<std::string> read_line_of(const std::filesystem::path& file) {
  const std::optional<std::string> text = read_small_file(file, 4096);
  if (!text) {
    return std::nullopt;
  }
  std::string line = to_one_line(text->substr(0, text->find('\n')));
  return line.empty() ? std::nullopt : std::optional<std::string>(std::move(line));
}

}  // namespace perf

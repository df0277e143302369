#include "schema/files/content.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "schema/error.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = 1 << 16;

}  // namespace

int read_up_to(int file, std::size_t limit, std::string& text) {
  while (text.size() < limit) {
    const std::size_t done = text.size();
    text.resize(std::min(done + kPiece, limit));
    const ssize_t size =
        retried([&] { return read(file, text.data() + done, text.size() - done); });
    text.resize(done + static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (size <= 0) {
      return size < 0 ? errno : 0;
    }
  }
  return 0;
}

std::error_code write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = retried([&] { return write(file, text.data(), text.size()); });
    if (written < 0) {
      return last_error();
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::optional<std::uintmax_t> regular_size(const Descriptor& file) {
  struct stat status {};
  const bool is_regular = file && fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode);
  return is_regular ? std::optional(static_cast<std::uintmax_t>(status.st_size)) : std::nullopt;
}

std::string content_of(const fs::path& file) {
  const Descriptor opened = open_file(file, O_RDONLY | O_CLOEXEC);
  std::string text;
  return read_up_to(opened.number(), text.max_size(), text) == 0 ? text : "";
}

bool has_same_bytes(const fs::path& one, const fs::path& other) {
  std::error_code error;
  if (fs::file_size(one, error) != fs::file_size(other, error) || error) {
    return false;
  }
  const Descriptor first = open_file(one, O_RDONLY | O_CLOEXEC);
  const Descriptor second = open_file(other, O_RDONLY | O_CLOEXEC);
  std::string piece, same;
  do {
    piece.clear();
    same.clear();
    if (read_up_to(first.number(), kPiece, piece) != 0 ||
        read_up_to(second.number(), kPiece, same) != 0 || piece != same) {
      return false;
    }
  } while (!piece.empty());
  return true;
}

std::error_code copy_over(const fs::path& from, const fs::path& to) {
  std::error_code error;
  do {
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  } while (error == std::errc::interrupted);
  return error;
}

std::error_code last_error() {
  return {errno, std::generic_category()};
}

bool is_system_fault(int error) {
  return error == EIO || error == ESTALE || error == EMFILE || error == ENFILE || error == ENOMEM;
}

void refuse_unreadable(const std::string& file, int error) {
  throw Error("the file could not be read", file + ": " + std::strerror(error), "check the disk");
}

}  // namespace perf

#include "schema/files/hold.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <vector>

#include "schema/files/descriptor.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

bool is_named(int descriptor, const fs::path& path) {
  struct stat held {};
  struct stat named {};
  return fstat(descriptor, &held) == 0 && lstat(path.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

}  // namespace

Hold::Hold(const fs::path& path) {
  // Not blocking: a pipe of that name would wait for somebody to write.
  file_ = open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (!file_) {
    state_ = errno == ENOENT ? State::gone : State::none;
  } else if (flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    state_ = errno == EWOULDBLOCK ? State::taken : State::none;
  } else {
    state_ = is_named(file_.number(), path) ? State::held : State::gone;
  }
}

void sweep(const fs::path& folder, const std::function<bool(const std::string& name)>& is_ours,
           const std::function<void(const fs::path&)>& remove) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (is_ours(it->path().filename().string())) {
      found.push_back(it->path());
    }
  }
  for (const fs::path& path : found) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0 || status.st_uid != geteuid() ||
        !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
      continue;
    }
    const Hold hold(path);
    if (hold.holds()) {
      remove(path);
    }
  }
}

void sweep_parts(const fs::path& file, const std::string& ending) {
  const std::string begin = file.filename().string() + ending;
  const auto is_part = [&begin](const std::string& name) {
    return name.size() > begin.size() && name.compare(0, begin.size(), begin) == 0 &&
           name.find_first_not_of("0123456789", begin.size()) == std::string::npos;
  };
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  sweep(folder, is_part, [](const fs::path& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(path.string() + "-journal", ignored);
  });
}

}  // namespace perf

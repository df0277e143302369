#include <system_error>

#include "collector/trace/program.h"
#include "collector/trace/trace_programs.h"
#include "schema/files/content.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLoadersCache = "/etc/ld.so.cache";
constexpr const char* kAlternatives = "/etc/alternatives/";

bool is_alternative(const fs::path& path) {
  std::error_code none;
  return path.native().starts_with(kAlternatives) ||
         fs::read_symlink(path, none).native().starts_with(kAlternatives);
}

/// Lines of all packages' lists.
std::string read_lists(const fs::path& folder) {
  std::string all = "\n";
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".list") {
      all += content_of(entry.path());
    }
  }
  return all;
}

}  // namespace

std::shared_ptr<const PackageFiles> installed_packages() {
  return std::make_shared<PackageFiles>();
}

bool PackageFiles::has(const fs::path& path) const {
  if (path == kLoadersCache || is_alternative(path)) {
    return true;
  }
  if (!all_) {
    all_ = read_lists(lists_);
  }
  // /lib may be a link to /usr/lib: lists contain the one or the other.
  const std::string whole = path.string();
  const std::string other = whole.starts_with("/usr/") ? whole.substr(4) : "/usr" + whole;
  for (const std::string& name : {whole, other}) {
    if (all_->find("\n" + name + "\n") != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace perf

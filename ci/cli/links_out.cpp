#include "ci/cli/links_out.h"

#include <optional>
#include <system_error>

#include "schema/error.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// The top of the working tree that a folder lies in.
std::optional<fs::path> tree_around(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder / ".git", ignored)) {
    if (folder == folder.parent_path()) {
      return std::nullopt;
    }
    folder = folder.parent_path();
  }
  return folder;
}

bool is_within(const fs::path& path, const fs::path& top) {
  const fs::path relative = path.lexically_relative(top);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

void refuse_links_out(const fs::path& folder, const std::string& subject) {
  std::error_code ignored;
  fs::path holder;
  for (const fs::path& part : fs::absolute(folder, ignored)) {
    const fs::path place = holder / part;
    if (fs::is_symlink(fs::symlink_status(place, ignored))) {
      const fs::path target = fs::weakly_canonical(place, ignored);
      const std::optional<fs::path> tree = tree_around(fs::weakly_canonical(holder, ignored));
      if (tree && !is_within(target, *tree)) {
        throw UsageError("a link leads out of the repository, and is not followed",
                         subject + ": " + place.string() + " leads to " + target.string(),
                         "name the folder that it leads to, or another");
      }
    }
    holder = place;
  }
}

}  // namespace perf

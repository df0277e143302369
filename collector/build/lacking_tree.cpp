#include "collector/build/lacking_tree.h"

#include "collector/build/lfs_pointers.h"
#include "collector/build/submodules.h"
#include "collector/process/captured_text.h"

namespace perf {
namespace {

/// "a, b and 3 more", of paths.
std::string listed(const std::vector<std::string>& paths) {
  constexpr std::size_t kShown = 2;
  std::string text;
  for (std::size_t i = 0; i < paths.size() && i < kShown; ++i) {
    text += (i == 0 ? "" : ", ") + to_one_line(paths[i]);
  }
  const std::string more = " and " + std::to_string(paths.size() - kShown) + " more";
  return paths.size() > kShown ? text + more : text;
}

}  // namespace

std::string remedy_of_tree(const Repository& repository, const std::string& oid,
                           const std::filesystem::path& tree) {
  const std::vector<std::string> submodules = empty_submodules(repository, tree);
  if (!submodules.empty()) {
    return "its submodules are empty (" + listed(submodules) +
           "): write \"submodules\": true into \"build\" of its perf-compare.json";
  }
  const std::vector<std::string> pointers = lfs_pointers(repository, tree);
  return pointers.empty() ? ""
                          : "it holds LFS pointers in place of files (" + listed(pointers) +
                                "): " + lfs_remedy(repository, oid);
}

std::vector<std::string> warnings_of_tree(const Repository& repository, const std::string& oid,
                                          const std::filesystem::path& tree) {
  const std::vector<std::string> pointers = lfs_pointers(repository, tree);
  if (pointers.empty()) {
    return {};
  }
  return {"holds LFS pointers in place of files (" + listed(pointers) +
          "); try: " + lfs_remedy(repository, oid)};
}

}  // namespace perf

#include "ci/cli/store_path.h"

#include <optional>

#include "ci/cli/links_out.h"
#include "schema/error.h"

namespace perf {
namespace {

constexpr const char* kFolder = ".perf-compare";

/// A commit that has the folder brings a history of somebody else's making, and perhaps a journal,
/// by which SQLite changes files.
void refuse_store_of_commit(const Repository& repository) {
  const std::optional<std::string> head = repository.ref_commit("HEAD");
  if (head && repository.has_path(*head, kFolder))
    throw Error("the commit that is checked out brings a store of its own", kFolder,
                "take it out of the commit: git rm -r --cached .perf-compare\nor name a store: "
                "--db FILE");
}

}  // namespace

std::filesystem::path store_path(const Options& options, const Repository& repository) {
  if (!options.db.empty()) {
    std::filesystem::path file = options.db;
    refuse_links_out(file.parent_path(), "--db " + options.db);
    return file;
  }
  refuse_store_of_commit(repository);
  return repository.workdir() / kFolder / "results.db";
}

}  // namespace perf

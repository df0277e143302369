#include "ci/cli/store_path.h"

#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

#include "ci/cli/links_out.h"
#include "reporter/escape/terminal.h"
#include "schema/error.h"

namespace perf {
namespace {

constexpr const char* kFolder = ".perf-compare";

/// A commit that has the folder brings a history of somebody else's making, and perhaps a journal,
/// by which SQLite changes files.
void refuse_store_of_commit(const Repository& repository) {
  const std::optional<std::string> head = repository.ref_commit("HEAD");
  if (head && repository.has_path(*head, kFolder)) {
    throw Error("the commit that is checked out brings a store of its own", kFolder,
                "take it out of the commit: git rm -r --cached .perf-compare\nor name a store: "
                "--db FILE");
  }
}

/// SQLite makes a store of an empty file, as of one that was killed while it was made. It may also
/// be what a full disk or a careless copy left of a history.
std::filesystem::path tell_if_empty(std::filesystem::path file) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored) &&
      std::filesystem::file_size(file, ignored) == 0 && !ignored) {
    std::fprintf(stderr,
                 "note: %s has 0 bytes, and is taken for a new store: if it had results, restore a "
                 "copy of it\n",
                 reporter::terminal_text(file.string()).c_str());
  }
  return file;
}

}  // namespace

std::filesystem::path store_path(const Options& options, const Repository& repository) {
  if (!options.db.empty()) {
    std::filesystem::path file = options.db;
    refuse_links_out(file.parent_path(), "--db " + options.db);
    return tell_if_empty(std::move(file));
  }
  refuse_store_of_commit(repository);
  return tell_if_empty(repository.workdir() / kFolder / "results.db");
}

}  // namespace perf

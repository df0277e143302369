#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "schema/store/internal.h"

namespace perf {

using store::Connection;

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_existing(const fs::path& file) {
  throw UsageError("the file exists", file.string(),
                   "choose another file: export does not overwrite");
}

/// The name is given last, and only where nobody else has taken it meanwhile.
void give_name(const fs::path& partial, const fs::path& file) {
  if (renameat2(AT_FDCWD, partial.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0) {
    return;
  }
  // Some network file systems know no RENAME_NOREPLACE.
  if (errno == EINVAL && !fs::exists(fs::symlink_status(file)) &&
      std::rename(partial.c_str(), file.c_str()) == 0) {
    return;
  }
  if (errno == EEXIST) {
    refuse_existing(file);
  }
  throw Error("cannot rename the copy", file.string() + ": " + std::strerror(errno),
              "export to another folder");
}

ExportResult contents_of(const fs::path& file) {
  Connection copy(file, Connection::Access::read_only);
  ExportResult result;
  result.bytes = static_cast<std::int64_t>(fs::file_size(file));
  const auto rows = [&copy](const char* table) {
    return copy.count(std::string("SELECT count(*) FROM ") + table);
  };
  result.runs = rows("run");
  result.commits = rows("revision");
  result.steps = rows("step");
  return result;
}

}  // namespace

ExportResult Store::export_to(const fs::path& file, const std::string& run_id) const {
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error))) {
    refuse_existing(file);
  }
  const fs::path folder = fs::canonical(file.has_parent_path() ? file.parent_path() : ".", error);
  if (error || !fs::is_directory(folder)) {
    throw UsageError("no such folder", file.string(), "create it first");
  }
  const fs::path partial =
      folder / (file.filename().string() + ".part-" + std::to_string(getpid()));
  sweep_parts(folder / file.filename(), ".part-");
  Connection part;
  if (!run_id.empty()) {
    store::copy_run(*connection_, run_id, part);
  }
  const Hold hold = store::copy_into_partial(run_id.empty() ? *connection_ : part, partial);
  try {
    const ExportResult result = contents_of(partial);
    give_name(partial, folder / file.filename());
    store::sync_to_disk(folder);
    return result;
  } catch (...) {
    fs::remove(partial, error);
    throw;
  }
}

}  // namespace perf

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "schema/error.h"
#include "schema/payload.h"

namespace perf {

/// A payload in a hub.
struct HubEntry {
  std::string writer;
  std::string month;
  std::string name;
  std::string place{};     ///< its key within the hub
  std::int64_t bytes = 0;  ///< its size, where the hub lists it
};

/// The content of a hub.
struct HubListing {
  std::vector<HubEntry> entries;  ///< by writer, month and name
  std::vector<Error> strange;     ///< of what is not a payload or cannot be read
};

/// The error of an entry whose name is not a payload's.
Error no_payload(const std::string& place);

/// A place where several machines exchange runs. Each writer has a place of its own for each month,
/// so that writers do not wait for each other; payloads are never changed. Payloads are untrusted.
/// Members throw Error where the hub cannot be reached or access is denied.
class Hub {
 public:
  virtual ~Hub() = default;

  /// A hash of its address (16 hexadecimal digits), because addresses may contain secrets, and of
  /// the id that it gets with the first payload: a hub that was created anew has another key.
  virtual std::string key() = 0;
  /// Its present content.
  virtual HubListing list() = 0;
  /// The bytes of an entry of the last listing.
  virtual std::string read(const HubEntry& entry) = 0;
  /// The bytes of the first few of these entries, at least one; nothing for one that read()
  /// refuses. Only one unless reading several at once is faster.
  virtual std::vector<std::optional<std::string>> read_some(std::span<const HubEntry> entries) {
    return {read(entries.front())};
  }
  /// Writes payloads that are not there yet. They are stored durably when it returns.
  virtual void put(const std::string& writer, const std::vector<Payload>& payloads) = 0;
  /// Removes the payloads of all writers from the months before this one.
  virtual void drop_before(const std::string& month) = 0;
};

/// The context of a hub.
struct HubTools {
  const Repository& repository;  ///< with the remotes, settings and credentials to use
  std::filesystem::path cache;   ///< the build cache's folder
  std::function<bool()> interrupted{};
  bool untrusted = false;  ///< payloads are from runs of untrusted code
};

/// `git:REMOTE`: refs/perf-compare/runs/WRITER/MONTH of a repository, which clones do not fetch by
/// default; copied beside the build cache. `dir:PATH`: files in an existing folder,
/// PATH/runs/WRITER/MONTH/NAME.zst. `postgres://...`: tables (database/tables.h) created by
/// `hub init`, reached through libpq. Throws UsageError for another address.
std::unique_ptr<Hub> open_hub(const std::string& address, const HubTools& tools);

/// The kinds of hubs, by the part of the address after the colon.
std::unique_ptr<Hub> open_folder_hub(const std::string& path, const HubTools& tools);
std::unique_ptr<Hub> open_git_hub(const std::string& remote, const HubTools& tools);
std::unique_ptr<Hub> open_postgres_hub(const std::string& address, const HubTools& tools);

/// The key of a hub with this address and id; empty: it has none, because it is empty (`is_new`) or
/// older than ids.
std::string hub_key(const std::string& address, const std::string& id, bool is_new);

/// What the address leads to from this repository, without passwords: the URL of a remote, an
/// absolute folder. Trust in a hub is trust in this.
std::string resolved_hub(const std::string& address, const Repository& repository);

/// An address as messages show it: without credentials.
std::string shown_hub(const std::string& address);

/// The file name of a payload, NAME.zst; and the payload's name of such a file, empty for others.
std::string payload_file(const std::string& name);
std::string payload_name(const std::string& file);

}  // namespace perf

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
  std::string place{};     ///< how the hub itself finds it
  std::int64_t bytes = 0;  ///< how large it is, where the hub says so
};

/// What lies in a hub.
struct HubListing {
  std::vector<HubEntry> entries;  ///< by writer, month and name
  std::vector<Error> strange;     ///< what is no payload there, or cannot be read
};

/// The error about what has no payload's name.
Error no_payload(const std::string& place);

/// A place where the runs of several machines meet. Each writer has a place of its own for each
/// month, so that no two of them wait for each other; what lies there is never changed. What is
/// read from it may come from a stranger. Members throw Error where the place cannot be reached, or
/// does not let them.
class Hub {
 public:
  virtual ~Hub() = default;

  /// 16 hexadecimal digits of its address, which itself may hold what is not for files.
  virtual std::string key() const = 0;
  /// Everything that lies there now.
  virtual HubListing list() = 0;
  /// The bytes of an entry of the last listing.
  virtual std::string read(const HubEntry& entry) = 0;
  /// Those of some of these, the first ones in their order and one at least; nothing for one that
  /// read() refuses. One where reading several at once is no faster.
  virtual std::vector<std::optional<std::string>> read_some(std::span<const HubEntry> entries) {
    return {read(entries.front())};
  }
  /// Brings payloads there that are not there yet. All of them are certain to stay when it returns.
  virtual void put(const std::string& writer, const std::vector<Payload>& payloads) = 0;
  /// Takes away what all writers brought in the months before this one.
  virtual void drop_before(const std::string& month) = 0;
};

/// What reaching a hub takes.
struct HubTools {
  const Repository& repository;  ///< whose remotes, settings and credentials hold
  std::filesystem::path cache;   ///< the build cache's folder
  std::function<bool()> interrupted{};
  bool untrusted = false;  ///< what is brought comes from runs of code that nobody trusts
};

/// `git:REMOTE`: refs/perf-compare/runs/WRITER/MONTH of a repository, which no clone fetches by
/// itself. A copy of them lies beside the build cache. `dir:PATH`: files in a folder that is there
/// already, PATH/runs/WRITER/MONTH/NAME.zst. `postgres://...`: tables (tables.h) that `hub init`
/// made, reached as libpq reaches them. Throws UsageError for another address.
std::unique_ptr<Hub> open_hub(const std::string& address, const HubTools& tools);

/// The kinds of hubs; what follows the colon of the address is theirs.
std::unique_ptr<Hub> open_folder_hub(const std::string& path, const HubTools& tools);
std::unique_ptr<Hub> open_git_hub(const std::string& remote, const HubTools& tools);
std::unique_ptr<Hub> open_postgres_hub(const std::string& address, const HubTools& tools);

/// An address as messages show it: without credentials.
std::string shown_hub(const std::string& address);

/// How a payload is called in folders and trees: NAME.zst; the name of such a one, empty of others.
std::string payload_file(const std::string& name);
std::string payload_name(const std::string& file);

}  // namespace perf

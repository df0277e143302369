#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace perf::test {

/// To be called after a call of the store returned: its effect must never be lost.
using Acknowledge = std::function<void()>;

/// A change of a store, and what must hold when it is interrupted.
struct StoreWork {
  std::string name;
  /// Makes the files before the change, in an empty folder.
  std::function<void(const std::filesystem::path&)> prepare;
  /// Changes the store in that folder.
  std::function<void(const std::filesystem::path&, const Acknowledge&)> run;
  /// The fault of the files beside the store after `acknowledged` calls; empty: none. Only for
  /// changes that make such files.
  std::function<std::string(const std::filesystem::path&, std::size_t acknowledged)> beside{};
};

/// The store of these changes, in a folder.
std::filesystem::path store_in(const std::filesystem::path& folder);

/// A small page cache: most pages of a transaction are written before its commit and read back.
void give_small_cache(const std::filesystem::path& store);

/// Every change: a session, an import, alerts, pins, a merge, pruning, a migration, an export.
const std::vector<StoreWork>& store_works();

/// Every row of every table, and the version, as text; times at which something was done apart.
/// Opens the file for reading only. Throws Error where it is not sound to its last page.
std::string contents_of_store(const std::filesystem::path& file);

/// The same after opening the store to work with, which mends what a writer left half done.
/// Throws Error for one that cannot be opened or is not sound.
std::string contents_when_opened(const std::filesystem::path& folder);

}  // namespace perf::test

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace perf::test {

/// To be called when a call of the store returned: from now on its effect must never be lost.
using Acknowledge = std::function<void()>;

/// Something that is done to a store, and what must be true of it whenever it is cut short.
struct StoreWork {
  std::string name;
  /// Makes what is there before, in an empty folder.
  std::function<void(const std::filesystem::path&)> prepare;
  /// Does the work on the store in that folder.
  std::function<void(const std::filesystem::path&, const Acknowledge&)> run;
  /// What is wrong with the files beside the store, `acknowledged` calls having returned; empty:
  /// nothing. Looks only where the work makes such files.
  std::function<std::string(const std::filesystem::path&, std::size_t acknowledged)> beside{};
};

/// The store in a folder of these works.
std::filesystem::path store_in(const std::filesystem::path& folder);

/// From now on most pages of a transaction are written out before its commit, and read back,
/// whoever opens the store: there is no room to keep them.
void give_small_cache(const std::filesystem::path& store);

/// Everything that writes: a session, an import, alerts, pins, a merge, pruning, a migration, an
/// export.
const std::vector<StoreWork>& store_works();

/// Every row of every table, and the version, as text; times at which something was done apart.
/// Opens the file for reading only. Throws Error where it is not sound to its last page.
std::string contents_of_store(const std::filesystem::path& file);

/// The same after opening the store to work with, which mends what a writer left half done.
/// Throws Error for one that cannot be opened or is not sound.
std::string contents_when_opened(const std::filesystem::path& folder);

}  // namespace perf::test

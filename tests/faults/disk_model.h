#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace perf::test {

/// Everything in a file.
std::string bytes_of(const std::filesystem::path& file);

/// What a disk holds after the power went: everything that was synced, and of the rest any part.
///
/// The idea is that of SQLite's own crash tests (https://sqlite.org/testing.html, 3.3 "Crash
/// Testing") and the assumptions are those of https://sqlite.org/atomiccommit.html, section 2:
///  - no write is atomic; of one that was not synced any sectors of 512 B may have come to the
///    disk, in any order, and one of them may hold rubbish;
///  - bytes outside what was written are never harmed ("powersafe overwrite", which SQLite assumes
///    on unix, https://sqlite.org/psow.html);
///  - a file's size is kept apart from its content: it may have grown over sectors that were never
///    written, which then hold zeros or rubbish; it may not have shrunk yet;
///  - syncing a file says nothing about its name: what was created, renamed or removed is so for
///    certain once its folder was synced, and may or may not be so until then, each by itself. This
///    is what POSIX promises, and less than most file systems give;
///  - a rename is atomic; a sync that returned did what it says.
class DiskModel {
 public:
  /// Everything below `root` is on the disk for certain; `root` itself can never be lost.
  explicit DiskModel(const std::filesystem::path& root);

  /// What the program asks for, in its order. Paths are absolute.
  void create(const std::string& path);
  void make_folder(const std::string& path);
  void write(const std::string& path, std::int64_t offset, std::string bytes);
  void resize(const std::string& path, std::int64_t size);
  void rename(const std::string& from, const std::string& to);
  void remove(const std::string& path);
  void sync_file(const std::string& path);
  void sync_folder(const std::string& path);

  bool knows(const std::string& path) const { return names_.count(path) != 0; }

  /// Makes one of the states that the disk may be in now, as the files of the folder `target`;
  /// which one is the seed's choice.
  void leave(const std::filesystem::path& target, std::uint64_t seed) const;

 private:
  using File = std::size_t;  // a name is one thing, what it stands for another
  using Names = std::map<std::string, File>;

  /// Since the last sync of the file: `bytes` at `at`, or its new size.
  struct Change {
    std::int64_t at = 0;
    std::string bytes;
    bool resized = false;
  };
  struct Content {
    std::string synced;
    std::vector<Change> changes{};
  };
  struct NameChange {
    enum class Kind { created, made_folder, renamed, removed } kind;
    std::string path, from{};
    File file = 0;
    bool concerns(const std::string& folder) const;
  };

  static void apply(const NameChange& change, Names& names, std::set<std::string>& folders);
  static std::string settled(const Content& content);
  static std::string left_of(const Content& content, std::mt19937_64& random);

  std::string root_;
  std::vector<Content> contents_;
  Names names_, synced_names_;
  std::set<std::string> synced_folders_;
  std::vector<NameChange> name_changes_;  // since their folder was synced
};

}  // namespace perf::test

#include "tests/faults/disk_model.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace perf::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSector = 512;  // B

std::string folder_of(const std::string& path) {
  return fs::path(path).parent_path().string();
}

void put(std::string& content, std::int64_t at, const std::string& bytes) {
  const auto end = static_cast<std::size_t>(at) + bytes.size();
  content.resize(std::max(content.size(), end));
  content.replace(static_cast<std::size_t>(at), bytes.size(), bytes);
}

bool chance(std::mt19937_64& random, unsigned percent) {
  return random() % 100 < percent;
}

std::string rubbish(std::size_t length, std::mt19937_64& random) {
  std::string bytes(length, '\0');
  if (chance(random, 50))  // else a sector that was never written reads as zeros
  {
    std::generate(bytes.begin(), bytes.end(), [&random] { return static_cast<char>(random()); });
  }
  return bytes;
}

/// How much of what was not synced came to the disk: the two ends are the tellings ones.
enum class Luck { nothing, everything, some };

Luck draw_luck(std::mt19937_64& random) {
  constexpr Luck kLuck[] = {Luck::nothing, Luck::everything, Luck::some, Luck::some};
  return kLuck[random() % std::size(kLuck)];
}

bool happened(Luck luck, std::mt19937_64& random) {
  return luck == Luck::everything || (luck == Luck::some && chance(random, 50));
}

/// Lays a write on the content: whole, its first sectors, or any of them, perhaps one as rubbish.
void put_torn(std::string& content, std::int64_t at, const std::string& bytes,
              std::mt19937_64& random) {
  const std::int64_t end = at + static_cast<std::int64_t>(bytes.size());
  const auto kind = random() % 3;
  const std::int64_t until =
      kind == 1 ? at + static_cast<std::int64_t>(random() % (bytes.size() + kSector)) : end;
  for (std::int64_t from = at; from < end;) {
    const std::int64_t next = std::min(end, (from / kSector + 1) * kSector);
    const bool kept = kind == 0 || (kind == 1 ? next <= until : chance(random, 50));
    if (kept) {
      std::string sector =
          bytes.substr(static_cast<std::size_t>(from - at), static_cast<std::size_t>(next - from));
      if (kind == 2 && chance(random, 5)) {
        sector = rubbish(sector.size(), random);
      }
      put(content, from, sector);
    }
    from = next;
  }
}

}  // namespace

std::string bytes_of(const fs::path& file) {
  std::string bytes(fs::file_size(file), '\0');
  std::ifstream(file, std::ios::binary)
      .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

DiskModel::DiskModel(const fs::path& root) : root_(root.string()) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_directory()) {
      synced_folders_.insert(entry.path().string());
    } else if (entry.is_regular_file()) {
      synced_names_[entry.path().string()] = contents_.size();
      contents_.push_back({bytes_of(entry.path())});
    }
  }
  synced_folders_.insert(root_);
  names_ = synced_names_;
}

bool DiskModel::NameChange::concerns(const std::string& folder) const {
  return folder_of(path) == folder;  // the store renames within one folder only
}

void DiskModel::apply(const NameChange& change, Names& names, std::set<std::string>& folders) {
  switch (change.kind) {
    case NameChange::Kind::created:
      names[change.path] = change.file;
      break;
    case NameChange::Kind::made_folder:
      folders.insert(change.path);
      break;
    case NameChange::Kind::renamed:
      names.erase(change.from);
      names[change.path] = change.file;
      break;
    case NameChange::Kind::removed:
      names.erase(change.path);
      break;
  }
}

void DiskModel::create(const std::string& path) {
  names_[path] = contents_.size();
  name_changes_.push_back({NameChange::Kind::created, path, {}, contents_.size()});
  contents_.emplace_back();
}

void DiskModel::make_folder(const std::string& path) {
  name_changes_.push_back({NameChange::Kind::made_folder, path});
}

void DiskModel::write(const std::string& path, std::int64_t offset, std::string bytes) {
  contents_[names_.at(path)].changes.push_back({offset, std::move(bytes)});
}

void DiskModel::resize(const std::string& path, std::int64_t size) {
  contents_[names_.at(path)].changes.push_back({size, {}, true});
}

void DiskModel::rename(const std::string& from, const std::string& to) {
  const File file = names_.at(from);
  names_.erase(from);
  names_[to] = file;
  name_changes_.push_back({NameChange::Kind::renamed, to, from, file});
}

void DiskModel::remove(const std::string& path) {
  names_.erase(path);
  name_changes_.push_back({NameChange::Kind::removed, path});
}

std::string DiskModel::settled(const Content& content) {
  std::string bytes = content.synced;
  for (const Change& change : content.changes) {
    if (change.resized) {
      bytes.resize(static_cast<std::size_t>(change.at));
    } else {
      put(bytes, change.at, change.bytes);
    }
  }
  return bytes;
}

void DiskModel::sync_file(const std::string& path) {
  Content& content = contents_[names_.at(path)];
  content = {settled(content)};
}

void DiskModel::sync_folder(const std::string& path) {
  std::vector<NameChange> others;
  for (const NameChange& change : name_changes_) {
    if (change.concerns(path)) {
      apply(change, synced_names_, synced_folders_);
    } else {
      others.push_back(change);
    }
  }
  name_changes_ = std::move(others);
}

std::string DiskModel::left_of(const Content& content, std::mt19937_64& random) {
  const Luck luck = draw_luck(random);
  if (luck == Luck::nothing || content.changes.empty()) {
    return content.synced;
  }
  if (luck == Luck::everything) {
    return settled(content);
  }
  std::vector<std::size_t> sizes{content.synced.size()};
  std::vector<const Change*> writes;
  std::size_t size = content.synced.size(), longest = size;
  for (const Change& change : content.changes) {
    if (!change.resized) {
      writes.push_back(&change);
    }
    size = change.resized
               ? static_cast<std::size_t>(change.at)
               : std::max(size, static_cast<std::size_t>(change.at) + change.bytes.size());
    sizes.push_back(size);
    longest = std::max(longest, size);
  }
  std::string bytes = content.synced + rubbish(longest - content.synced.size(), random);
  if (chance(random, 50)) {
    std::shuffle(writes.begin(), writes.end(), random);
  }
  for (const Change* write : writes) {
    if (chance(random, 75)) {
      put_torn(bytes, write->at, write->bytes, random);
    }
  }
  bytes.resize(chance(random, 50) ? sizes.back() : sizes[random() % sizes.size()]);
  return bytes;
}

void DiskModel::leave(const fs::path& target, std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  Names names = synced_names_;
  std::set<std::string> folders = synced_folders_;
  const Luck luck = draw_luck(random);
  for (const NameChange& change : name_changes_) {
    if (happened(luck, random)) {
      apply(change, names, folders);
    }
  }
  fs::create_directories(target);
  for (const std::string& folder : folders) {
    if (folders.count(folder_of(folder)) != 0)  // else what it lies in was lost, and it with it
    {
      fs::create_directories(target / fs::path(folder).lexically_relative(root_));
    }
  }
  for (const auto& [path, file] : names) {
    const fs::path place = target / fs::path(path).lexically_relative(root_);
    const std::string bytes = left_of(contents_[file], random);
    if (fs::is_directory(place.parent_path())) {
      std::ofstream(place, std::ios::binary)
          .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
  }
}

}  // namespace perf::test

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>

#include "collector/hub/hub.h"
#include "collector/process/whole_file.h"
#include "collector/randomness.h"
#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/files/descriptor.h"
#include "schema/files/hold.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

using Entries = std::vector<fs::directory_entry>;

constexpr const char* kPart = ".part-";  ///< prefix of files that are being written
constexpr const char* kId = "id";        ///< the file with the hub's id

/// The entries of a folder, sorted, without links and names that begin with a dot; none where the
/// folder does not exist.
Entries entries_of(const fs::path& folder) {
  Entries entries;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename().string()[0] != '.' && !it->is_symlink(error)) {
      entries.push_back(*it);
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw Error("cannot read the hub: " + error.message(), folder.string(),
                "check that the folder exists and is readable");
  }
  std::ranges::sort(entries);
  return entries;
}

std::string name_of(const fs::directory_entry& entry) {
  return entry.path().filename().string();
}

class FolderHub : public Hub {
 public:
  FolderHub(const std::string& path, const HubTools& tools)
      : folder_(fs::weakly_canonical(tools.repository.workdir() / path)) {
    std::error_code error;
    if (!fs::is_directory(folder_, error)) {
      throw Error("no such folder", path,
                  "create the folder of a new hub first: mkdir " + shell_word(path));
    }
  }

  std::string key() override {
    std::error_code ignored;
    const bool has_id = fs::is_regular_file(fs::symlink_status(folder_ / kId, ignored));
    return hub_key("dir:" + folder_.string(), has_id ? content_of(folder_ / kId) : "",
                   !fs::exists(runs(), ignored));
  }

  HubListing list() override {
    HubListing listing;
    for (const fs::directory_entry& writer : entries_of(runs())) {
      const bool is_writer = writer.is_directory() && is_run_id(name_of(writer));
      if (!is_writer) {
        listing.strange.push_back(no_payload(name_of(writer)));
      }
      for (const fs::directory_entry& month : is_writer ? entries_in(writer, listing) : Entries()) {
        list_month(name_of(writer), month, listing);
      }
    }
    return listing;
  }

  std::string read(const HubEntry& entry) override {
    const fs::path file = runs() / entry.place;
    const Descriptor opened = open_file(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const std::optional<std::uintmax_t> size = opened ? regular_size(opened) : std::nullopt;
    std::string bytes;
    if (!size || *size > kLargestPayload) {
      throw Error("cannot read the payload", file.string(),
                  "perf-compare did not write it in this form: find out who put it there");
    }
    if (const int failed = read_up_to(opened.number(), *size, bytes); failed != 0) {
      refuse_unreadable(file.string(), failed);
    }
    return bytes;
  }

  void put(const std::string& writer, const std::vector<Payload>& payloads) override {
    std::error_code ignored;
    if (!fs::exists(runs(), ignored) && !fs::exists(folder_ / kId, ignored)) {
      const std::string part = (folder_ / kId).string() + kPart + std::to_string(getpid());
      check(write_whole_file(folder_ / kId, part, new_id() + "\n", 0644), folder_);
    }
    std::set<std::string> there;
    for (const HubEntry& entry : list().entries) {
      there.insert(entry.name);
    }
    std::set<fs::path> folders;
    for (const Payload& payload : payloads) {
      if (there.insert(payload.name).second) {
        const fs::path folder = runs() / writer / payload.month;
        if (folders.insert(folder).second) {
          make(folder);
        }
        write(folder, payload);
      }
    }
    for (const fs::path& folder : folders) {
      sync_names(folder);
    }
  }

  void drop_before(const std::string& month) override {
    for (const fs::directory_entry& writer : entries_of(runs())) {
      for (const fs::directory_entry& one :
           writer.is_directory() ? entries_of(writer) : Entries()) {
        if (is_month(name_of(one)) && name_of(one) < month) {
          remove(one);
        }
      }
    }
  }

 private:
  fs::path runs() const { return folder_ / "runs"; }

  /// An unreadable folder of one writer does not affect the others.
  static Entries entries_in(const fs::path& folder, HubListing& listing) {
    try {
      return entries_of(folder);
    } catch (const Error& error) {
      listing.strange.push_back(error);
      return {};
    }
  }

  static void list_month(const std::string& writer, const fs::directory_entry& month,
                         HubListing& listing) {
    const std::string place = writer + "/" + name_of(month);
    if (!month.is_directory() || !is_month(name_of(month))) {
      listing.strange.push_back(no_payload(place));
      return;
    }
    for (const fs::directory_entry& file : entries_in(month, listing)) {
      const std::string name = payload_name(name_of(file));
      if (name.empty()) {
        listing.strange.push_back(no_payload(place + "/" + name_of(file)));
      } else {
        listing.entries.push_back({writer, name_of(month), name, place + "/" + name_of(file)});
      }
    }
  }

  static void check(const std::error_code& failed, const fs::path& folder) {
    if (failed) {
      throw Error("cannot push a run to the hub: " + failed.message(), folder.string(),
                  "free space there, or let this user write; the run stays in the store");
    }
  }

  static void make(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    check(failed, folder);
    sweep(
        folder, [](const std::string& name) { return name.starts_with(kPart); },
        [](const fs::path& left) { fs::remove(left); });
  }

  static void write(const fs::path& folder, const Payload& payload) {
    const fs::path part = folder / (kPart + payload.name + "." + std::to_string(getpid()));
    check(write_whole_file(folder / payload_file(payload.name), part, payload.bytes, 0644), folder);
  }

  /// Syncs the folder and its parents up to the hub's own, which may be new.
  void sync_names(const fs::path& folder) const {
    for (fs::path at = folder; at != folder_.parent_path(); at = at.parent_path()) {
      const Descriptor opened = open_file(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (opened && fsync(opened.number()) != 0 && errno != EINVAL && errno != EROFS) {
        check(last_error(), at);
      }
    }
  }

  static void remove(const fs::path& folder) {
    std::error_code failed;
    fs::remove_all(folder, failed);
    if (failed) {
      throw Error("cannot remove payloads from the hub: " + failed.message(), folder.string(),
                  "let this user write there");
    }
  }

  fs::path folder_;
};

}  // namespace

std::unique_ptr<Hub> open_folder_hub(const std::string& path, const HubTools& tools) {
  return std::make_unique<FolderHub>(path, tools);
}

}  // namespace perf

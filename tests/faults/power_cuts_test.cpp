// Power fails at every call that writes a store, and sometimes again during recovery; the disk
// keeps any part of what was not synced.

#include <gtest/gtest.h>

#include <set>

#include "schema/error.h"
#include "schema/store/store.h"
#include "tests/faults/effort.h"
#include "tests/faults/power_cut_vfs.h"
#include "tests/faults/store_work.h"
#include "tests/schema/store/example.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

/// What a work does when nothing happens to it.
struct Course {
  std::vector<std::string> contents;  ///< of the store, after so many calls of it returned
  std::int64_t calls = 0;             ///< that changed files
};

/// A work and the folder that it begins with.
class Cuts {
 public:
  explicit Cuts(const StoreWork& work) : work_(work) {
    work_.prepare(folder_ / "before");
    copy("before", "first");
    course_.contents.push_back(contents_when_opened(folder_ / "first"));
    copy("before", "uncut");
    const PowerCut never(folder_ / "uncut", PowerCut::kNever);
    work_.run(folder_ / "uncut",
              [&] { course_.contents.push_back(contents_of_store(store_in(folder_ / "uncut"))); });
    course_.calls = never.calls();
  }

  std::int64_t calls() const { return course_.calls; }

  /// Cuts at a call, looks at so many of the states that the disk may be in, and says what is
  /// wrong in the first that is not as it must be; empty: none.
  std::string complaint(std::int64_t at, Sync sync, int states) {
    copy("before", "cut");
    std::size_t acknowledged = 0;
    const DiskModel disk =
        cut_off(at, sync, "cut", [&] { work_.run(folder_ / "cut", [&] { ++acknowledged; }); });
    for (int state = 0; state < states; ++state) {
      const auto seed = static_cast<std::uint64_t>(at * 1000 + state);
      fs::remove_all(folder_ / "left");
      disk.leave(folder_ / "left", seed);
      if (seed % 2 == 1) {
        cut_the_mending(static_cast<std::int64_t>(seed / 2 % kMending), sync, seed);
      }
      const std::string wrong = wrong_with(acknowledged);
      if (!wrong.empty()) {
        return work_.name + ", cut at call " + std::to_string(at) + " after " +
               std::to_string(acknowledged) + " were acknowledged, state " + std::to_string(state) +
               ": " + wrong;
      }
    }
    return "";
  }

 private:
  /// Calls by which what was left half done is undone when a store is opened, about.
  static constexpr std::int64_t kMending = 16;

  DiskModel cut_off(std::int64_t at, Sync sync, const std::string& name,
                    const std::function<void()>& work) {
    const PowerCut cut(folder_ / name, at, sync);
    try {
      work();
    } catch (const Error&) {
      // As every call fails from then on, somebody must have said so.
    }
    return cut.disk();
  }

  /// The power comes back, and goes again while the store is put in order.
  void cut_the_mending(std::int64_t at, Sync sync, std::uint64_t seed) {
    const DiskModel disk =
        cut_off(at, sync, "left", [&] { const Store store(store_in(folder_ / "left")); });
    fs::remove_all(folder_ / "left");
    disk.leave(folder_ / "left", seed + 1);
  }

  void copy(const std::string& from, const std::string& to) {
    fs::remove_all(folder_ / to);
    fs::create_directories(folder_ / from);
    fs::copy(folder_ / from, folder_ / to, fs::copy_options::recursive);
  }

  /// Everything acknowledged is there, and of the call that was under way everything or nothing.
  std::string wrong_with(std::size_t acknowledged) {
    try {
      const std::string found = contents_when_opened(folder_ / "left");
      const std::size_t next = std::min(acknowledged + 1, course_.contents.size() - 1);
      if (found != course_.contents[acknowledged] && found != course_.contents[next]) {
        return "not what was acknowledged";
      }
      const std::string bytes = bytes_of(store_in(folder_ / "left"));
      { const Store again(store_in(folder_ / "left")); }
      if (bytes_of(store_in(folder_ / "left")) != bytes) {
        return "another store when opened again";
      }
      return work_.beside ? work_.beside(folder_ / "left", acknowledged) : "";
    } catch (const Error& error) {
      return error.what + ": " + error.subject + " (" + error.hint + ")";
    }
  }

  example::Folder folder_;
  const StoreWork& work_;
  Course course_;
};

/// What cutting at every `step`th call of every work came to.
struct Tried {
  std::int64_t cuts = 0;
  std::vector<std::string> complaints;
};

Tried try_cuts(int cuts_of_each, int states, Sync sync) {
  Tried tried;
  for (const StoreWork& work : store_works()) {
    Cuts of(work);
    const std::int64_t step = std::max<std::int64_t>(1, of.calls() / cuts_of_each);
    for (std::int64_t at = 0;; at = std::min(at + step, of.calls())) {
      ++tried.cuts;
      const std::string complaint = of.complaint(at, sync, states);
      if (!complaint.empty()) {
        tried.complaints.push_back(complaint);
      }
      if (at == of.calls())  // the power went when all was done
      {
        break;
      }
    }
  }
  return tried;
}

std::string first_few(const std::vector<std::string>& complaints) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(complaints.size(), 20); ++i) {
    text += complaints[i] + "\n";
  }
  return text;
}

TEST(PowerCuts, LoseNothingThatWasAcknowledged) {
  const int states = tries(1, 3);
  const Tried tried = try_cuts(tries(7, 1'000'000), states, Sync::honest);
  EXPECT_TRUE(tried.complaints.empty()) << tried.complaints.size() << ":\n"
                                        << first_few(tried.complaints);
  figure("power cuts", std::to_string(tried.cuts) + " cut points, " + std::to_string(states) +
                           " states of the disk each, " + std::to_string(tried.complaints.size()) +
                           " with a loss");
}

// The machine must be able to show a loss: one whose syncs do nothing does.
TEST(PowerCuts, AreNoticedWithoutSyncing) {
  const Tried tried = try_cuts(tries(2, 30), 1, Sync::ignored);
  EXPECT_GT(tried.complaints.size(), 0U);
  figure("power cuts of a disk that syncs nothing", std::to_string(tried.complaints.size()) +
                                                        " losses seen at " +
                                                        std::to_string(tried.cuts) + " cut points");
}

}  // namespace
}  // namespace perf::test

// No disk space, no write permission, no home, no /proc: commands end with an error, and the store
// stays readable.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "schema/files/content.h"
#include "schema/store/connection.h"
#include "schema/text/text_parts.h"
#include "tests/contains.h"
#include "tests/faults/effort.h"
#include "tests/faults/tried_command.h"
#include "tests/sanitized.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPerfCompare = PERF_BINARY_DIR "/bin/perf-compare";
const std::vector<Arguments> kReaders{{"list"},  {"show"}, {"report"},
                                      {"trend"}, {"pins"}, {"judge", "HEAD~2", "HEAD~1"}};
const std::vector<Arguments> kWriters{{"pin", "release", "HEAD"},
                                      {"unpin", "shipped"},
                                      {"merge", "other.db"},
                                      {"prune", "--keep-steps", "0s"},
                                      {"collect", "HEAD", "--pairs", "1"},
                                      {"HEAD~1", "HEAD", "--budget", "1ms"}};

/// One for each test, because some give it to another user.
struct OwnRepository {
  MeasuredRepository own;
};

struct NoRoom : OwnRepository, TriedCommands {
  NoRoom() : TriedCommands(own) {}

  /// A command in a shell, the program as $0, its arguments as $@.
  Outcome in_shell(const std::string& script, const Arguments& arguments) const {
    return run(with_more({"sh", "-c", script, kPerfCompare}, arguments), repository_.path());
  }

  /// As another user, since permissions do not bind root: repository and command are given to it.
  Outcome as_somebody(const Arguments& arguments,
                      const std::map<std::string, std::string>& environment = {}) const {
    Arguments command{kPerfCompare};
    if (geteuid() == 0) {
      command = {"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", kPerfCompare};
    }
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, repository_.path(), environment);
  }

  void give_to_somebody() const {
    const fs::path top = repository_.path().parent_path();
    fs::permissions(top, fs::perms::group_all | fs::perms::others_all, fs::perm_options::add);
    if (geteuid() != 0) {
      return;
    }
    ASSERT_EQ(run({"chown", "-R", "65534:65534", top.string()}, repository_.path()).exit_code, 0);
  }

  void allow_writing(const fs::path& place, bool allowed) const {
    fs::permissions(place, fs::perms::owner_write,
                    allowed ? fs::perm_options::add : fs::perm_options::remove);
  }

  /// Puts a store and the journal of a killed writer in place of the store.
  void leave_hot_journal() const {
    const fs::path file = repository_.store(), work = file.string() + ".work";
    fs::copy(file, work);
    store::Connection writer(work, store::Connection::Access::read_write);
    writer.execute(
        "PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE step SET seconds = 2 * seconds;"
        "INSERT INTO pin_event (name, action, oid, reason, at)"
        " SELECT hex(randomblob(3000)), 'pin', 'a', 'b', 'c' FROM step AS s, step"
        " LIMIT 200");
    fs::copy(work, file, fs::copy_options::overwrite_existing);
    fs::copy(work.string() + "-journal", file.string() + "-journal");
    writer.execute("ROLLBACK");
  }
};

/// Whether a mount namespace with its own file system can be made here.
bool may_mount() {
  return run({"unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/tmp"}, "/").exit_code == 0;
}

void expect_refused(const Outcome& outcome, const std::string& what) {
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_TRUE(contains_all(outcome.err, {"error: ", "\nhint: ", what}));
}

TEST_F(NoRoom, EndsInAMessageOnAFullDisk) {
  Tally tally;
  const std::vector<TriedCommand> all = commands_that_write();
  for (std::size_t c = 0; c < all.size(); c += static_cast<std::size_t>(tries(4, 1))) {
    const TriedCommand& tried = all[c];
    const auto usual = static_cast<long long>(run_freely(tried).bytes);
    const int rooms = std::min<long long>(usual, tries(1, 40));
    for (int i = 0; i < rooms; ++i) {
      Failure full;
      full.room = tries(0, 1) == 1 ? usual * i / rooms : usual / 2;
      run_failing(tried, full, tally);
    }
  }
  figure("disks that fill up", tally.text());
}

/// The same with a mounted file system: the size of a store and a little more.
TEST_F(NoRoom, EndsInAMessageOnATinyFileSystem) {
  if (!may_mount()) {
    GTEST_SKIP() << "no right to mount: user namespaces are not allowed here; the preloaded "
                    "failures show the same";
  }
  const fs::path disk = repository_.path().parent_path() / "disk";
  fs::create_directory(disk);
  const auto size = fs::file_size(repository_.store()) / 1024;
  int refused = 0, done = 0;
  for (const Arguments& writer : kWriters) {
    for (int spare = 0; spare < 200; spare += tries(200, 8)) {
      repository_.restore();
      const Outcome outcome = in_shell(
          "exec unshare -rm sh -c 'mount -t tmpfs -o size=" +
              std::to_string(size + 4 + static_cast<unsigned>(spare)) + "k tmpfs " + disk.string() +
              " && cp " + repository_.store().string() + " " + disk.string() +
              "/results.db && { \"$0\" \"$@\"; code=$?; \"$0\" list --db " + disk.string() +
              "/results.db >/dev/null || exit 99; cp " + disk.string() + "/results.db* " +
              repository_.store().parent_path().string() + "; exit $code; }' \"$0\" \"$@\"",
          with_more(writer, {"--db", (disk / "results.db").string()}));
      ++(outcome.exit_code == 0 ? done : refused);
      SCOPED_TRACE(writer[0] + " with " + std::to_string(spare) + " KiB to spare");
      if (outcome.exit_code != 0) {
        expect_refused(outcome, "/disk/");
      }
      EXPECT_GE(contents_of_sound(repository_.store()).runs.size(), 2u);
    }
  }
  figure("tiny file systems", std::to_string(refused) + " commands refused, " +
                                  std::to_string(done) + " found room; every store sound");
}

/// `ulimit -f`, which would end the program by SIGXFSZ.
TEST_F(NoRoom, EndsInAMessageUnderAFileSizeLimit) {
  const std::vector<std::pair<Arguments, std::string>> commands{
      {{"collect", "HEAD", "--pairs", "1"}, "results.db"},
      {{"HEAD~1", "HEAD", "--budget", "1ms"}, "results.db"},
      {{"merge", "other.db"}, "other.db"},
      {{"export", "new.db"}, ".db"},
      {{"report", "--json", "out.json"}, "out.json"},
      {{"report", "--html", "-"}, "standard output"}};
  for (const auto& [arguments, file] : commands) {
    SCOPED_TRACE(arguments[0]);
    repository_.restore();
    const StoreContents before = contents_of_sound(repository_.store());
    // Enough for git, builds and workloads, but not for a store or a report.
    const Outcome outcome = in_shell("ulimit -f 8; exec \"$0\" \"$@\" > out.txt", arguments);
    expect_refused(outcome, file);
    EXPECT_TRUE(contains(outcome.err, "(ulimit -f)"));
    const StoreContents now = contents_of_sound(repository_.store());
    EXPECT_EQ(now.pins, before.pins);
    for (const auto& [id, run] : before.runs) {
      EXPECT_EQ(now.runs.count(id), 1u) << "run " << id << " is lost";
    }
    expect_no_leavings();
    EXPECT_FALSE(fs::exists(repository_.path() / "new.db"));
    EXPECT_FALSE(fs::exists(repository_.path() / "out.json"));
  }
}

TEST_F(NoRoom, ReadsAStoreWithoutWriteAccess) {
  give_to_somebody();
  std::vector<std::string> before;
  for (const Arguments& reader : kReaders) {
    before.push_back(as_somebody(reader).out);
  }
  const fs::path file = repository_.store(), folder = file.parent_path();
  const std::string bytes = content_of(file);
  std::vector<std::vector<fs::path>> all_places{{folder}, {file}, {file, folder}};
  all_places.resize(static_cast<std::size_t>(tries(1, 3)));
  for (const std::vector<fs::path>& places : all_places) {
    for (const fs::path& place : places) {
      allow_writing(place, false);
    }
    for (std::size_t i = 0; i < kReaders.size(); ++i) {
      const Outcome outcome = as_somebody(kReaders[i]);
      EXPECT_EQ(outcome.exit_code, 0) << kReaders[i][0] << outcome.err;
      EXPECT_EQ(first_line(outcome.out), first_line(before[i])) << kReaders[i][0];
    }
    for (const Arguments& writer : kWriters) {
      expect_refused(as_somebody(writer), ".perf-compare/");
    }
    for (const fs::path& place : places) {
      allow_writing(place, true);
    }
    EXPECT_EQ(content_of(file), bytes);
  }
}

TEST_F(NoRoom, RefusesAJournalThatCannotBeRolledBack) {
  leave_hot_journal();
  give_to_somebody();
  const fs::path file = repository_.store(), folder = file.parent_path();
  const std::string bytes = content_of(file), journal = content_of(file.string() + "-journal");
  allow_writing(file, false);
  for (const Arguments& reader : kReaders) {
    expect_refused(as_somebody(reader), "interrupted write");
  }
  allow_writing(folder, false);
  for (const Arguments& reader : kReaders) {
    expect_refused(as_somebody(reader), "interrupted write");
  }
  allow_writing(file, true);  // but not its folder, out of which the journal cannot be taken
  expect_refused(as_somebody({"list"}), "results.db-journal");
  allow_writing(folder, true);
  EXPECT_EQ(content_of(file.string() + "-journal"), journal);
  EXPECT_EQ(as_somebody({"list"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(file.string() + "-journal"));
  EXPECT_EQ(contents_of_sound(file).runs.size(), 2u);
}

TEST_F(NoRoom, ReadsOnAReadOnlyFileSystem) {
  if (!may_mount()) {
    GTEST_SKIP() << "no right to mount: user namespaces are not allowed here; the files without a "
                    "right to write show the same";
  }
  const std::string here = repository_.path().string();
  const std::string script = "exec unshare -rm sh -c 'mount --bind " + here + " " + here +
                             " && mount -o remount,bind,ro " + here + " && cd " + here +
                             " && exec \"$0\" \"$@\"' \"$0\" \"$@\"";
  for (const Arguments& reader : kReaders) {
    EXPECT_EQ(in_shell(script, reader).exit_code, 0) << reader[0];
  }
  for (const Arguments& writer : kWriters) {
    expect_refused(in_shell(script, writer), ".perf-compare/");
  }
  leave_hot_journal();
  for (const Arguments& reader : kReaders) {
    expect_refused(in_shell(script, reader), "interrupted write");
  }
}

TEST_F(NoRoom, WorksWithoutHomeAndTemporaryFolder) {
  const Arguments compare{"HEAD~1", "HEAD", "--budget", "1ms"};
  const std::string no_home = "unset HOME XDG_CACHE_HOME; exec \"$0\" \"$@\"";
  for (const Arguments& reader : kReaders) {
    EXPECT_EQ(in_shell(no_home, reader).exit_code, 0) << reader[0];
  }
  expect_refused(in_shell(no_home, compare), "XDG_CACHE_HOME");
  EXPECT_EQ(repository_.perf_compare(compare, {{"HOME", "/nowhere"}}).exit_code, 0)
      << "XDG_CACHE_HOME is enough";

  give_to_somebody();
  const fs::path locked = repository_.path().parent_path() / "locked";
  fs::create_directory(locked);
  fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                              fs::perms::others_exec);
  for (const std::string& place : {locked.string(), std::string("/proc/nowhere")}) {
    expect_refused(as_somebody(compare, {{"HOME", place}, {"XDG_CACHE_HOME", ""}}), place);
    expect_refused(as_somebody(compare, {{"XDG_CACHE_HOME", place}}), place);
    expect_refused(as_somebody(compare, {{"TMPDIR", place}}), place);
    for (const Arguments& reader : kReaders) {
      EXPECT_EQ(as_somebody(reader, {{"HOME", place}, {"XDG_CACHE_HOME", place}, {"TMPDIR", place}})
                    .exit_code,
                0)
          << reader[0];
    }
  }
}

/// Unknown facts of the machine do not prevent a comparison.
TEST_F(NoRoom, WorksWithoutProcAndSys) {
  const Arguments compare{"HEAD~1", "HEAD", "--budget", "1ms", "--json", "out.json"};
  for (const char* folder : {"/proc", "/sys"}) {
    Failure missing;
    missing.hidden = folder;
    EXPECT_TRUE(ended(repository_.perf_compare_in_time(compare, failures_.arm(missing)), 0));
    EXPECT_GT(failures_.state().failed, 0u);
    EXPECT_EQ(fault_in_report(repository_.path() / "out.json"), "");
  }
  if (!may_mount()) {
    GTEST_SKIP() << "no right to mount an empty /proc; the preloaded failures show the same";
  }
  for (const std::string folder : {"/proc", "/sys"}) {
    if (kSanitized && folder == "/proc") {
      continue;  // LeakSanitizer needs it
    }
    const Outcome outcome = in_shell("exec unshare -rm sh -c 'mount -t tmpfs tmpfs " + folder +
                                         " && exec \"$0\" \"$@\"' \"$0\" \"$@\"",
                                     compare);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
}

}  // namespace
}  // namespace perf::test

// ci/install.sh: from an archive to a prefix and back, and what it leaves when it cannot: nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

const std::string kScript = PERF_SOURCE_DIR "/ci/install.sh";
const std::string kArchive = "perf-compare-9.tar.gz";

/// Every file below a folder, and every folder that holds none.
std::set<std::string> tree(const fs::path& folder) {
  std::set<std::string> found;
  if (fs::exists(folder)) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      found.insert(entry.path().lexically_relative(folder).string());
    }
  }
  return found;
}

class Install : public ::testing::Test {
 protected:
  void SetUp() override { pack("9", "page"); }

  /// An archive of a program that says its version, and of a page of its own; and its sum, beside
  /// those of archives with other names.
  void pack(const std::string& version, const std::string& page,
            const std::string& archive = kArchive) const {
    std::ofstream(folder() / "pack") << R"sh(set -e
      rm -rf made; mkdir -p made/x/bin made/x/share/perf-compare/ci "$(dirname made/x/share/man/$2)"
      printf '#!/bin/sh\necho perf-compare %s\n' "$1" > made/x/bin/perf-compare
      chmod +x made/x/bin/perf-compare; head -c 300000 /dev/urandom > made/x/share/man/$2
      ln -s ../../../bin/perf-compare made/x/share/perf-compare/ci/perf-compare
      tar -C made -czf $3 x; sha256sum *.tar.gz > SHA256SUMS)sh";
    ASSERT_TRUE(ended(run({"sh", "pack", version, page, archive}, folder()), 0));
  }

  Outcome install(std::vector<std::string> arguments,
                  std::map<std::string, std::string> variables = {}) const {
    arguments.insert(arguments.begin(), {"sh", kScript});
    variables["HOME"] = (folder() / "home").string();
    return run(arguments, folder(), variables);
  }

  /// In a namespace of its own, where `mount` may put another file system on ./disk.
  Outcome install_on(const std::string& mount) const {
    fs::create_directories(folder() / "disk");
    return run({"unshare", "-rm", "sh", "-c",
                "mount -t tmpfs " + mount + " none disk || exit 77\nsh " + kScript + " " +
                    kArchive + " --prefix disk; status=$?; ls -A disk; exit $status"},
               folder());
  }

  static bool was_mounted(const Outcome& outcome) {
    return outcome.exit_code != 77 && outcome.exit_code != 127 && outcome.err.find("unshare") != 0;
  }

  const fs::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Install, ReportsInThreeLines) {
  const Outcome outcome = install({kArchive});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 3) << outcome.out;
  const std::string program = (folder() / "home/.local/bin/perf-compare").string();
  EXPECT_EQ(outcome.out.rfind("perf-compare 9 is installed: " + program + "\n", 0), 0U)
      << outcome.out;
  EXPECT_EQ(run({program}, folder()).out, "perf-compare 9\n");
  EXPECT_EQ(install({"--uninstall"}).exit_code, 0);
  EXPECT_EQ(tree(folder() / "home/.local"), std::set<std::string>{});
}

TEST_F(Install, TakesAUrlAndASum) {
  const std::string url = "file://" + (folder() / kArchive).string();
  const std::string sum = content_of(folder() / "SHA256SUMS").substr(0, 64);
  fs::remove(folder() / "SHA256SUMS");
  EXPECT_EQ(install({url, "--prefix", "p"}).exit_code, 3) << "there is no sum";
  EXPECT_TRUE(ended(install({url, "--prefix", "p", "--sha256", sum}), 0));
  EXPECT_TRUE(fs::exists(folder() / "p/bin/perf-compare"));
}

/// Puts a `uname -m` of another machine into the way.
std::map<std::string, std::string> on_machine(const fs::path& folder, const std::string& machine) {
  fs::create_directories(folder / "bin");
  std::ofstream(folder / "bin/uname") << "#!/bin/sh\necho " + machine + "\n";
  fs::permissions(folder / "bin/uname", fs::perms::owner_all);
  return {{"PATH", (folder / "bin").string() + ":" + std::getenv("PATH")}};
}

TEST_F(Install, ChoosesTheArchiveForThisMachine) {
  pack("9", "page", "perf-compare-9-linux-x86_64.tar.gz");
  pack("9 for Arm", "page", "perf-compare-9-linux-aarch64.tar.gz");
  for (const std::string& place : {std::string("."), "file://" + folder().string() + "/"}) {
    for (const auto& [machine, version] :
         {std::pair{"x86_64", "perf-compare 9\n"}, {"aarch64", "perf-compare 9 for Arm\n"}}) {
      EXPECT_TRUE(ended(install({place, "--prefix", "p"}, on_machine(folder(), machine)), 0));
      EXPECT_EQ(run({"p/bin/perf-compare"}, folder()).out, version);
    }
  }
  const Outcome none = install({".", "--prefix", "q"}, on_machine(folder(), "riscv64"));
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_TRUE(contains(none.err, "no archive for riscv64 in ./"));
  pack("10", "page", "perf-compare-10-linux-aarch64.tar.gz");
  EXPECT_EQ(install({".", "--prefix", "q"}, on_machine(folder(), "aarch64")).exit_code, 3)
      << "there are two";
  EXPECT_FALSE(fs::exists(folder() / "q"));
}

TEST_F(Install, RefusesTheArchiveOfAnotherMachine) {
  pack("9", "page", "perf-compare-9-linux-x86_64.tar.gz");
  const Outcome outcome = install({"perf-compare-9-linux-x86_64.tar.gz", "--prefix", "p"},
                                  on_machine(folder(), "aarch64"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(contains(outcome.err, "the archive is for another machine than aarch64"));
  EXPECT_FALSE(fs::exists(folder() / "p"));
}

TEST_F(Install, UpgradesAndKeepsForeignFiles) {
  fs::create_directories(folder() / "p/bin");
  std::ofstream(folder() / "p/bin/other") << "mine";
  ASSERT_EQ(install({kArchive, "--prefix", "p"}).exit_code, 0);
  pack("10", "new_page");
  ASSERT_EQ(install({kArchive, "--prefix", "p"}).exit_code, 0);
  EXPECT_EQ(run({"p/bin/perf-compare"}, folder()).out, "perf-compare 10\n");
  EXPECT_TRUE(fs::exists(folder() / "p/share/man/new_page"));
  EXPECT_FALSE(fs::exists(folder() / "p/share/man/page")) << "only the version before had it";
  EXPECT_EQ(install({"--uninstall", "--prefix", "p"}).exit_code, 0);
  EXPECT_EQ(tree(folder() / "p"), (std::set<std::string>{"bin", "bin/other"}));
}

TEST_F(Install, RefusesADamagedArchive) {
  for (const bool was_installed : {false, true}) {
    const std::set<std::string> before = tree(folder() / "p");
    fs::copy_file(folder() / kArchive, folder() / "whole");
    fs::resize_file(folder() / kArchive, 1000);
    EXPECT_TRUE(ended(install({kArchive, "--prefix", "p"}), 3, {"wrong checksum"}));
    EXPECT_EQ(tree(folder() / "p"), before);
    EXPECT_EQ(fs::exists(folder() / "p"), was_installed);
    // With a sum that fits, it is the archive itself that is no archive.
    const std::string sum = run({"sha256sum", kArchive}, folder()).out.substr(0, 64);
    const Outcome no_archive = install({kArchive, "--prefix", "p", "--sha256", sum});
    EXPECT_EQ(no_archive.exit_code, 3);
    EXPECT_TRUE(contains(no_archive.err, "cannot unpack the archive"));
    EXPECT_EQ(tree(folder() / "p"), before);
    fs::rename(folder() / "whole", folder() / kArchive);
    ASSERT_EQ(install({kArchive, "--prefix", "p"}).exit_code, 0);
  }
}

TEST_F(Install, RefusesAProgramThatDoesNotRun) {
  ASSERT_EQ(install({kArchive, "--prefix", "p"}).exit_code, 0);
  pack("10; exit 1", "page");
  EXPECT_TRUE(ended(install({kArchive, "--prefix", "p"}), 3, {"does not run on this machine"}));
  EXPECT_EQ(run({"p/bin/perf-compare"}, folder()).out, "perf-compare 9\n");
}

// A file where a folder has to be: found only while files are put into their places.
TEST_F(Install, RemovesPlacedFilesOnFailure) {
  ASSERT_EQ(install({kArchive, "--prefix", "p"}).exit_code, 0);
  const std::set<std::string> before = tree(folder() / "p");
  pack("10", "page/below");
  EXPECT_TRUE(ended(install({kArchive, "--prefix", "p"}), 3));
  EXPECT_EQ(run({"p/bin/perf-compare"}, folder()).out, "perf-compare 9\n");
  EXPECT_EQ(tree(folder() / "p"), before);
}

TEST_F(Install, LeavesNothingOnAFullOrReadOnlyDisk) {
  for (const auto& [disk, says] : {std::pair{"-o size=400k", "nothing was changed"},
                                   {"-o ro", "cannot write to the folder: "}}) {
    const Outcome outcome = install_on(disk);
    if (!was_mounted(outcome)) {
      GTEST_SKIP() << "no file system may be mounted here: " << outcome.err;
    }
    EXPECT_EQ(outcome.exit_code, 3) << disk;
    EXPECT_EQ(outcome.out, "") << "what it left";
    EXPECT_TRUE(contains(outcome.err, says));
  }
}

TEST_F(Install, RefusesInvalidArguments) {
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{},
                                             {"a", "b"},
                                             {"--prefix"},
                                             {"--sha256", ""},
                                             {"--force", "a"},
                                             {"--uninstall", "a"}}) {
    EXPECT_EQ(install(wrong).exit_code, 2);
  }
  EXPECT_EQ(install({"--uninstall"}).exit_code, 3) << "nothing is installed";
  EXPECT_EQ(install({kArchive, "--prefix", kArchive + "/below"}).exit_code, 3);
}

}  // namespace
}  // namespace perf::test

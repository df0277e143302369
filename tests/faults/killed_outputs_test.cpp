// kill -9 of a command that writes files: each is complete, or as before.

#include <gtest/gtest.h>

#include <fstream>

#include "schema/files/content.h"
#include "tests/faults/brief_repository.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_work.h"
#include "tests/faults/striker.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

constexpr int kOutputKilled = 128 + SIGKILL;

const std::vector<std::string> kFiles{"out.json", "out.md", "out.html", "out.xml", "out.om"};

class KilledOutputs : public ::testing::Test {
 protected:
  KilledOutputs() {
    EXPECT_EQ(repository_.perf_compare({"HEAD~1", "HEAD", "--budget", "60ms"}).exit_code, 0);
  }

  fs::path at(const std::string& name) const { return folder() / name; }
  fs::path folder() const { return repository_.path().parent_path() / "out"; }

  BriefRepository repository_{2};
};

TEST_F(KilledOutputs, AreWholeOrThePreviousReports) {
  std::vector<std::string> arguments{"report"};
  const std::vector<std::string> options{"--json", "--markdown", "--html", "--junit",
                                         "--openmetrics"};
  for (std::size_t i = 0; i < kFiles.size(); ++i) {
    arguments.push_back(options[i]);
    arguments.push_back(at(kFiles[i]).string());
  }
  fs::create_directory(folder());
  Striker striker(arguments, repository_.path());
  ASSERT_EQ(striker.run_freely().exit_code, 0);
  std::map<std::string, std::string> whole;
  for (const std::string& name : kFiles) {
    whole[name] = content_of(at(name));
  }
  int kills = 0, written = 0;
  for (const int wanted = tries(3, 200); kills < wanted && !HasFailure();) {
    SCOPED_TRACE(std::to_string(kills) + " kills");
    if (kills % 20 == 19)  // the machine may have become busier, or calmer
    {
      striker.run_freely();
    }
    for (const std::string& name : kFiles) {
      std::ofstream(at(name)) << "as it was\n";
    }
    const bool killed = striker.strike().exit_code == kOutputKilled;
    for (const std::string& name : kFiles) {
      const std::string text = content_of(at(name));
      EXPECT_TRUE(text == whole[name] || text == "as it was\n") << name << ":\n" << text;
      written += killed && text == whole[name] ? 1 : 0;
    }
    kills += killed ? 1 : 0;
  }
  ASSERT_EQ(striker.run_freely().exit_code, 0);
  const auto files = std::distance(fs::directory_iterator(folder()), fs::directory_iterator());
  EXPECT_EQ(files, static_cast<std::ptrdiff_t>(kFiles.size())) << "and nothing of the dead";
  figure("kill -9 of report", std::to_string(kills) + " kills; " + std::to_string(written) +
                                  " files were new and whole, the others as before");
}

TEST_F(KilledOutputs, AreWholeCopiesOrNone) {
  fs::create_directory(folder());
  Striker striker({"export", at("copy.db").string()}, repository_.path());
  ASSERT_EQ(striker.run_freely().exit_code, 0);
  const std::string whole = contents_of_store(repository_.store());
  int kills = 0, written = 0;
  for (const int wanted = tries(3, 200); kills < wanted && !HasFailure();) {
    SCOPED_TRACE(std::to_string(kills) + " kills");
    fs::remove(at("copy.db"));
    if (kills % 20 == 19) {
      striker.run_freely();
      fs::remove(at("copy.db"));
    }
    const bool killed = striker.strike().exit_code == kOutputKilled;
    const bool there = fs::exists(at("copy.db"));
    EXPECT_TRUE(killed || there);
    if (there) {
      EXPECT_EQ(contents_of_store(at("copy.db")), whole);
    }
    kills += killed ? 1 : 0;
    written += killed && there ? 1 : 0;
  }
  fs::remove(at("copy.db"));
  ASSERT_EQ(striker.run_freely().exit_code, 0);
  const auto files = std::distance(fs::directory_iterator(folder()), fs::directory_iterator());
  EXPECT_EQ(files, 1) << "and nothing of the dead";
  figure("kill -9 of export",
         std::to_string(kills) + " kills; " + std::to_string(written) + " whole copies");
}

}  // namespace
}  // namespace perf::test

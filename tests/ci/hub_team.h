#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"
#ifdef PERF_COMPARE_LIBPQ
#include "collector/postgres/connection.h"
#include "tests/collector/postgres/server.h"
#endif

namespace perf::test {

/// A history whose remote is beside it, and machines that have a clone, a store and a cache each.
struct Team : ClaimedHistory {
  Team() {
    git({"init", "-q", "--bare", remote().string()});
    git({"remote", "add", "origin", remote().string()});
    git({"push", "-q", "origin", "HEAD"});
    std::filesystem::create_directory(shared());
  }
  std::filesystem::path remote() const { return path().parent_path() / "remote.git"; }
  std::filesystem::path shared() const { return path().parent_path() / "shared"; }
  std::string store(const std::string& machine) const {
    return (path().parent_path() / (machine + ".db")).string();
  }
  Outcome at(const std::string& machine, std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--db", store(machine)});
    return perf_compare(arguments, {{"XDG_CACHE_HOME", (path().parent_path() / machine).string()}});
  }
  std::size_t runs(const std::string& machine) const {
    return nlohmann::json::parse(at(machine, {"list", "--json", "-"}).out).at("runs").size();
  }
  /// The hubs are lost, and made anew at the same addresses.
  void make_hub_anew() const {
    std::filesystem::remove_all(shared());
    std::filesystem::create_directory(shared());
    std::filesystem::remove_all(remote());
    run({"git", "init", "-q", "--bare", remote()}, path());
#ifdef PERF_COMPARE_LIBPQ
    if (!postgres_.empty()) {
      postgres::Connection(postgres_, {}).execute("DROP SCHEMA perf_compare CASCADE");
      EXPECT_EQ(perf_compare({"hub", "init", postgres_}).exit_code, 0);
    }
#endif
  }
  /// What lies in the hubs was brought there in January 2020.
  void make_old() const {
    for (const std::filesystem::directory_entry& entry :
         std::filesystem::recursive_directory_iterator(shared())) {
      if (entry.is_directory() && entry.path().parent_path().parent_path() == shared() / "runs") {
        std::filesystem::rename(entry.path(), entry.path().parent_path() / "2020-01");
        break;
      }
    }
#ifdef PERF_COMPARE_LIBPQ
    if (!postgres_.empty()) {
      postgres::Connection(postgres_, {})
          .execute("UPDATE perf_compare.payload SET month = '2020-01'");
    }
#endif
    run({"sh", "-c",
         "for ref in $(git for-each-ref --format='%(refname)' refs/perf-compare/runs); do git "
         "update-ref "
         "${ref%/*}/2020-01 $ref && git update-ref -d $ref; done"},
        remote());
  }
  /// The address of a hub of a kind.
  std::string hub(const std::string& kind) const {
#ifdef PERF_COMPARE_LIBPQ
    if (kind == "postgres") {
      if (postgres_.empty()) {
        postgres_ = new_postgres_hub();
      }
      return postgres_;
    }
#endif
    return kind == "git" ? "git:origin" : "dir:" + shared().string();
  }

 private:
  mutable std::string postgres_{};
};

}  // namespace perf::test

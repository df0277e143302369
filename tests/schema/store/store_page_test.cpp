// docs/store.md is a promise to people with sqlite3: its queries run, and it leaves no table out.

#include <gtest/gtest.h>

#include <sstream>

#include "schema/files/content.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/contains.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

constexpr std::size_t kFewestQueries = 5;

std::string page() {
  return content_of(std::filesystem::path(PERF_SOURCE_DIR) / "docs/store.md");
}

std::vector<std::string> queries_of(const std::string& text) {
  std::vector<std::string> queries;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "```sql") {
      inside = true;
      queries.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      queries.back() += line + "\n";
    }
  }
  return queries;
}

/// Two nights of two commits, with everything that a query may ask for.
void fill(const std::filesystem::path& file) {
  Store store(file);
  for (const char* run : {"run-1", "run-2"}) {
    store.begin_run(example::plan(run), example::policy(), "0.1.0");
    for (int i = 0; i < 12; ++i) {
      store.add(run, example::invocation(i, 8));
    }
    store.add(run, example::failed_invocation(12));
    Report report = example::report(run);
    Comparison undecided = report.comparisons[0];
    undecided.metric = kPeakRss;
    undecided.verdict = Verdict::inconclusive;
    undecided.pairs_needed = 40;
    report.comparisons.push_back(undecided);
    store.finish_run(report);
  }
  store.pin({"release", std::string(40, 'a'), "v1.2 shipped", "2026-01-01T00:00:00Z"});
}

TEST(StorePage, HasQueriesThatFindRows) {
  const example::Folder folder;
  fill(folder / "results.db");
  const std::vector<std::string> queries = queries_of(page());
  ASSERT_GE(queries.size(), kFewestQueries);
  store::Connection connection(folder / "results.db", store::Connection::Access::read_only);
  for (const std::string& query : queries) {
    try {
      EXPECT_TRUE(connection.query(query).next()) << "no rows: " << query;
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what() << "\n" << query;
    }
  }
}

/// Two workloads may run one program, whose blocks name themselves alike.
TEST(StorePage, SeparatesWorkloadsWithEqualBlockNames) {
  const example::Folder folder;
  Plan plan = example::plan("run-1");
  plan.workloads.push_back(plan.workloads[0]);
  plan.workloads.back().workload.name = "training/mlp_stack_deep";
  {
    Store store(folder / "results.db");
    store.begin_run(plan, example::policy(), "0.1.0");
    for (int i = 0; i < 2; ++i) {
      Invocation one = example::invocation(i, 8);
      one.side = Side::head;
      one.oid = plan.head.oid;
      one.workload = plan.workloads[i == 0 ? 0 : 2].workload.name;
      store.add("run-1", one);
    }
  }
  store::Connection connection(folder / "results.db", store::Connection::Access::read_only);
  int looked_at = 0;
  for (const std::string& query : queries_of(page())) {
    if (query.find("FROM steps") == std::string::npos &&
        query.find("FROM phases") == std::string::npos) {
      continue;
    }
    ++looked_at;
    std::string count = "SELECT count(DISTINCT workload) FROM (" + query;
    count.erase(count.rfind(';'));
    try {
      store::Statement rows = connection.query(count + ")");
      ASSERT_TRUE(rows.next());
      int workloads = 0;
      rows.read(workloads);
      EXPECT_EQ(workloads, 2) << query;
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what() << "\n" << query;
    }
  }
  EXPECT_EQ(looked_at, 2);
}

TEST(StorePage, NamesEveryTableAndViewAndColumn) {
  const example::Folder folder;
  Store store(folder / "results.db");
  store::Connection connection(folder / "results.db", store::Connection::Access::read_only);
  const std::string text = page();
  store::Statement rows = connection.query(
      "SELECT s.name, c.name, s.type FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c "
      "WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite%'");
  for (std::string table, column, type; rows.next();) {
    rows.read(table, column, type);
    EXPECT_TRUE(contains(text, "`" + table + "`")) << "not described: " << table;
    if (type == "table") {
      EXPECT_TRUE(contains(text, column)) << "not described: " << table << "." << column;
    }
  }
}

}  // namespace
}  // namespace perf

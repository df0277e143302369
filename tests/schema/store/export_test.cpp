#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

void fill(const fs::path& file, int invocations) {
  Store store(file);
  store.begin_run(example::plan(), example::policy(), "0.1.0");
  for (int i = 0; i < invocations; ++i) {
    store.add("run-1", example::invocation(i, 9));
  }
  store.pin({"release", std::string(40, 'a'), "shipped", "t"});
}

TEST(Export, CopiesTheWholeStore) {
  const example::Folder folder;
  fill(folder / "results.db", 6);
  const Store store(folder / "results.db");
  const ExportResult result = store.export_to(folder / "copy.db");
  EXPECT_EQ(result.runs, 1);
  EXPECT_EQ(result.commits, 2);
  EXPECT_EQ(result.steps, 6 * (9 + 1));
  EXPECT_EQ(result.bytes, static_cast<std::int64_t>(fs::file_size(folder / "copy.db")));
  const Store copy(folder / "copy.db");
  EXPECT_EQ(example::dump(copy.load("run-1")), example::dump(store.load("run-1")));
  EXPECT_EQ(copy.pins().size(), 1U);
  EXPECT_TRUE(copy.problems().empty());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2);
}

TEST(Export, ReadsAReadOnlyStore) {
  const example::Folder folder;
  fill(folder / "results.db", 1);
  const Store store(folder / "results.db", Store::Access::read_only);
  EXPECT_EQ(store.export_to(folder / "copy.db").runs, 1);
}

TEST(Export, ReplacesNothing) {
  const example::Folder folder;
  fill(folder / "results.db", 1);
  const Store store(folder / "results.db");
  example::write(folder / "file", "mine");
  example::write(folder / "empty", "");
  fs::create_symlink(folder / "nowhere", folder / "dangling");
  for (const char* name : {"file", "empty", "dangling", "results.db", "no/such/folder/copy.db"}) {
    EXPECT_THROW(store.export_to(folder / name), UsageError) << name;
  }
  EXPECT_EQ(content_of(folder / "file"), "mine");
  EXPECT_EQ(content_of(folder / "empty"), "");
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
}

}  // namespace
}  // namespace perf

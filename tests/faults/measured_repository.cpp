#include "tests/faults/measured_repository.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/store/store.h"
#include "tests/faults/program_for.h"
#include "tests/schema/store/example.h"
#include "tests/schema/store/older_store.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

/// In the shell alone: it starts no other program.
constexpr const char* kBenchmark = R"sh(#!/bin/sh
read -r work < work
exec > "$PERF_COMPARE_OUT"
echo '{"type":"begin","protocol":1,"workload":"claimed","params":{}}'
step=0
while [ $step -lt "$PERF_COMPARE_STEPS" ]; do
  echo '{"type":"step","index":'$step',"warmup":false,"seconds":0.'$work'}'
  step=$((step + 1))
done
echo '{"type":"end"}'
)sh";

void replace(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

MeasuredRepository::MeasuredRepository() : kept_(path().parent_path() / "kept") {
  write("bench", kBenchmark, true);
  write("perf-compare.json", R"({"workloads": [{"name": "claimed", "command": ["./bench"]}]})");
  write(".gitignore", "*.db\nout.*\nnew.json\n");
  write("hyperfine.json",
        R"({"results": [{"command": "sleep", "mean": 0.1, "times": [0.1, 0.11, 0.1]}]})");
  for (const char* work : {"100", "130", "131"}) {
    write("work", work);
    commit(std::string("Take ") + work + " ms");
  }
  const auto must = [this](const std::vector<std::string>& arguments) {
    EXPECT_TRUE(ended(perf_compare(arguments), 0));
  };
  must({"HEAD~2", "HEAD~1", "--budget", "1ms", "--db", other().string()});
  must({"HEAD~2", "HEAD", "--budget", "1ms"});
  must({"collect", "HEAD~1", "--pairs", "1"});
  must({"pin", "shipped", "HEAD~1", "--reason", "the first"});
  fs::create_directory(kept_);
  fs::copy(store(), kept_ / "results.db");
  fs::copy(other(), kept_ / "other.db");
  example::make_older_store(kept_ / "old.db", 1000);
}

void MeasuredRepository::restore() const {
  for (const fs::directory_entry& entry : fs::directory_iterator(path())) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("out.", 0) == 0 || name.rfind("new.", 0) == 0 || name.rfind("merge-", 0) == 0) {
      fs::remove_all(entry.path());
    }
  }
  fs::remove_all(store().parent_path());
  fs::create_directory(store().parent_path());
  fs::copy(kept_ / "results.db", store());
  replace(kept_ / "other.db", other());
}

void MeasuredRepository::make_store_old() const {
  replace(kept_ / "old.db", store());
}

Outcome MeasuredRepository::perf_compare_in_time(
    const std::vector<std::string>& arguments,
    const std::map<std::string, std::string>& environment) const {
  return run(with_more({"timeout", "-s", "KILL", "60", program_for(arguments)}, arguments), path(),
             environment);
}

StoreContents contents_of_sound(const fs::path& file) {
  StoreContents contents;
  try {
    example::open_older_store(file);
    const Store store(file);
    for (const std::string& problem : store.problems()) {
      ADD_FAILURE() << file << ": " << problem;
    }
    for (const std::string& id : store.run_ids({})) {
      contents.runs[id] = example::dump(store.load(id));
    }
    for (const Baseline& pin : store.pins()) {
      contents.pins.push_back(pin.name + " " + pin.oid + " " + pin.reason);
    }
  } catch (const Error& error) {
    ADD_FAILURE() << "the store cannot be read: " << error.what << ": " << error.subject;
  }
  return contents;
}

std::string fault_in_report(const fs::path& file) {
  const std::string text = content_of(file);
  const std::string kind = file.extension().string();
  if (kind == ".json" && !nlohmann::json::accept(text, /*ignore_comments=*/true)) {
    return "no whole JSON";
  }
  if (kind == ".html" && !ends_with(text, "</html>\n")) {
    return "no whole page";
  }
  if (kind == ".xml" && !ends_with(text, "</testsuites>\n")) {
    return "no whole JUnit file";
  }
  if (kind == ".md" && !ends_with(text, "</details>\n")) {
    return "no whole Markdown";
  }
  if (kind == ".om" && !ends_with(text, "# EOF\n")) {
    return "no whole OpenMetrics text";
  }
  return "";
}

}  // namespace perf::test

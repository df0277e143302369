#include "tests/ci/same_program/field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kSources = PERF_SOURCE_DIR "/tests/ci/same_program/";

constexpr const char* kBuild = R"sh(set -e
cc -O1 -o ask ask.c -pthread -ldl
cc -o edit edit.c
for value in 0 1 2; do cc -c -fPIC -DVALUE=$value own.c -o own$value.o; done
export ASK=$PWD/ask
for build in changed/*/at/build.sh kept/*/at/build.sh; do
  [ ! -e $build ] || (cd $(dirname $build) && sh -e ./build.sh)
done
)sh";

Json entry_of(const std::string& folder, const std::string& name, const std::string& command,
              const std::vector<std::string>& inputs) {
  Json entry = {{"name", name},
                {"command", {"sh", "-c", "cd " + folder + "; ASK=$PWD/../../../ask; " + command}},
                {"format", "process"}};
  for (const std::string& input : inputs) {
    entry["inputs"].push_back(folder + "/" + input);
  }
  return entry;
}

std::string config_of(const std::vector<Plant>& plants) {
  Json config;
  config["build"]["command"] = {"sh", "build.sh"};
  for (const Plant& plant : plants) {
    for (const std::string kind : {"changed", "kept"}) {
      if (kind == "kept" && plant.doubtful) {
        continue;
      }
      const std::string name = kind + "/" + plant.name, folder = name + "/at";
      if (!plant.first.empty()) {
        config["workloads"].push_back(entry_of(folder, name + ".first", plant.first, {}));
      }
      config["workloads"].push_back(entry_of(folder, name, plant.command, plant.inputs));
    }
  }
  return config.dump(1);
}

}  // namespace

std::map<std::string, Row> rows_of(const Outcome& outcome) {
  std::map<std::string, Row> rows;
  const Json report = Json::parse(outcome.out, nullptr, false);
  if (report.is_discarded()) {
    ADD_FAILURE() << outcome.out << outcome.err;
    return rows;
  }
  const auto text = [](const Json& row, const char* name) {
    return row.at(name).is_string() ? row.at(name).get<std::string>() : std::string();
  };
  for (const Json& row : report.at("comparisons")) {
    if (row.at("metric") == "step_time" || !rows.contains(row.at("workload"))) {
      rows[row.at("workload")] = {text(row, "basis"), text(row, "measured_because"),
                                  text(row, "verdict")};
    }
  }
  return rows;
}

Field::Field(const std::vector<Plant>& plants) : plants_(plants) {
  for (const char* const name : {"ask.c", "edit.c", "own.c"}) {
    write(name, content_of(std::string(kSources) + name));
  }
  write("build.sh", kBuild);
  write(".gitignore", "/ask\n/edit\n/own*.o\n");
  commit("Begin");
  run_script("cc -O1 -o ask ask.c -pthread -ldl");
  std::erase_if(plants_, [this](const Plant& plant) { return !can_be(plant); });
  std::string script;
  grow("changed", &Plant::base, script);
  grow("kept", &Plant::base, script);
  run_script(script);
  for (const Plant& plant : plants_) {
    for (const std::string kind : {"changed/", "kept/"}) {
      if (!plant.build.empty()) {
        write(kind + plant.name + "/at/build.sh", plant.build);
      }
    }
  }
  write("perf-compare.json", config_of(plants_));
  commit("Grow");
  script.clear();
  grow("changed", &Plant::head, script);
  run_script(script);
  commit("Change");
}

void Field::run_script(const std::string& text) {
  write("../script.sh", "set -e\nASK=$PWD/ask\n" + text);
  const Outcome outcome = run({"sh", "../script.sh"}, path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
}

void Field::grow(const std::string& kind, std::string Plant::*text, std::string& script) const {
  for (const Plant& plant : plants_) {
    const std::string folder = kind + "/" + plant.name + "/at";
    script += "mkdir -p " + folder + "\n(cd " + folder + "\n: > .kept\n" + plant.*text + "\n)\n";
  }
}

/// Tries what the machine, or the disk, may not allow.
bool Field::can_be(const Plant& plant) {
  if (!plant.may_fail) {
    return true;
  }
  write("../try.sh",
        "set -e\nASK=$PWD/ask\nmkdir -p ../try\ncd ../try\n" + plant.base + "\n" + plant.command);
  const bool can = run({"sh", "../try.sh"}, path()).exit_code == 0;
  if (!can) {
    std::fprintf(stderr, "not on this machine: %s\n", plant.name.c_str());
  }
  return can;
}

bool can_trace() {
  return run({"strace", "-f", "-o", "/dev/null", "true"}, "/").exit_code == 0;
}

}  // namespace perf::test

#include "tests/faults/preloaded_failures.h"

#include <cstring>
#include <fstream>

namespace perf::test {

std::string described(const Failure& failure) {
  if (failure.room >= 0) {
    return "the disk takes " + std::to_string(failure.room) + " B";
  }
  if (!failure.hidden.empty()) {
    return failure.hidden + " is not there";
  }
  const char* name = failure.error == 0 ? nullptr : strerrorname_np(failure.error);
  return std::string(kKinds[failure.kind]) + " " + std::to_string(failure.number) +
         (failure.from_there_on ? " and all after it" : "") +
         (name != nullptr ? std::string(" fails with ") + name : " is short");
}

PreloadedFailures::PreloadedFailures(const std::filesystem::path& folder)
    : file_(folder / "failing_state") {}

std::map<std::string, std::string> PreloadedFailures::arm(const Failure& failure) const {
  std::ofstream(file_, std::ios::binary) << std::string(sizeof(State), '\0');
  std::map<std::string, std::string> environment{
      {"LD_PRELOAD", FAILING_CALLS_LIBRARY},    {"ASAN_OPTIONS", "verify_asan_link_order=0"},
      {"FAILING_PROGRAM", "perf-compare"},      {"FAILING_STATE", file_.string()},
      {"TMPDIR", file_.parent_path().string()},  // what cannot be removed is gone with the test
  };
  if (failure.kind != kKindCount) {
    environment["FAILING_CALL"] = kKinds[failure.kind];
    environment["FAILING_NTH"] = std::to_string(failure.number);
    environment["FAILING_ERRNO"] = std::to_string(failure.error);
    environment["FAILING_ON"] = failure.from_there_on ? "1" : "0";
  }
  if (failure.room >= 0) {
    environment["FAILING_ROOM"] = std::to_string(failure.room);
  }
  if (!failure.hidden.empty()) {
    environment["FAILING_HIDE"] = failure.hidden;
  }
  if (!failure.file.empty()) {
    environment["FAILING_FILE"] = failure.file;
  }
  return environment;
}

State PreloadedFailures::state() const {
  State state{};
  std::ifstream(file_, std::ios::binary).read(reinterpret_cast<char*>(&state), sizeof state);
  return state;
}

}  // namespace perf::test

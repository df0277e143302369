#include "processes.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace perf::testing {
namespace {

Spawner spawner_made_first;

}  // namespace

Spawner& early_spawner() {
  return spawner_made_first;
}

std::string unique_marker() {
  static int count = 0;
  return "marker-" + std::to_string(getpid()) + "-" + std::to_string(++count) + "-";
}

int count_marked(const std::string& marker) {
  int marked = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc", error), end; !error && it != end;
       it.increment(error)) {
    if (std::isdigit(static_cast<unsigned char>(it->path().filename().string()[0])) == 0) {
      continue;
    }
    std::ifstream file(it->path() / "cmdline", std::ios::binary);
    std::string line(1 << 12, '\0');
    file.read(line.data(), static_cast<std::streamsize>(line.size()));  // it may end meanwhile
    marked += line.find(marker) != std::string::npos ? 1 : 0;
  }
  return marked;
}

int wait_for_marked(const std::string& marker, int wanted) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  int marked = count_marked(marker);
  while (marked != wanted && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    marked = count_marked(marker);
  }
  return marked;
}

ProcessRequest actor(const std::string& play, int number, const std::string& marker) {
  return program({PROCESS_ACTOR, play, std::to_string(number), marker});
}

ProcessRequest shell(const std::string& script) {
  return program({"sh", "-c", script});
}

ProcessRequest program(std::vector<std::string> command) {
  ProcessRequest request;
  request.command = std::move(command);
  request.directory = "/";
  request.timeout = 60;  // for a machine that hangs; no test waits for it
  return request;
}

}  // namespace perf::testing

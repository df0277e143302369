#include "tests/device/scripted_devices.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace perf::testing {

ScriptedDevices::ScriptedDevices(const std::string& script) {
  std::ofstream(file()) << script;
  setenv("NVML_SCRIPT", file().c_str(), 1);
  setenv("LD_LIBRARY_PATH", NVML_FOLDER, 1);
}

ScriptedDevices::~ScriptedDevices() {
  unsetenv("NVML_SCRIPT");
  unsetenv("LD_LIBRARY_PATH");
}

std::string ScriptedDevices::run(const std::string& words) const {
  const std::string command = "'" PERF_DEVICE "' " + words + " 2>&1; echo exit $?";
  FILE* const output = popen(command.c_str(), "r");
  std::string text;
  char piece[4096];
  for (std::size_t size = 0; (size = fread(piece, 1, sizeof piece, output)) > 0;) {
    text.append(piece, size);
  }
  pclose(output);
  return text;
}

std::string ScriptedDevices::watch(const std::string& options) const {
  return run("watch --own " + our_pid() + " " + options);
}

std::string one_device(const std::string& lines) {
  return "device GPU-1 NVIDIA H200\ntotal 150754820096\nmax_clock 1980\n" + lines;
}

std::string our_pid() {
  return std::to_string(getpid());
}

}  // namespace perf::testing

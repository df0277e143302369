// A workload for tests of hostile input: writes the lines that WITNESS_LINES names, or else a valid
// run, and appends its arguments to the file WITNESS_ARGUMENTS, each with a NUL behind it.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

int main(int argc, char** argv) {
  const char* const out = std::getenv("PERF_COMPARE_OUT");
  const char* const lines = std::getenv("WITNESS_LINES");
  const char* const arguments = std::getenv("WITNESS_ARGUMENTS");
  if (out == nullptr) {
    return 1;
  }
  if (arguments != nullptr) {
    std::ofstream file(arguments, std::ios::binary | std::ios::app);
    for (int i = 1; i < argc; ++i) {
      file << argv[i] << '\0';
    }
  }
  std::ofstream file(out, std::ios::binary);
  if (lines != nullptr) {
    std::ifstream given(lines, std::ios::binary);
    std::copy(std::istreambuf_iterator<char>(given), {}, std::ostreambuf_iterator<char>(file));
    return 0;
  }
  file << R"({"type":"begin","protocol":1,"workload":"w","params":{}})" << '\n'
       << R"({"type":"step","index":0,"warmup":false,"seconds":0.1})" << '\n'
       << R"({"type":"step","index":1,"warmup":false,"seconds":0.1})" << '\n'
       << R"({"type":"end"})" << '\n';
}

// Kept equal to the example in workloads/step_emitter.h, but for the work it times.
#include <cmath>
#include <string>

#include "workloads/step_emitter.h"

namespace {
int lines = 0;
std::string make_text(int count, std::uint64_t seed) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::to_string(seed + static_cast<unsigned>(i)) + "\n";
  }
  return text;
}
void parse(const std::string& text) {
  lines = 0;
  for (const char letter : text) {
    lines += letter == '\n' ? 1 : 0;
  }
}
double parsed() {
  return lines;
}
}  // namespace

int main() {
  perf_compare::StepEmitter out("parser", {{"lines", 1000}});
  const std::string text = make_text(1000, out.wanted().seed);
  while (out.next_step()) {
    parse(text);
    out.phase("parse");
  }
  out.check("parsed_all_lines", std::abs(parsed() - 1000.0), 0.0);
  out.finish();
}

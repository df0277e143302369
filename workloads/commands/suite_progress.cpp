#include "workloads/commands/suite_progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "workloads/commands/suite_table.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kBarCells = 20;
constexpr const char* kClearLine = "\r\x1b[K";

bool can_redraw(std::FILE* out) {
  const char* terminal = std::getenv("TERM");
  return isatty(fileno(out)) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::size_t columns_of(std::FILE* out) {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace

std::string progress_line(const SuiteProgress& progress, std::size_t width) {
  const std::size_t filled = progress.all > 0 ? kBarCells * progress.done / progress.all : 0;
  std::string line = fmt::format("[{}{}] {}/{}  {}", std::string(filled, '='),
                                 std::string(kBarCells - filled, ' '), progress.done, progress.all,
                                 clock_text(progress.elapsed));
  if (progress.done > 0) {
    line += fmt::format(", about {} left",
                        clock_text(progress.elapsed / static_cast<double>(progress.done) *
                                   static_cast<double>(progress.all - progress.done)));
  }
  line += "  " + progress.running;
  return line.substr(0, width);
}

ProgressBar::ProgressBar(std::FILE* out) : out_(can_redraw(out) ? out : nullptr) {}

ProgressBar::~ProgressBar() {
  if (!drawn_) {
    return;
  }
  std::fputs(kClearLine, out_);
  std::fflush(out_);
}

void ProgressBar::show(const SuiteProgress& progress) {
  if (out_ == nullptr) {
    return;
  }
  // In the last column some terminals begin a new line.
  const std::string line = kClearLine + progress_line(progress, columns_of(out_) - 1);
  std::fputs(line.c_str(), out_);
  std::fflush(out_);
  drawn_ = true;
}

}  // namespace perf::workloads

#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace perf::workloads {

/// How far a suite has come.
struct SuiteProgress {
  std::size_t done = 0, all = 0;  ///< series
  double elapsed = 0;             ///< s
  std::string running;            ///< the name of the one that runs now
};

/// "[=====     ] 3/13  0:04, about 0:13 left  micro/softmax", in at most `width` columns. What is
/// left is told by the mean so far, so not before the first has ended.
std::string progress_line(const SuiteProgress& progress, std::size_t width);

/// One line that is written again and again, and gone at the end. It is drawn between workloads
/// alone: nothing runs beside their steps.
class ProgressBar {
 public:
  /// `out` stays the caller's; nothing is drawn where it is no terminal that can go back in a line.
  explicit ProgressBar(std::FILE* out);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const SuiteProgress& progress);

 private:
  std::FILE* out_;  ///< null: nothing is drawn
  bool drawn_ = false;
};

}  // namespace perf::workloads

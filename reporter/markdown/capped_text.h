#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perf::reporter {

/// GitHub drops a step summary over 1 MiB as a whole: stay well below it.
inline constexpr std::size_t kMarkdownLimit = 900 * 1024;

/// Text of limited size that is cut between rows, never inside one. Rows come in lists; when all of
/// it is too long, the lists marked so give up rows first, from their ends, then the others from
/// the last list backwards; each cut list says how many rows it lost.
class CappedText {
 public:
  explicit CappedText(std::size_t limit) : limit_(limit) {}

  /// Text that always stays.
  void fixed(std::string text);
  /// Rows (with their line ends) of which the last ones may be left out.
  void rows(std::vector<std::string> rows, bool first_to_cut);

  std::string str() const;

 private:
  struct Part {
    std::string text;
    std::vector<std::string> rows;
    bool first_to_cut = false;
  };

  std::vector<std::size_t> kept_rows() const;

  std::size_t limit_;
  std::vector<Part> parts_;
};

}  // namespace perf::reporter

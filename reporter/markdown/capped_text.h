#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perf::reporter {

/// How long a text may be, and how a cut states this limit.
struct TextLimit {
  std::size_t bytes = 0;
  const char* name = "";  ///< "64 KiB"
};

/// GitHub takes no comment of more than 65,536 characters; its own marks need a little of that.
inline constexpr TextLimit kCommentLimit{65000, "64 KiB"};

/// Text of limited size that is cut between rows, never inside one. Rows come in lists; when all of
/// it is too long, the lists marked so give up rows first, from their ends, then the others from
/// the last list backwards; each cut list says how many rows it lost.
class CappedText {
 public:
  explicit CappedText(TextLimit limit) : limit_(limit) {}

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

  TextLimit limit_;
  std::vector<Part> parts_;
};

}  // namespace perf::reporter

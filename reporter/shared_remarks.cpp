#include "reporter/shared_remarks.h"

#include <map>
#include <utility>

namespace perf::reporter {
namespace {

constexpr int kSharedBy = 3;  ///< rows from which a common remark is said once for all
constexpr int kSaid = -1;     ///< in place of the number of rows

std::string plain_text(const Prose& prose) {
  std::string text;
  for (const Span& span : prose) {
    text += span.text;
  }
  return text;
}

}  // namespace

std::vector<Prose> take_shared_remarks(std::vector<Row>& rows) {
  std::map<std::string, int> counts;
  for (const Row& row : rows) {
    for (const Prose& remark : row.remarks) {
      ++counts[plain_text(remark)];
    }
  }
  std::vector<Prose> lines;
  for (Row& row : rows) {
    std::vector<Prose> own;
    for (Prose& remark : row.remarks) {
      int& count = counts[plain_text(remark)];
      if (count >= kSharedBy) {
        lines.push_back({words(std::to_string(count) + " rows: ")});
        append(lines.back(), remark);
        count = kSaid;
      } else if (count != kSaid) {
        own.push_back(std::move(remark));
      }
    }
    row.remarks = std::move(own);
  }
  return lines;
}

}  // namespace perf::reporter

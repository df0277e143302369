#include "reporter/markdown/capped_text.h"

namespace perf::reporter {
namespace {

/// Room for the line that says what was left out, in every list.
constexpr std::size_t kOmissionRoom = 128;

std::string omission(std::size_t count, const TextLimit& limit) {
  return "\n\n_" + std::to_string(count) + (count == 1 ? " more row is" : " more rows are") +
         " left out here to stay below " + limit.name +
         "; the HTML and JSON reports have everything._\n";
}

}  // namespace

void CappedText::fixed(std::string text) {
  parts_.push_back({std::move(text), {}, false});
}

void CappedText::rows(std::vector<std::string> rows, bool first_to_cut) {
  parts_.push_back({{}, std::move(rows), first_to_cut});
}

std::vector<std::size_t> CappedText::kept_rows() const {
  std::size_t used = 0;
  for (const Part& part : parts_) {
    used += part.text.size() + (part.rows.empty() ? 0 : kOmissionRoom);
  }
  std::vector<std::size_t> kept(parts_.size(), 0);
  for (const bool cut_first : {false, true}) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      if (part.first_to_cut != cut_first) {
        continue;
      }
      while (kept[i] < part.rows.size() && used + part.rows[kept[i]].size() <= limit_.bytes) {
        used += part.rows[kept[i]].size();
        ++kept[i];
      }
    }
  }
  return kept;
}

std::string CappedText::str() const {
  const std::vector<std::size_t> kept = kept_rows();
  std::string text;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    text += parts_[i].text;
    for (std::size_t row = 0; row < kept[i]; ++row) {
      text += parts_[i].rows[row];
    }
    if (kept[i] < parts_[i].rows.size()) {
      text += omission(parts_[i].rows.size() - kept[i], limit_);
    }
  }
  return text;
}

}  // namespace perf::reporter

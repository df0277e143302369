#include "reporter/svg/file_name.h"

#include <cstddef>

#include "schema/text_parts.h"

namespace perf::reporter::svg {
namespace {

constexpr std::size_t kLongestName = 90;  ///< leaves room to tell twins apart

/// Lower case, because some file systems know no other; everything unsafe is a dash, a row of them
/// one.
std::string safe(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const char small = lower(c);
    if ((small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') || c == '_') {
      name += small;
    } else if (!name.empty() && name.back() != '-' && name.back() != '.') {
      name += c == '.' ? '.' : '-';
    }
  }
  return name;
}

}  // namespace

std::string file_name(const std::string& prefix, const std::string& text,
                      std::set<std::string>& taken) {
  std::string plain = (prefix + "-" + safe(text)).substr(0, kLongestName);
  while (plain.back() == '-' || plain.back() == '.') {
    plain.pop_back();
  }
  std::string name = plain;
  for (int twin = 2; !taken.insert(name).second; ++twin) {
    name = plain + "-" + std::to_string(twin);
  }
  return name;
}

}  // namespace perf::reporter::svg

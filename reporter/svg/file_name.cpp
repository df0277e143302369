#include "reporter/svg/file_name.h"

#include <cstddef>

namespace perf::reporter::svg {
namespace {

constexpr std::size_t kLongestName = 90;  ///< leaves room to tell twins apart

/// Lower case, because some file systems know no other; everything unsafe is a dash, a row of them
/// one.
std::string safe(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (is_plain) {
      name += c;
    } else if (c >= 'A' && c <= 'Z') {
      name += static_cast<char>(c - 'A' + 'a');
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

#include "collector/machine/build_marks.h"

#include <algorithm>
#include <array>
#include <set>

namespace perf {
namespace {

/// A mark in a string table: a whole name, or the beginning of one.
struct Mark {
  const char* text;
  bool whole;
  const char* instrument;
};

/// Libraries stand among the names of .dynsym (DT_NEEDED points there). Only functions that the
/// instrumentation itself calls count: others (__lsan_..., __tsan_acquire) are weak references that
/// ordinary libraries hold, too.
constexpr std::array<Mark, 14> kMarks{{
    {"libasan.so", false, "AddressSanitizer"},
    {"libclang_rt.asan", false, "AddressSanitizer"},
    {"__asan_init", true, "AddressSanitizer"},
    {"__hwasan_init", true, "HWAddressSanitizer"},
    {"libtsan.so", false, "ThreadSanitizer"},
    {"libclang_rt.tsan", false, "ThreadSanitizer"},
    {"__tsan_init", true, "ThreadSanitizer"},
    {"__msan_init", true, "MemorySanitizer"},
    {"liblsan.so", false, "LeakSanitizer"},
    {"libubsan.so", false, "UndefinedBehaviorSanitizer"},
    {"__gcov_init", true, "coverage"},
    {"__llvm_profile_runtime", true, "coverage"},
    {"mcount", true, "profiling by gprof"},
    {"_mcount", true, "profiling by gprof"},
}};

/// Only where no other sanitizer is: Clang's runtimes of those hold its functions, too.
constexpr Mark kUndefined{"__ubsan_handle_", false, "UndefinedBehaviorSanitizer"};

bool has_mark(std::string_view table, const Mark& mark) {
  const std::string_view text = mark.text;
  for (std::size_t at = table.find(text); at != std::string_view::npos;
       at = table.find(text, at + 1)) {
    const std::size_t end = at + text.size();
    const bool begins = at == 0 || table[at - 1] == '\0';
    // Symbols of shared libraries may bear their version: "mcount@GLIBC_2.2.5".
    const bool ends = end >= table.size() || table[end] == '\0' || table[end] == '@';
    if (begins && (ends || !mark.whole)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> instruments_in(std::string_view string_table) {
  std::set<std::string> found;
  for (const Mark& mark : kMarks) {
    if (found.count(mark.instrument) == 0 && has_mark(string_table, mark)) {
      found.insert(mark.instrument);
    }
  }
  const bool sanitized = std::any_of(found.begin(), found.end(), [](const std::string& one) {
    return one.ends_with("Sanitizer");
  });
  if (!sanitized && has_mark(string_table, kUndefined)) {
    found.insert(kUndefined.instrument);
  }
  return {found.begin(), found.end()};
}

std::optional<bool> optimized_by(std::string_view debug_strings) {
  bool some = false, others = false;
  for (std::size_t at = 0; at < debug_strings.size();) {
    const std::size_t end = std::min(debug_strings.find('\0', at), debug_strings.size());
    const std::string_view text = debug_strings.substr(at, end - at);
    at = end + 1;
    const bool compiled = text.substr(0, 5) == "GNU C" || text.substr(0, 11) == "GNU Fortran" ||
                          text.substr(0, 10) == "GNU GIMPLE";
    if (!compiled || text.find(" -") == std::string_view::npos) {
      continue;
    }
    // The last -O counts.
    const std::size_t level = text.rfind(" -O");
    const char digit = level != std::string_view::npos && level + 3 < text.size() ? text[level + 3]
                       : level == std::string_view::npos                          ? '0'
                                                                                  : '1';
    (digit == '0' || digit == 'g' ? others : some) = true;
  }
  return some == others ? std::nullopt : std::optional<bool>(some);
}

}  // namespace perf

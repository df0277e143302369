// In every program that is built with a sanitizer, and in no other: what its checks pass over,
// which is faults of libraries, not ours.

/// libgit2 1.5 does not free what PCRE2 gave it for a pattern that does not match (regexp.c), which
/// is once for each setting of a repository with extensions.
extern "C" __attribute__((weak)) const char* __lsan_default_suppressions() {
  return "leak:libpcre2";
}

/// Not a word about what was passed over: standard error belongs to the program.
extern "C" __attribute__((weak)) const char* __lsan_default_options() {
  return "print_suppressions=0";
}

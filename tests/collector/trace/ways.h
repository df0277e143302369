#pragma once

namespace perf::test {

/// A way to ask for a file, or to run a program, by the word that names it. `one` and `two` are the
/// arguments after the word; "" where there is none. The answer is the exit status.
int go_a_way(const char* word, const char* one, const char* two);

}  // namespace perf::test

// The same with the library of g++ before 11, whose std::to_chars writes integers alone.
#include <charconv>
#undef __cpp_lib_to_chars
#define PERF_OLD_TO_CHARS
#include "step_emitter_test.cpp"

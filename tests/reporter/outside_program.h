#pragma once

#include <string>

namespace perf::samples {

/// Whether a shell finds the program.
bool has_program(const std::string& program);

/// Runs a shell command with the input on its standard input; its standard output and error.
/// `succeeded` tells whether it exited with 0.
std::string output_of(const std::string& command, const std::string& input, bool& succeeded);

}  // namespace perf::samples

#pragma once

#include <cstddef>
#include <vector>

#include "workloads/program/parameter.h"

namespace perf::workloads {

/// `prompt-tokens`: a file with the numbers of a prompt's tokens, as a tokenizer gave them, in
/// place of random ones: whole numbers with white space or commas between them, in [] or not.
Parameter prompt_tokens_parameter();

/// The tokens of the file; none where none is named. Throws Error, with the file and the place, for
/// what is no such list, a token outside a vocabulary of so many, and `prompt` beside it.
std::vector<int> prompt_tokens(const Settings& settings, std::size_t vocabulary);

/// How long the prompt is: as many as there are, where there are any, else as `prompt` says.
std::size_t prompt_length(const Settings& settings, const std::vector<int>& tokens);

/// On the environment line the prompt's length, where it is a file's.
void describe_prompt(const std::vector<int>& tokens, perf_compare::StepEmitter& out);

}  // namespace perf::workloads

#pragma once

#include <map>
#include <string>

#include "workloads/program/workload.h"

namespace perf::workloads {

/// `export`: writes a model's starting point as a safetensors file and says what was written.
/// `model` is a name of model_names(), or empty for the default; options as read from the command
/// line. Throws Error for bad input, a file that exists (without `force`) among it, and
/// std::runtime_error where the file cannot be written.
std::string export_answer(const std::string& model, const std::string& file,
                          const std::map<std::string, std::string>& options);

/// `export` of a workload: writes what an inference workload is fed with `run`'s options, as
/// inference_answers.h has it: prompts and random numbers, without weights. Throws Error for bad
/// options and for a workload that no other implementation does.
std::string export_inputs_answer(const Workload& workload, const std::string& file,
                                 const std::map<std::string, std::string>& options);

}  // namespace perf::workloads

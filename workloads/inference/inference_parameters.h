#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/decoder/decoder_setup.h"
#include "workloads/kernels/sampler.h"
#include "workloads/program/model_parameters.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What every inference workload that has a model takes: model, checkpoint, weights, cache-dtype,
/// backend, the parts of the shape and, where its speed is beside that of memory, read-probe-size.
std::vector<Parameter> model_parameters(bool reads_memory = true);
/// sampling, temperature, top-k, top-p.
std::vector<Parameter> sampling_parameters();

/// Types and backend; shape from `source`. sequences, capacity and rows are the workload's.
DecoderSetup decoder_setup(const Settings& settings, const ParameterSource& source);

/// Says what the settings left open: on the begin line the parameters; on the environment line
/// the backend and the cache's type that were chosen, who multiplies in which type, and the model's
/// name (shape_name()) where it is not what `model` says.
void describe_setup(const Settings& settings, const DecoderSetup& setup,
                    perf_compare::StepEmitter& out);

SamplingOptions sampling_options(const Settings& settings);

/// read-probe-size in bytes, but no more than the weights: what they find in a cache is compared
/// with that cache.
std::size_t read_probe_bytes(const Settings& settings, const Ledger& memory);

}  // namespace perf::workloads

#pragma once

#include <map>
#include <string>

#include "workloads/program/workload.h"

namespace perf::workloads {

/// `settings`: everything that `run` with the same options would go by, in one line of JSON, so
/// that another implementation of the workload can do the same without defaults of its own:
///     {"workload": ..., "params": {as on the begin line}, "steps": 3, "warmup": 1, "seed": 1,
///      "environment": {"blas_core": ..., "threads": 2, ...}, "planted":
///      false}
/// and of a training workload
///     "model": {"layers": 24, "hidden": 896, ...}, "training": {"batch": 1, "length": 512,
///      "dtype": "fp32", "state_dtype": "fp32", "loss_scale": 1, "parameters": ...,
///      "trained_parameters": ..., "operations": floating-point operations of a step's products,
///      "optimizer": {"kind": "adamw", "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8,
///      "momentum": 0.9}, "first_loss": {"expected": nats, "tolerance": relative}},
///     "memory": {"predicted": bytes that `run` would take, "available": bytes; 0: unknown}
/// and of an inference workload that another implementation may do (inference_answers.h)
///     "model": as above, where it has one,
///     "series": [{"name": "inference/generate", or of the series, "params": {...},
///                 "inference": {as inference_answers.h has them},
///                 "memory": {"predicted": ...}}, ...]
///     "memory": as above, of the largest series
/// and of a quantization of a synthetic model
///     "quantization": {"type": "int8", "bits": 8, "group": columns that share a scale, 0: all,
///      "parameters": ..., "deviation": of the values, "tensors": [{"name": ..., "part": ...,
///      "rows": ..., "columns": ...}, ...]; values are SyntheticTensors'},
///     "memory": as above, of what is quantized in memory
/// Throws Error as `run` does.
std::string settings_answer(const Workload& workload,
                            const std::map<std::string, std::string>& options);

}  // namespace perf::workloads

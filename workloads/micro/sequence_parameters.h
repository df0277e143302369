#pragma once

#include <vector>

#include "workloads/program/model_parameters.h"

namespace perf::workloads {

/// Of the operations on the tokens of one sequence: the model whose widths they have, and L.
inline std::vector<Parameter> sequence_parameters() {
  return {model_parameter(),
          integer("seq-len", {512, 512, 512}, 1, 65536, "tokens L of the one sequence")};
}

}  // namespace perf::workloads

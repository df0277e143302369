#include "workloads/program/backend_parameter.h"

#include "workloads/kernels/gemm.h"
#include "workloads/kernels/products_onednn.h"

namespace perf::workloads {

Parameter backend_parameter(std::vector<std::string> before) {
  for (const std::string& name : backend_names()) {
    before.push_back(name);
  }
  Parameter parameter = choice("backend", before, "library for matrix products");
  parameter.require = [](const std::string& name) {
    if (name == "onednn") {
      backend_from(name);
    }
  };
  return parameter;
}

// Against OpenBLAS a step takes 0.93 of the time with oneDNN (LoRA of 512 tokens, AVX-512 and
// AVX2), of small models 0.86. Measuring at each start instead would take one at this start and the
// other at the next on a CPU where they are close, and a commit would be blamed for it.
std::string chosen_backend(const std::string& asked) {
  if (asked != "auto") {
    return asked;
  }
  return has_onednn() ? "onednn" : "openblas";
}

}  // namespace perf::workloads

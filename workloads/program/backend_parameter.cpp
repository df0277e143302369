#include "workloads/program/backend_parameter.h"

#include "workloads/kernels/gemm.h"

namespace perf::workloads {

Parameter backend_parameter(std::vector<std::string> before) {
  for (const std::string& name : backend_names()) {
    before.push_back(name);
  }
  Parameter parameter = choice("backend", before, "who multiplies matrices");
  parameter.require = [](const std::string& name) {
    if (name == "onednn") {
      backend_from(name);
    }
  };
  return parameter;
}

}  // namespace perf::workloads

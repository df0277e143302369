#include "workloads/program/environment.h"

#include <cblas.h>
#include <omp.h>

#include <sstream>

#include "workloads/kernels/instruction_set.h"
#include "workloads/kernels/products.h"
#include "workloads/kernels/products_onednn.h"

namespace perf::workloads {

int use_threads(int threads) {
  // What the process may use is read once: omp_set_num_threads changes what OpenMP answers.
  static const int allowed = omp_get_max_threads();
  const int count = threads > 0 ? threads : allowed;
  omp_set_dynamic(0);
  omp_set_num_threads(count);
  openblas_set_num_threads(count);
  return count;
}

int usable_cores() {
  return omp_get_num_procs();
}

std::string blas_name() {
  std::istringstream config(openblas_get_config());  // "OpenBLAS 0.3.21 NO_LAPACKE ..."
  std::string name, version;
  config >> name >> version;
  return name + " " + version;
}

std::string blas_core() {
  return openblas_get_corename();
}

void describe_products(Backend backend, DType dtype, perf_compare::StepEmitter& out) {
  const bool narrow = dtype != DType::fp32;
  if (has_onednn() && (narrow || backend == Backend::onednn)) {
    out.environment("onednn", onednn_version());
  }
  if (narrow) {
    out.environment("products",
                    multiplies_unwidened(backend, dtype) ? name_of(dtype) : "widened to fp32");
  }
}

void describe_environment(int threads, perf_compare::StepEmitter& out) {
  out.environment("blas", blas_name());
  out.environment("blas_core", blas_core());
  out.environment("eigen", eigen_version());
  out.environment("threads", threads);
  out.environment("compiler", compiler());
  out.environment("flags", compiler_flags());
  if (const std::string isa = instruction_set(); !isa.empty()) {
    out.environment("isa", isa);
  }
}

}  // namespace perf::workloads

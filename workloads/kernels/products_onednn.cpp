// The one file that includes oneDNN.
#include "workloads/kernels/products_onednn.h"

#include <stdexcept>

#ifdef PERF_WORKLOADS_ONEDNN

#include <omp.h>

#include <dnnl.hpp>
#include <string_view>
#include <vector>

namespace perf::workloads {

namespace {

using Description = dnnl::memory::desc;

// A (rows,columns) of bf16 whose stored rows, or columns if transposed, are `row` values apart.
Description describe(int rows, int columns, bool transposed, int row) {
  const dnnl::memory::dims steps =
      transposed ? dnnl::memory::dims{1, row} : dnnl::memory::dims{row, 1};
  return {{rows, columns}, dnnl::memory::data_type::bf16, steps};
}

dnnl::matmul::primitive_desc describe(const Gemm& shape, const dnnl::engine& engine) {
  const Description a = describe(shape.m, shape.k, shape.transpose_a, shape.row_a());
  const Description b = describe(shape.k, shape.n, shape.transpose_b, shape.row_b());
  const Description c = describe(shape.m, shape.n, false, shape.row_c());
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (shape.beta != 0) {
    dnnl::post_ops after;
    after.append_sum(shape.beta);
    attributes.set_post_ops(after);
  }
#if DNNL_VERSION_MAJOR >= 3
  return {engine, a, b, c, attributes, true};
#else
  return {dnnl::matmul::desc(a, b, c), attributes, engine, true};
#endif
}

// A product of one shape, ready to run: or none, if oneDNN would do it slowly.
class Product {
 public:
  Product(const Gemm& shape, const dnnl::engine& engine, std::size_t scratch_bytes)
      : shape_(shape), threads_(omp_get_max_threads()) {
    const dnnl::matmul::primitive_desc found = describe(shape, engine);
    if (!found)
      return;
    // Others than "brg:avx512_core_bf16" and its kind are plain loops ("ref"), or widen whole
    // matrices into scratch memory ("gemm:jit").
    const std::string_view name = found.impl_info_str();
    if (name.substr(0, 3) != "brg" || found.scratchpad_desc().get_size() > scratch_bytes)
      return;
    multiply_ = dnnl::matmul(found);
    a_ = dnnl::memory(found.src_desc(), engine, nullptr);
    b_ = dnnl::memory(found.weights_desc(), engine, nullptr);
    c_ = dnnl::memory(found.dst_desc(), engine, nullptr);
    scratch_ = dnnl::memory(found.scratchpad_desc(), engine, nullptr);
  }

  bool is_for(const Gemm& shape) const {
    return shape == shape_ && threads_ == omp_get_max_threads();
  }

  bool is_fast() const { return static_cast<bool>(multiply_); }

  // By oneDNN's C interface, because the other takes a map made for each call.
  bool run(const Bf16* a, const Bf16* b, Bf16* c, std::byte* scratch, const dnnl::stream& stream) {
    if (!is_fast())
      return false;
    a_.set_data_handle(const_cast<Bf16*>(a));
    b_.set_data_handle(const_cast<Bf16*>(b));
    c_.set_data_handle(c);
    scratch_.set_data_handle(scratch);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, a_.get()},
                                         {DNNL_ARG_WEIGHTS, b_.get()},
                                         {DNNL_ARG_DST, c_.get()},
                                         {DNNL_ARG_SCRATCHPAD, scratch_.get()}};
    dnnl::error::wrap_c_api(dnnl_primitive_execute(multiply_.get(), stream.get(), 4, arguments),
                            "oneDNN could not multiply");
    return true;
  }

 private:
  Gemm shape_;
  int threads_;
  dnnl::matmul multiply_;
  dnnl::memory a_, b_, c_, scratch_;
};

}  // namespace

struct OnednnProducts::State {
  std::byte* scratch;
  std::size_t scratch_bytes;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  std::vector<Product> products = {};

  Product& product(const Gemm& shape) {
    for (Product& known : products) {
      if (known.is_for(shape))
        return known;
    }
    return products.emplace_back(shape, engine, scratch_bytes);
  }
};

OnednnProducts::OnednnProducts(std::byte* scratch, std::size_t bytes)
    : state_(new State{.scratch = scratch, .scratch_bytes = bytes}) {}

OnednnProducts::~OnednnProducts() = default;

bool OnednnProducts::multiply(const Gemm& shape, const Bf16* a, const Bf16* b, Bf16* c) {
  return state_->product(shape).run(a, b, c, state_->scratch, state_->stream);
}

void gemm_onednn(const Gemm& shape, const float* a, const float* b, float* c) {
  const dnnl_status_t status =
      dnnl_sgemm(shape.transpose_a ? 'T' : 'N', shape.transpose_b ? 'T' : 'N', shape.m, shape.n,
                 shape.k, 1, a, shape.row_a(), b, shape.row_b(), shape.beta, c, shape.row_c());
  if (status != dnnl_success)
    throw std::runtime_error("oneDNN could not multiply");
}

bool has_onednn() {
  return true;
}

std::string onednn_version() {
  const dnnl_version_t& version = *dnnl_version();
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

bool onednn_multiplies_bf16() {
  static const bool does = [] {
    constexpr std::size_t kAnyScratch = ~std::size_t{0};
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return Product({.m = 64, .n = 64, .k = 64}, engine, kAnyScratch).is_fast();
  }();
  return does;
}

}  // namespace perf::workloads

#else

namespace perf::workloads {

namespace {
[[noreturn]] void refuse() {
  throw std::logic_error("this program was built without oneDNN");
}
}  // namespace

struct OnednnProducts::State {};
OnednnProducts::OnednnProducts(std::byte*, std::size_t) {
  refuse();
}
OnednnProducts::~OnednnProducts() = default;
bool OnednnProducts::multiply(const Gemm&, const Bf16*, const Bf16*, Bf16*) {
  refuse();
}

void gemm_onednn(const Gemm&, const float*, const float*, float*) {
  refuse();
}

bool has_onednn() {
  return false;
}
std::string onednn_version() {
  return "";
}
bool onednn_multiplies_bf16() {
  return false;
}

}  // namespace perf::workloads

#endif

// The one file that includes oneDNN.
#include "workloads/kernels/products_onednn.h"

#include <stdexcept>

#ifdef PERF_WORKLOADS_ONEDNN

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <dnnl.hpp>
#include <limits>
#include <string_view>
#include <vector>

namespace perf::workloads {

namespace {

using Description = dnnl::memory::desc;

struct Types {
  dnnl::memory::data_type in, out;
  friend bool operator==(const Types&, const Types&) = default;
};

constexpr auto kFloat = dnnl::memory::data_type::f32, kBf16 = dnnl::memory::data_type::bf16;
template <class In, class Out>
constexpr Types kTypes = {kFloat, kFloat};
template <>
constexpr Types kTypes<Bf16, Bf16> = {kBf16, kBf16};
template <>
constexpr Types kTypes<Bf16, float> = {kBf16, kFloat};

// A (rows,columns) whose stored rows, or columns if transposed, are `row` values apart.
Description describe(dnnl::memory::data_type type, int rows, int columns, bool transposed,
                     int row) {
  const dnnl::memory::dims steps =
      transposed ? dnnl::memory::dims{1, row} : dnnl::memory::dims{row, 1};
  return {{rows, columns}, type, steps};
}

dnnl::matmul::primitive_desc describe(const Gemm& shape, Types types, const dnnl::engine& engine) {
  const Description a = describe(types.in, shape.m, shape.k, shape.transpose_a, shape.row_a());
  const Description b = describe(types.in, shape.k, shape.n, shape.transpose_b, shape.row_b());
  const Description c = describe(types.out, shape.m, shape.n, false, shape.row_c());
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
  Product(const Gemm& shape, Types types, const dnnl::engine& engine, std::size_t scratch_bytes)
      : shape_(shape), types_(types), threads_(omp_get_max_threads()) {
    const dnnl::matmul::primitive_desc found = describe(shape, types, engine);
    if (!found) {
      return;
    }
    // Others than "brg:avx512_core_bf16" and its kind are plain loops ("ref"), or widen whole
    // matrices into scratch memory ("gemm:jit").
    const std::string_view name = found.impl_info_str();
    if (name.substr(0, 3) != "brg" || found.scratchpad_desc().get_size() > scratch_bytes) {
      return;
    }
    multiply_ = dnnl::matmul(found);
    a_ = dnnl::memory(found.src_desc(), engine, nullptr);
    b_ = dnnl::memory(found.weights_desc(), engine, nullptr);
    c_ = dnnl::memory(found.dst_desc(), engine, nullptr);
    scratch_ = dnnl::memory(found.scratchpad_desc(), engine, nullptr);
  }

  bool is_for(const Gemm& shape, Types types) const {
    return shape == shape_ && types == types_ && threads_ == omp_get_max_threads();
  }

  bool is_fast() const { return static_cast<bool>(multiply_); }

  // By oneDNN's C interface, because the other takes a map made for each call.
  bool run(const void* a, const void* b, void* c, std::byte* scratch, const dnnl::stream& stream) {
    if (!is_fast()) {
      return false;
    }
    a_.set_data_handle(const_cast<void*>(a));
    b_.set_data_handle(const_cast<void*>(b));
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
  Types types_;
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

  Product& product(const Gemm& shape, Types types) {
    for (Product& known : products) {
      if (known.is_for(shape, types)) {
        return known;
      }
    }
    return products.emplace_back(shape, types, engine, scratch_bytes);
  }
};

OnednnProducts::OnednnProducts(std::byte* scratch, std::size_t bytes)
    : state_(new State{.scratch = scratch, .scratch_bytes = bytes}) {}

OnednnProducts::~OnednnProducts() = default;

template <class In, class Out>
bool OnednnProducts::multiply(const Gemm& shape, const In* a, const In* b, Out* c) {
  return state_->product(shape, kTypes<In, Out>).run(a, b, c, state_->scratch, state_->stream);
}

void gemm_onednn(const Gemm& shape, const float* a, const float* b, float* c) {
  const dnnl_status_t status =
      dnnl_sgemm(shape.transpose_a ? 'T' : 'N', shape.transpose_b ? 'T' : 'N', shape.m, shape.n,
                 shape.k, 1, a, shape.row_a(), b, shape.row_b(), shape.beta, c, shape.row_c());
  if (status != dnnl_success) {
    throw std::runtime_error("oneDNN could not multiply");
  }
}

bool has_onednn() {
  return true;
}

std::string onednn_version() {
  const dnnl_version_t& version = *dnnl_version();
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

namespace {
bool is_fast(Types types) {
  constexpr std::size_t kAnyScratch = ~std::size_t{0};
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return Product({.m = 64, .n = 64, .k = 64}, types, engine, kAnyScratch).is_fast();
}

// A product of 256^3, to be timed.
template <class In>
class ProbedProduct {
 public:
  double seconds() {
    const auto start = std::chrono::steady_clock::now();
    products_.multiply({.m = kSize, .n = kSize, .k = kSize}, in_.data(), in_.data(), out_.data());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  static constexpr std::size_t kSize = 256, kScratchOfThread = std::size_t{1} << 19;
  std::vector<std::byte> scratch_ =
      std::vector<std::byte>(kScratchOfThread * static_cast<std::size_t>(omp_get_max_threads()));
  std::vector<In> in_ = std::vector<In>(kSize * kSize);
  std::vector<float> out_ = std::vector<float>(kSize * kSize);
  OnednnProducts products_{scratch_.data(), scratch_.size()};
};

// Intel's cores without AMX have the instruction, but take 1.9 times as long as for floats; others
// take half as long. The limit lies far from both, and the least of many in turns is what a busy
// machine disturbs least: it is the same at each start on one CPU.
bool bf16_gains() {
  constexpr int kRounds = 20;
  constexpr double kMostOfFloats = 1.2;
  ProbedProduct<Bf16> bf16;
  ProbedProduct<float> floats;
  double least_bf16 = std::numeric_limits<double>::infinity(), least_floats = least_bf16;
  for (int round = 0; round < kRounds; ++round) {
    least_bf16 = std::min(least_bf16, bf16.seconds());
    least_floats = std::min(least_floats, floats.seconds());
  }
  return least_bf16 < kMostOfFloats * least_floats;
}
}  // namespace

bool onednn_multiplies_bf16() {
  static const bool does = is_fast(kTypes<Bf16, Bf16>) && is_fast(kTypes<Bf16, float>) &&
                           (!onednn_multiplies_fp32() || bf16_gains());
  return does;
}

bool onednn_multiplies_fp32() {
  static const bool does = is_fast(kTypes<float, float>);
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
template <class In, class Out>
bool OnednnProducts::multiply(const Gemm&, const In*, const In*, Out*) {
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
bool onednn_multiplies_fp32() {
  return false;
}

}  // namespace perf::workloads

#endif

namespace perf::workloads {
template bool OnednnProducts::multiply(const Gemm&, const float*, const float*, float*);
template bool OnednnProducts::multiply(const Gemm&, const Bf16*, const Bf16*, Bf16*);
template bool OnednnProducts::multiply(const Gemm&, const Bf16*, const Bf16*, float*);
}  // namespace perf::workloads

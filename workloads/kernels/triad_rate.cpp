#include "workloads/kernels/triad_rate.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "workloads/kernels/random.h"
#include "workloads/kernels/spoil.h"

namespace perf::workloads {

namespace {

constexpr double kScale = 3;
constexpr std::size_t kPageBytes = 4096, kPageValues = kPageBytes / sizeof(double);

// `count`: of whole pages, so of whole registers.
void triad(double* a, const double* b, const double* c, std::size_t count) {
#if defined(__AVX512F__)
  const __m512d scale = _mm512_set1_pd(kScale);
  for (std::size_t i = 0; i < count; i += 8) {
    _mm512_stream_pd(a + i, _mm512_fmadd_pd(scale, _mm512_load_pd(c + i), _mm512_load_pd(b + i)));
  }
  _mm_sfence();  // seen by the other threads before this one says that it is done
#elif defined(__AVX__)
  const __m256d scale = _mm256_set1_pd(kScale);
  for (std::size_t i = 0; i < count; i += 4) {
    _mm256_stream_pd(
        a + i, _mm256_add_pd(_mm256_mul_pd(scale, _mm256_load_pd(c + i)), _mm256_load_pd(b + i)));
  }
  _mm_sfence();
#else
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = b[i] + kScale * c[i];
  }
#endif
}

}  // namespace

TriadRate::TriadRate(std::size_t bytes)
    : count_((bytes + kPageBytes - 1) / kPageBytes * kPageValues) {
  if (count_ == 0) {
    return;
  }
  arena_ = std::make_unique<Arena>(3 * Arena::room<double>(count_));
  a_ = arena_->take<double>(count_);
  b_ = arena_->take<double>(count_);
  c_ = arena_->take<double>(count_);
  // Each value another, so that one in the wrong place is seen; none is 0.
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count_; ++i) {
    b_[i] = 1 + random_unit(1, static_cast<std::uint32_t>(i));
    c_[i] = 1 + random_unit(2, static_cast<std::uint32_t>(i));
  }
}

void TriadRate::pass() {
  if (count_ == 0) {
    return;
  }
#pragma omp parallel
  {
    const auto team = static_cast<std::size_t>(omp_get_num_threads());
    const auto own = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t pages = count_ / kPageValues;
    const std::size_t first = pages * own / team * kPageValues;
    const std::size_t end = pages * (own + 1) / team * kPageValues;
    triad(a_ + first, b_ + first, c_ + first, end - first);
  }
}

void TriadRate::spoil_result() {
  spoil(a_, count_);
}

double TriadRate::error() const {
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (std::size_t i = 0; i < count_; ++i) {
    const double expected = b_[i] + kScale * c_[i];
    const double error = std::abs(a_[i] - expected) / expected;
    // NaN is larger than everything, too.
    most = error <= most       ? most
           : std::isnan(error) ? std::numeric_limits<double>::infinity()
                               : error;
  }
  return most;
}

}  // namespace perf::workloads

#pragma once

#include <string>
#include <vector>

#include "workloads/micro/layer_under_test.h"

namespace perf::workloads {

// A layer of any size, the timed one too, held against plain loops in double precision link by
// link: each part of it from what the part before left in memory, from the input to the output and
// down again. All rows, all columns: norms, SwiGLU, rotation and attention value by value, products
// folded (folded_products.h), so that it takes a few hundredths of the layer's own operations. A
// whole layer's reference would take seconds for what this shows.

/// A part of the way, "rotated qkv" or "gradient of down", and its largest error, by the largest
/// value there.
struct LinkError {
  std::string name;
  double error = 0;
};

/// The worst of them; without a name where there are none.
LinkError worst_of(const std::vector<LinkError>& links);

/// After forward().
template <class T>
std::vector<LinkError> forward_links(const LayerUnderTest<T>& layer);

/// After mlp_backward(), from gate_up (N,2I) as forward() left it. None where there is no MLP.
template <class T>
std::vector<LinkError> mlp_backward_links(const LayerUnderTest<T>& layer,
                                          const std::vector<T>& gate_up);

/// After attention_backward(), from what had arrived in grad_in() before (N,H). None where there is
/// no attention.
template <class T>
std::vector<LinkError> attention_backward_links(const LayerUnderTest<T>& layer,
                                                const std::vector<T>& arrived);

/// All of these: runs forward() and backward().
template <class T>
std::vector<LinkError> all_links(LayerUnderTest<T>& layer);

}  // namespace perf::workloads

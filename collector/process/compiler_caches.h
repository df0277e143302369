#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/checkout.h"
#include "schema/invocation.h"
#include "schema/workload.h"

namespace perf {

// Compilers of models, and Python, keep what they compiled for the next process. Each side has
// folders of its own for that, empty before its first process: in common ones the second process of
// a pair finds what the first has compiled.

/// The workload as it runs at a side: with variables that name these folders beside its checkout,
/// except those that its own variables name. Python gets none where PYTHONDONTWRITEBYTECODE forbids
/// it to fill one.
Workload with_own_caches(Workload workload, const Checkout& checkout, Side side);

/// Whether with_own_caches may set the variable.
bool names_compiler_cache(std::string_view variable);

/// Makes the folders of both sides anew, empty.
void renew_caches(const Checkout& checkout);

/// Names the files in them.
class CacheNames {
 public:
  explicit CacheNames(const Checkout& checkout);

  /// "$TRITON_CACHE_DIR/kernel.so"; nothing for a file elsewhere.
  std::optional<std::string> of(const std::string& file) const;

 private:
  std::vector<std::string> tops_;  ///< as the variables name it, and without links; with `/`
};

}  // namespace perf

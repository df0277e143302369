#include "collector/process/compiler_caches.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace perf {
namespace {

namespace fs = std::filesystem;

/// Variables, and names for the folders. Sources: the manuals of CUDA (environment variables), JAX
/// (persistent compilation cache), Numba (caching), Python, PyTorch (torch.compile caching) and
/// Triton's python/triton/knobs.py.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kCaches{
    {{"CUDA_CACHE_PATH", "cuda"},
     {"JAX_COMPILATION_CACHE_DIR", "jax"},
     {"NUMBA_CACHE_DIR", "numba"},
     {"PYTHONPYCACHEPREFIX", "python"},
     {"TORCHINDUCTOR_CACHE_DIR", "inductor"},
     {"TRITON_CACHE_DIR", "triton"}}};

fs::path caches_of(const Checkout& checkout) {
  return entry_of(checkout) / "caches";
}

/// False for a command's folder that was not traced: it has no place for them.
bool has_caches(const Checkout& checkout) {
  return checkout.root.empty() || !checkout.entry.empty();
}

/// Python would then compile everything anew in each process, because it does not look elsewhere.
bool writes_no_bytecode(const Workload& workload) {
  constexpr const char* kVariable = "PYTHONDONTWRITEBYTECODE";
  const auto own = workload.env.find(kVariable);
  const char* inherited = std::getenv(kVariable);
  return own != workload.env.end() ? !own->second.empty()
                                   : inherited != nullptr && *inherited != '\0';
}

}  // namespace

Workload with_own_caches(Workload workload, const Checkout& checkout, Side side) {
  if (!has_caches(checkout)) {
    return workload;
  }
  const fs::path folder = caches_of(checkout) / to_string(side);
  for (const auto& [variable, name] : kCaches) {
    if (variable != "PYTHONPYCACHEPREFIX" || !writes_no_bytecode(workload)) {
      workload.env.emplace(variable, (folder / name).string());
    }
  }
  return workload;
}

bool names_compiler_cache(std::string_view variable) {
  return std::ranges::find(kCaches, variable, [](const auto& one) { return one.first; }) !=
         kCaches.end();
}

void renew_caches(const Checkout& checkout) {
  if (!has_caches(checkout)) {
    return;
  }
  std::error_code error;  // where they cannot be made, compilers keep nothing
  fs::remove_all(caches_of(checkout), error);
  for (const Side side : {Side::base, Side::head}) {
    for (const auto& [variable, name] : kCaches) {
      fs::create_directories(caches_of(checkout) / to_string(side) / name, error);
    }
  }
}

CacheNames::CacheNames(const Checkout& checkout) {
  std::error_code error;
  const fs::path top = caches_of(checkout);
  tops_ = {top.string() + "/", fs::weakly_canonical(top, error).string() + "/"};
}

std::optional<std::string> CacheNames::of(const std::string& file) const {
  const auto top = std::ranges::find_if(
      tops_, [&file](const std::string& one) { return file.starts_with(one); });
  if (top == tops_.end()) {
    return std::nullopt;
  }
  const std::string below = file.substr(top->size());  // base/triton/kernel.so
  const std::size_t begin = below.find('/') + 1, end = below.find('/', begin);
  const auto cache = std::ranges::find(kCaches, below.substr(begin, end - begin),
                                       [](const auto& one) { return one.second; });
  return cache == kCaches.end() || end == below.npos
             ? below
             : "$" + std::string(cache->first) + below.substr(end);
}

}  // namespace perf

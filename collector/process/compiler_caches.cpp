#include "collector/process/compiler_caches.h"

#include <algorithm>
#include <array>
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

std::optional<std::string> name_in_cache(const std::string& file, const Checkout& checkout) {
  std::error_code error;
  for (const fs::path& top : {caches_of(checkout), fs::canonical(caches_of(checkout), error)}) {
    if (!top.empty() && file.starts_with(top.string() + "/")) {
      std::string name = file.substr(top.native().size() + 1);  // base/triton/kernel.so
      for (const auto& [variable, folder] : kCaches) {
        const std::size_t at = name.find("/" + std::string(folder) + "/");
        if (at != name.npos && name.find('/') == at) {
          return "$" + std::string(variable) + name.substr(at + 1 + folder.size());
        }
      }
      return name;
    }
  }
  return std::nullopt;
}

}  // namespace perf

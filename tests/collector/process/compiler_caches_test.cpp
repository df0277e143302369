#include "collector/process/compiler_caches.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "collector/process/temporary_folder.h"

namespace perf {
namespace {

Checkout checkout_in(const std::filesystem::path& entry) {
  Checkout checkout;
  checkout.directory = entry / "tree";
  return checkout;
}

TEST(CompilerCaches, LieBesideTheCheckoutOfEachSide) {
  const Checkout checkout = checkout_in("/cache/key");
  unsetenv("PYTHONDONTWRITEBYTECODE");
  for (const auto& [side, name] : {std::pair{Side::base, "base"}, {Side::head, "head"}}) {
    const auto env = with_own_caches({}, checkout, side).env;
    const std::string folder = std::string("/cache/key/caches/") + name + "/";
    for (const auto& [variable, place] :
         std::map<std::string, std::string>{{"CUDA_CACHE_PATH", "cuda"},
                                            {"JAX_COMPILATION_CACHE_DIR", "jax"},
                                            {"NUMBA_CACHE_DIR", "numba"},
                                            {"PYTHONPYCACHEPREFIX", "python"},
                                            {"TORCHINDUCTOR_CACHE_DIR", "inductor"},
                                            {"TRITON_CACHE_DIR", "triton"}}) {
      EXPECT_EQ(env.at(variable), folder + place);
    }
  }
}

TEST(CompilerCaches, KeepTheVariablesOfTheWorkload) {
  Workload workload;
  workload.env = {{"TRITON_CACHE_DIR", "/shared"}, {"JAX_COMPILATION_CACHE_DIR", ""}};
  const auto env = with_own_caches(workload, checkout_in("/cache/key"), Side::head).env;
  EXPECT_EQ(env.at("TRITON_CACHE_DIR"), "/shared");
  EXPECT_EQ(env.at("JAX_COMPILATION_CACHE_DIR"), "");
}

TEST(CompilerCaches, AreNotForPythonThatMayNotFillThem) {
  Workload workload;
  workload.env = {{"PYTHONDONTWRITEBYTECODE", "1"}};
  EXPECT_FALSE(
      with_own_caches(workload, checkout_in("/k"), Side::head).env.contains("PYTHONPYCACHEPREFIX"));
  setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
  EXPECT_FALSE(
      with_own_caches({}, checkout_in("/k"), Side::head).env.contains("PYTHONPYCACHEPREFIX"));
  workload.env = {{"PYTHONDONTWRITEBYTECODE", ""}};
  EXPECT_TRUE(
      with_own_caches(workload, checkout_in("/k"), Side::head).env.contains("PYTHONPYCACHEPREFIX"));
  unsetenv("PYTHONDONTWRITEBYTECODE");
}

TEST(CompilerCaches, AreNotPutBesideTheFolderOfACommand) {
  const TemporaryFolder folder;
  Checkout checkout = checkout_in(folder.path());
  checkout.root = checkout.directory;
  renew_caches(checkout);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_TRUE(with_own_caches({}, checkout, Side::base).env.empty());
}

TEST(CompilerCaches, AreEmptiedAndNamed) {
  const TemporaryFolder folder;
  const Checkout checkout = checkout_in(folder.path());
  renew_caches(checkout);
  const auto env = with_own_caches({}, checkout, Side::base).env;
  const std::string kernel = env.at("TRITON_CACHE_DIR") + "/a/kernel.so";
  std::filesystem::create_directories(std::filesystem::path(kernel).parent_path());
  std::ofstream(kernel) << "code";
  const CacheNames names(checkout);
  EXPECT_EQ(names.of(kernel), "$TRITON_CACHE_DIR/a/kernel.so");
  EXPECT_EQ(names.of((folder.path() / "tree/kernel.so").string()), std::nullopt);
  renew_caches(checkout);
  EXPECT_FALSE(std::filesystem::exists(kernel));
  EXPECT_TRUE(std::filesystem::is_directory(env.at("TRITON_CACHE_DIR")));
}

}  // namespace
}  // namespace perf

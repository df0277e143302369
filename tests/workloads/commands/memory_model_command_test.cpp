#include "workloads/commands/memory_model_command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "tests/contains.h"
#include "tests/thrown_by.h"
#include "workloads/program/error.h"
#include "workloads/training/memory_fit.h"

namespace perf::workloads {
namespace {

constexpr std::size_t kGibi = std::size_t{1} << 30;

TrainingSetup whole() {
  TrainingSetup setup;
  setup.shape = model_shape("qwen2.5-0.5b");
  return setup;
}
TrainingSetup adapters() {
  TrainingSetup setup = whole();
  setup.lora.rank = 8;
  return setup;
}

constexpr const char* kTable =
    R"(qwen2.5-0.5b: 494.0 million parameters, fp32; 1 x 512 tokens, 2 threads

                             weights  gradients  optimizer  activations  workspace     total     k
full fine-tuning, adamw     1.84 GiB   1.84 GiB   3.68 GiB      952 MiB    319 MiB  8.60 GiB  4.67
  with checkpointing        1.84 GiB   1.84 GiB   3.68 GiB     83.3 MiB    319 MiB  7.75 GiB  4.21
full fine-tuning, momentum  1.84 GiB   1.84 GiB   1.84 GiB      952 MiB    319 MiB  6.76 GiB  3.67
  with checkpointing        1.84 GiB   1.84 GiB   1.84 GiB     83.3 MiB    319 MiB  5.91 GiB  3.21 *
full fine-tuning, sgd       1.84 GiB   1.84 GiB          0      952 MiB    319 MiB  4.92 GiB  2.67 *
  with checkpointing        1.84 GiB   1.84 GiB          0     83.3 MiB    319 MiB  4.07 GiB  2.21 *
LoRA, rank 8, adamw         1.84 GiB   2.06 MiB   4.12 MiB      694 MiB    319 MiB  2.84 GiB  1.54 *
  with checkpointing        1.84 GiB   2.06 MiB   4.12 MiB     83.3 MiB    319 MiB  2.24 GiB  1.22 *

k: the total is k P b, with P = 494032768 parameters of b = 4 bytes. Without the program's own
code and libraries, about 0.1 GiB.
This machine has 6.0 GiB available: 5 of the 8 fit (marked *).
)";

TEST(MemoryModelCommand, PrintsTheTableThatTheDocumentationShows) {
  EXPECT_EQ(memory_model_table("qwen2.5-0.5b", whole(), adapters(), {}, 2, 6 * kGibi), kTable);
  std::ifstream file(PERF_SOURCE_DIR "/docs/training.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_TRUE(contains(page, kTable));
}

TEST(MemoryModelCommand, LeavesOutWhatWasDecided) {
  TrainingSetup sgd = whole();
  sgd.optimizer.kind = OptimizerKind::sgd;
  const std::string text =
      memory_model_table("m", sgd, adapters(), {.optimizer_fixed = true}, 1, 0);
  EXPECT_FALSE(contains(text, "momentum"));
  EXPECT_TRUE(contains_all(text, {"full fine-tuning, sgd", "does not say how much"}));
  EXPECT_FALSE(contains(text, " *\n"));
}

TEST(MemoryModelCommand, FitsAHundredColumnsWhateverIsAskedFor) {
  TrainingSetup momentum = whole(), wide = adapters();
  momentum.optimizer.kind = wide.optimizer.kind = OptimizerKind::momentum;
  momentum.checkpointing = wide.checkpointing = true;
  momentum.batch = wide.batch = 1024;
  wide.lora.rank = 4096;
  std::istringstream text(
      memory_model_table("m", momentum, wide, {true, true}, 1, ~std::size_t{0}));
  std::size_t longest = 0;
  for (std::string line; std::getline(text, line); longest = std::max(longest, line.size())) {
    if (line.find("momentum") != std::string::npos) {
      EXPECT_EQ(line.substr(line.size() - 2), " *") << line;
    }
  }
  EXPECT_EQ(longest, 100U);
  EXPECT_TRUE(contains(text.str(), "1 thread, checkpointing\n"));
}

TEST(MemoryFit, RefusesWithTheBytesAndWhatWouldFit) {
  EXPECT_NO_THROW(require_fit(whole(), "it", 2, 9 * kGibi));
  EXPECT_NO_THROW(require_fit(whole(), "it", 2, 0)) << "unknown";
  const auto error = thrown_by<Error>([&] { require_fit(whole(), "it", 2, 8 * kGibi); });
  EXPECT_EQ(error.what_happened, "not enough memory");
  EXPECT_EQ(error.subject,
            "it would take 9237045248 bytes (8.6 GiB), 8589934592 bytes (8.0 GiB) are available");
  EXPECT_EQ(error.hint,
            "--checkpointing on (7.8 GiB), or --dtype bf16 (4.3 GiB), or training/lora_finetune "
            "(2.8 GiB), or training/lora_finetune "
            "--checkpointing on --dtype bf16 --seq-len 256 (1.0 GiB)");
  const auto other = thrown_by<Error>([&] { require_fit(whole(), "it", 2, kGibi / 2); });
  EXPECT_EQ(other.hint.find("a smaller --model; too much still: --checkpointing on (7.8 GiB)"), 0U);
}

}  // namespace
}  // namespace perf::workloads

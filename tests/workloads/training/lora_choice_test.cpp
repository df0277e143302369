#include "workloads/training/lora_choice.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace perf::workloads {
namespace {

using Targets = std::vector<Projection>;
using Layers = std::vector<bool>;

TEST(LoraChoice, ReadsTargetsInTheirOwnOrder) {
  EXPECT_EQ(lora_targets_from("q,v"), (Targets{Projection::q, Projection::v}));
  EXPECT_EQ(lora_targets_from("down,q"), (Targets{Projection::q, Projection::down}));
  EXPECT_EQ(lora_targets_from("up,up"), Targets{Projection::up});
  EXPECT_EQ(lora_targets_from("q,k,v,o,gate,up,down").size(), std::size_t{kProjections});
}

TEST(LoraChoice, ReadsLayersAndRanges) {
  EXPECT_EQ(lora_layers_from("all", 3), Layers{});
  EXPECT_EQ(lora_layers_from("1", 3), (Layers{false, true, false}));
  EXPECT_EQ(lora_layers_from("0,2-3", 5), (Layers{true, false, true, true, false}));
  EXPECT_EQ(lora_layers_from("0-2,1", 3), (Layers{true, true, true}));
}

TEST(LoraChoice, NamesTheAcceptedValues) {
  for (const char* text : {"", "x", "q,", ",q", "q v", "Q", "q;v"}) {
    EXPECT_THROW(lora_targets_from(text), std::invalid_argument) << text;
  }
  for (const char* text : {"", "x", "0,", "-1", "3-", "2-1", "1-2-3", "0 1", "all,1", "5", "0-5",
                           "99999999999", "0x1", "1.5"}) {
    EXPECT_THROW(lora_layers_from(text, 5), std::invalid_argument) << text;
  }
  try {
    lora_layers_from("24", 24);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "layers from 0 to 23, or `all`");
  }
}

}  // namespace
}  // namespace perf::workloads

#include "schema/formats/steps.h"

#include <algorithm>
#include <set>

#include "schema/error.h"
#include "schema/formats/json_reader.h"
#include "schema/formats/steps_line.h"
#include "schema/formats/text_position.h"
#include "schema/text/text_parts.h"

namespace perf::formats {
namespace {

/// A line of a thousand phases has 40 KB. The bound keeps a hostile line's tree small.
constexpr JsonLimits kLineLimits{
    .bytes = std::size_t{256} << 10, .values = 50'000, .depth = 64, .comments = false};

[[noreturn]] void refuse_line(const std::string& what, std::size_t line_number,
                              const std::string& hint = {}) {
  throw Error(what, "line " + std::to_string(line_number), hint);
}

/// The blocks of an output, line by line.
class BlockReader {
 public:
  void take(const JsonValue& line, std::size_t line_number) {
    const JsonObject& object = as_object(line, "a line");
    const JsonValue* named = find_value(object, "type");
    if (named == nullptr) {
      throw JsonFault{line.offset, "no field \"type\""};
    }
    const std::string& type = as_text(*named, "type");
    const auto refuse_second = [&](const std::string& name) {
      if (!names_.insert(type + " " + name).second) {
        throw JsonFault{line.offset, "a second " + type + " " + in_quotes(name) + " in one block"};
      }
    };
    if (type == "begin") {
      begin(object, line.offset, line_number);
    } else if (type == "end") {
      end(line.offset);
    } else if (type == "environment") {
      read_facts(object, open_block(type, line.offset).facts);
    } else if (type == "step") {
      Block& block = open_block(type, line.offset);
      block.steps.push_back(read_step(object, line.offset, next_index_));
      next_index_ = block.steps.back().index + 1;
    } else if (type == "metric") {
      Block& block = open_block(type, line.offset);
      block.metrics.push_back(read_metric(object, line.offset));
      refuse_second(block.metrics.back().metric.name);
    } else if (type == "check") {
      Block& block = open_block(type, line.offset);
      block.checks.push_back(read_check(object, line.offset));
      refuse_second(block.checks.back().name);
    }
  }

  std::vector<Block> finish(std::size_t last_line) {
    if (begun_at_ != 0) {
      refuse_line("the block that begins here has no end line", begun_at_,
                  "the program stopped before it had written everything");
    }
    if (blocks_.empty()) {
      refuse_line("no begin line", std::max<std::size_t>(last_line, 1),
                  "see docs/protocol.md for what a workload writes to PERF_COMPARE_OUT");
    }
    return std::move(blocks_);
  }

 private:
  void begin(const JsonObject& line, std::size_t offset, std::size_t line_number) {
    if (begun_at_ != 0) {
      throw JsonFault{offset,
                      "begin within the block that began at line " + std::to_string(begun_at_)};
    }
    Block block = read_begin(line, offset);
    if (blocks_.size() == kMostBlocks) {
      throw JsonFault{offset, "more than 10,000 blocks"};
    }
    if (!blocks_.empty()) {
      if (block.workload.empty() || blocks_.front().workload.empty()) {
        throw JsonFault{offset, "several blocks, of which one has no workload name"};
      }
      for (const Block& earlier : blocks_) {
        if (earlier.workload == block.workload) {
          throw JsonFault{offset, "a second block of workload " + in_quotes(block.workload)};
        }
      }
    }
    blocks_.push_back(std::move(block));
    begun_at_ = line_number;
    next_index_ = 0;
    names_.clear();
  }

  void end(std::size_t offset) {
    const std::vector<Step>& steps = open_block("end", offset).steps;
    if (std::all_of(steps.begin(), steps.end(), [](const Step& step) { return step.warmup; })) {
      throw JsonFault{offset, "the block that ends here has no timed step"};
    }
    begun_at_ = 0;
  }

  /// The block that a line of this type belongs to.

  Block& open_block(const std::string& type, std::size_t offset) {
    if (begun_at_ == 0) {
      throw JsonFault{offset, type + " outside of a begin...end block"};
    }
    return blocks_.back();
  }

  std::vector<Block> blocks_;
  std::size_t begun_at_ = 0;  // line of the open block's begin; 0: none is open
  std::int64_t next_index_ = 0;
  std::set<std::string> names_;  // "metric ..." and "check ..." of the open block
};

}  // namespace

std::vector<Block> read_steps(std::string_view text) {
  if (text.size() > kLargestText) {
    refuse_line("more than 64 MiB", position_of(text, kLargestText).line);
  }
  BlockReader reader;
  const bool ends_a_line = text.ends_with('\n');
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::string_view line = take_line(text);
    if (trimmed(line).empty()) {
      continue;
    }
    try {
      reader.take(read_json(line, kLineLimits), line_number);
    } catch (const JsonFault& fault) {
      const bool cut_off = text.empty() && !ends_a_line && fault.offset + 1 >= line.size();
      refuse_line(fault.what + (cut_off ? "; the line has no newline: was it cut off?" : ""),
                  line_number, fault.hint);
    }
  }
  return reader.finish(line_number);
}

}  // namespace perf::formats

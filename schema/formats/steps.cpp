#include "schema/formats/steps.h"

#include "schema/formats/reading.h"
#include "schema/readings.h"
#include "schema/selection.h"
#include "schema/workload_name.h"

namespace perf::formats {
namespace {

/// A line with a thousand phases has 40 KB. The bound keeps the tree of a hostile line small.
constexpr JsonLimits kLineLimits{
    .bytes = std::size_t{256} << 10, .values = 50'000, .depth = 64, .comments = false};

/// Seconds of one timed step on a device: the median over an invocation's steps.
const Metric kDeviceTime{"device_time", "s", Better::lower};

[[noreturn]] void refuse_line(const std::string& what, std::size_t line_number,
                              const std::string& hint = {}) {
  throw Error(what, "line " + std::to_string(line_number), hint);
}

class BlockReader {
 public:
  void take(const JsonValue& line, std::size_t line_number) {
    const JsonObject& object = as_object(line, "a line");
    const std::string& type = as_text(required_field(object, line.offset, "type"), "type");
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
      if (const JsonValue* device = optional_field(object, "device_seconds")) {
        const double seconds = measurable_amount(*device, "device_seconds");
        if (!block.steps.back().warmup) {
          device_seconds_.push_back(seconds);
        }
      }
    } else if (type == "metric") {
      Block& block = open_block(type, line.offset);
      block.metrics.push_back(read_metric(object, line.offset));
      refuse_second(type, block.metrics.back().metric.name, line.offset);
    } else if (type == "check") {
      Block& block = open_block(type, line.offset);
      block.checks.push_back(read_check(object, line.offset));
      refuse_second(type, block.checks.back().name, line.offset);
    }
  }

  std::vector<Block> finish(std::size_t last_line) {
    if (begun_at_ != 0) {
      refuse_line("the block has no end line", begun_at_,
                  "did the program stop before it had written everything?");
    }
    if (blocks_.empty()) {
      refuse_line("no begin line", std::max<std::size_t>(last_line, 1),
                  "docs/protocol.md describes what a workload writes to PERF_COMPARE_OUT");
    }
    return std::move(blocks_);
  }

 private:
  void begin(const JsonObject& line, std::size_t offset, std::size_t line_number) {
    if (begun_at_ != 0) {
      throw JsonFault{offset, "begin inside the block of line " + std::to_string(begun_at_)};
    }
    Block block = read_begin(line, offset);
    if (blocks_.size() == kMostBlocks) {
      throw JsonFault{offset, "more than 10,000 blocks"};
    }
    if (!blocks_.empty()) {
      if (block.workload.empty() || blocks_.front().workload.empty()) {
        throw JsonFault{offset, "a block without workload name beside others"};
      }
      for (const Block& earlier : blocks_) {
        if (earlier.workload == block.workload) {
          throw JsonFault{offset, "duplicate block of workload " + in_quotes(block.workload)};
        }
      }
    }
    blocks_.push_back(std::move(block));
    begun_at_ = line_number;
    next_index_ = 0;
    device_seconds_.clear();
    names_.clear();
  }

  void end(std::size_t offset) {
    Block& block = open_block("end", offset);
    const std::size_t timed = timed_steps(block).size();
    if (timed == 0) {
      throw JsonFault{offset, "the block has no timed step"};
    }
    if (!device_seconds_.empty()) {
      if (device_seconds_.size() != timed) {
        throw JsonFault{offset, "device_seconds is missing in some timed steps"};
      }
      refuse_second("metric", kDeviceTime.name, offset);
      block.metrics.push_back({kDeviceTime, median_in_place(device_seconds_), true});
    }
    begun_at_ = 0;
  }

  void refuse_second(const std::string& type, const std::string& name, std::size_t offset) {
    if (!names_.insert(type + " " + name).second) {
      throw JsonFault{offset, "duplicate " + type + " " + in_quotes(name) + " in one block"};
    }
  }

  /// The block of a line of this type.
  Block& open_block(const std::string& type, std::size_t offset) {
    if (begun_at_ == 0) {
      throw JsonFault{offset, type + " outside a begin...end block"};
    }
    return blocks_.back();
  }

  std::vector<Block> blocks_;
  std::size_t begun_at_ = 0;  // line of the open block's begin; 0: none is open
  std::int64_t next_index_ = 0;
  std::vector<double> device_seconds_;  // of the timed steps of the open block
  std::set<std::string> names_;         // "metric ..." and "check ..." of the open block
};

void add_block(const Block& block, SampleSet& samples) {
  samples.checks[{block.workload, block.params}].push_back(block.checks);
  samples.series.push_back({block.workload, block.params, kStepTime, true, timed_steps(block)});
  for (const MetricValue& reported : block.metrics) {
    samples.series.push_back(
        {block.workload, block.params, reported.metric, reported.judge, {reported.value}});
  }
  samples.environment.facts.insert(block.facts.begin(), block.facts.end());
}

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
      refuse_line(fault.what + (cut_off ? "; was the last line cut off?" : ""), line_number,
                  fault.hint);
    }
  }
  return reader.finish(line_number);
}

/// The protocol as a session: blocks whole, with their phases, checks and warm-up, and samples.
Sessions read_step_sessions(std::string_view text, const std::string& filename) {
  ImportedSession session;
  try {
    session.blocks = read_steps(text);
  } catch (const Error& error) {  // its subject is "line N"
    throw UsageError(error.what,
                     filename + ":" + error.subject.substr(error.subject.rfind(' ') + 1),
                     error.hint);
  }
  for (Block& block : session.blocks) {
    if (block.workload.empty()) {
      block.workload = workload_name(filename);  // the only block: see read_steps
    }
    add_block(block, session.samples);
  }
  return {std::move(session)};
}

}  // namespace perf::formats

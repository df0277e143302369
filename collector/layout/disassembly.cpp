#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "collector/layout/hot_code.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr const char* kData = "<data>";          ///< an address without a symbol
constexpr std::string_view kPointer = "(%rip)";  ///< relative to the instruction pointer

struct Instruction {
  std::uint64_t address = 0;
  std::string_view words;
};

struct Body {
  std::string_view symbol;
  std::uint64_t address = 0;
  std::vector<Instruction> instructions;
};

/// Bytes that each symbol covers; the largest where several share a name.
using SymbolSizes = std::map<std::string_view, std::uint64_t>;

/// The targets of operands.
struct Surroundings {
  SymbolSizes sizes;
  const ReadOnlyData& constants;
};

/// A text as a hexadecimal number.
std::optional<std::uint64_t> parse_hexadecimal(std::string_view text) {
  return parsed<std::uint64_t>(text, 16);
}

/// "0000000000002020 l     O .rodata\t0000000000000020              .hidden name"
void read_symbol(std::string_view line, SymbolSizes& sizes) {
  std::string_view name = line.substr(std::min(line.find('\t'), line.size()));
  const std::optional<std::uint64_t> size = parse_hexadecimal(take_word(name));
  if (!size || !parse_hexadecimal(line.substr(0, line.find(' ')))) {
    return;
  }
  name = trimmed(name);
  for (const std::string_view visibility : {".hidden ", ".protected ", ".internal "}) {
    if (name.starts_with(visibility)) {
      name.remove_prefix(visibility.size());
    }
  }
  std::uint64_t& largest = sizes[name];
  largest = std::max(largest, *size);
}

/// "0000000000001230 <name>:"
std::optional<Body> read_heading(std::string_view line) {
  const std::size_t open = line.find(" <");
  const std::optional<std::uint64_t> address = parse_hexadecimal(line.substr(0, open));
  if (!address || open == std::string_view::npos || line.size() < open + 4 ||
      !line.ends_with(">:")) {
    return std::nullopt;
  }
  return Body{line.substr(open + 2, line.size() - open - 4), *address, {}};
}

/// "    1230:\ttest   %edi,%edi"
std::optional<Instruction> read_instruction(std::string_view line) {
  const std::size_t colon = line.find(":\t");
  const std::optional<std::uint64_t> address = parse_hexadecimal(trimmed(line.substr(0, colon)));
  if (!address || colon == std::string_view::npos) {
    return std::nullopt;
  }
  return Instruction{*address, trimmed(line.substr(colon + 2))};
}

bool is_padding(std::string_view words) {
  for (const std::string_view prefix : {"data16 ", "cs "}) {
    while (words.starts_with(prefix)) {
      words = trimmed(words.substr(prefix.size()));
    }
  }
  const std::string_view mnemonic = words.substr(0, words.find_first_of(kBlanks));
  return mnemonic == "nop" || mnemonic == "nopw" || mnemonic == "nopl" || words == "data16" ||
         words == "xchg   %ax,%ax";
}

/// Without nops and the padding after the function.
std::vector<Instruction> without_padding(const std::vector<Instruction>& all) {
  std::vector<Instruction> kept;
  for (const Instruction& instruction : all) {
    if (!is_padding(instruction.words)) {
      kept.push_back(instruction);
    }
  }
  while (!kept.empty() && kept.back().words == "int3") {
    kept.pop_back();
  }
  return kept;
}

/// "<name+0x10>" as it is where the name covers the place, else "<data>".
std::string place(std::string_view reference, const SymbolSizes& sizes) {
  const std::size_t open = reference.find('<'), close = reference.rfind('>');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return kData;
  }
  const std::string_view name = reference.substr(open + 1, close - open - 1);
  const std::size_t plus = name.rfind("+0x");
  if (plus == std::string_view::npos) {
    return "<" + std::string(name) + ">";
  }
  const auto found = sizes.find(name.substr(0, plus));
  const std::optional<std::uint64_t> offset = parse_hexadecimal(name.substr(plus + 3));
  const bool covered = found != sizes.end() && offset && *offset < found->second;
  return covered ? "<" + std::string(name) + ">" : kData;
}

/// Words with each run of blanks as one space.
std::string squeezed(std::string_view words) {
  const bool ends_blank = words.ends_with(' ') || words.ends_with('\t');
  std::string text;
  for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
    text.append(text.empty() ? "" : " ").append(word);
  }
  return ends_blank ? text + ' ' : text;
}

/// Bytes that an instruction reads at its operand, by the mnemonic's suffix or the register's
/// width; 0 where unknown. Too many make constants look different, never the same.
std::size_t bytes_read(std::string_view words) {
  const std::string_view mnemonic = words.substr(0, words.find_first_of(kBlanks));
  const std::string_view ending =
      mnemonic.substr(mnemonic.size() - std::min<std::size_t>(2, mnemonic.size()));
  if (ending == "ss" || ending == "sd") {
    return ending == "ss" ? 4 : 8;
  }
  const auto has = [&](std::string_view name) {
    return words.find(name) != std::string_view::npos;
  };
  return has("%zmm") ? 64 : has("%ymm") ? 32 : has("%xmm") ? 16 : 0;
}

/// The target of an instruction with this comment, "# 2010 <name+0x10>".
std::string data_at(std::string_view words, std::string_view comment, const Surroundings& around) {
  std::string named = place(comment, around.sizes);
  const std::optional<std::uint64_t> address = parse_hexadecimal(take_word(comment, "# "));
  if (named != kData || !address) {
    return named;
  }
  const std::string constant = around.constants.at(*address, bytes_read(words));
  return constant.empty() ? named : "<data " + constant + ">";
}

/// "movsd  0x2de8(%rip),%xmm0        # 4028 <x>": the displacement is replaced by its target.
std::string with_data(std::string_view words, std::size_t comment, const Surroundings& around) {
  std::string text = squeezed(trimmed(words.substr(0, comment)));
  const std::size_t pointer = text.find(kPointer);
  const std::size_t begin = text.find_last_of(" ,*", pointer) + 1;
  return text.replace(begin, pointer + kPointer.size() - begin,
                      data_at(words, words.substr(comment), around));
}

/// "je     1284 <f+0x54>": a target in the function is replaced by the number of its instruction.
std::string with_target(std::string_view words, const std::vector<Instruction>& kept,
                        std::uint64_t begin, std::uint64_t last, const SymbolSizes& sizes) {
  const std::size_t open = words.find(" <");
  if (open == std::string_view::npos || words.back() != '>') {
    return squeezed(words);
  }
  const std::size_t number = words.find_last_of(" \t,", open - 1) + 1;
  const std::optional<std::uint64_t> target =
      parse_hexadecimal(words.substr(number, open - number));
  if (!target) {
    return squeezed(words);
  }
  const std::string head = squeezed(words.substr(0, number));
  if (*target < begin || *target > last) {
    return head + place(words.substr(open), sizes);
  }
  const auto leads_to = std::partition_point(
      kept.begin(), kept.end(), [&](const Instruction& one) { return one.address < *target; });
  return head + "@" + std::to_string(leads_to - kept.begin());
}

std::string text_of(const Body& body, const Surroundings& around) {
  const std::vector<Instruction> kept = without_padding(body.instructions);
  const std::uint64_t last =
      body.instructions.empty() ? body.address : body.instructions.back().address;
  std::string text;
  for (const Instruction& instruction : kept) {
    const std::size_t comment = instruction.words.find(" # ");
    const bool has_data =
        comment != std::string_view::npos &&
        instruction.words.substr(0, comment).find(kPointer) != std::string_view::npos;
    text += has_data ? with_data(instruction.words, comment, around)
                     : with_target(instruction.words, kept, body.address, last, around.sizes);
    text += '\n';
  }
  return text;
}

}  // namespace

/// " 2000 01000200 00000000 48656c6c 6f000000  ........Hello..."
ReadOnlyData::ReadOnlyData(std::string_view dump) {
  constexpr std::size_t kDigitsWidth = 35;  // four groups of eight, then the same as text
  while (!dump.empty()) {
    std::string_view line = take_line(dump);
    const bool is_indented = line.starts_with(' ');
    const std::optional<std::uint64_t> address = parse_hexadecimal(take_word(line));
    if (!is_indented || !address || line.empty()) {
      continue;
    }
    if (digits_.empty()) {
      begin_ = *address;
    }
    if (*address != begin_ + digits_.size() / 2) {
      return;  // another section: keep what was read
    }
    for (const char letter : line.substr(1, kDigitsWidth)) {
      if (parse_hexadecimal({&letter, 1})) {
        digits_ += letter;
      }
    }
  }
}

std::string ReadOnlyData::at(std::uint64_t address, std::size_t size) const {
  const std::uint64_t there = digits_.size() / 2;
  if (size == 0 || address < begin_ || address - begin_ > there ||
      there - (address - begin_) < size) {
    return "";
  }
  return digits_.substr(2 * static_cast<std::size_t>(address - begin_), 2 * size);
}

Disassembly read_disassembly(std::string_view text, const ReadOnlyData& constants) {
  Surroundings around{{}, constants};
  std::vector<Body> bodies;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (std::optional<Body> body = read_heading(line)) {
      bodies.push_back(std::move(*body));
    } else if (const auto instruction = read_instruction(line); instruction && !bodies.empty()) {
      bodies.back().instructions.push_back(*instruction);
    } else if (bodies.empty()) {
      read_symbol(line, around.sizes);
    }
  }
  std::map<std::string, std::vector<std::string>> texts;
  Disassembly functions;
  for (const Body& body : bodies) {
    const std::string symbol(body.symbol);
    functions[symbol].addresses.push_back(body.address);
    texts[symbol].push_back(text_of(body, around));
  }
  for (auto& [symbol, parts] : texts) {
    std::ranges::sort(parts);
    for (const std::string& part : parts) {
      functions[symbol].text += part + '\n';
    }
  }
  return functions;
}

}  // namespace perf

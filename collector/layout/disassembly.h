#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// The bytes of a section, as `objdump -s -j .rodata` prints them; empty where it has none.
class ReadOnlyData {
 public:
  ReadOnlyData() = default;
  explicit ReadOnlyData(std::string_view dump);

  /// `size` bytes from an address on, in hexadecimal; empty where they are not all there.
  std::string at(std::uint64_t address, std::size_t size) const;

 private:
  std::uint64_t begin_ = 0;
  std::string digits_;  ///< two a byte
};

/// The functions of one name in an object file: file-local ones may share theirs.
struct FunctionCode {
  std::vector<std::uint64_t> addresses;  ///< where they begin, in the file's order
  /// Their instructions without what moving them changes. Two functions of equal text do the same
  /// with the same operands; they need not lie, nor be aligned, alike.
  std::string text;
};

/// By symbol, as the file calls it.
using Disassembly = std::map<std::string, FunctionCode>;

/// Reads what `objdump -d -t --no-show-raw-insn` prints of a file. In the text of a function
///
/// - addresses are gone, and so is padding (nop in all its lengths, int3 at the end);
/// - jumps within the function name the instruction they lead to, by its number; calls and jumps
///   out of it the symbol;
/// - operands relative to the instruction pointer name the symbol they lead into and how far; where
///   no symbol covers the place, the constant that is read there, or just `<data>` where its size
///   is not known: constants without a name move with everything else in their section.
///
/// Absolute addresses inside operands (programs that are linked to a fixed place, -no-pie) cannot
/// be told from numbers and stay, so that moved code may look different there, but changed code
/// never the same. Written for x86-64; on other machines more will look different.
Disassembly read_disassembly(std::string_view text, const ReadOnlyData& constants = {});

}  // namespace perf

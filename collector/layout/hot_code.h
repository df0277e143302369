#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "collector/process/process.h"
#include "schema/profile.h"
#include "schema/workload.h"

namespace perf {

/// The bytes of a section, from the output of `objdump -s -j .rodata`; empty without such a
/// section.
class ReadOnlyData {
 public:
  ReadOnlyData() = default;
  explicit ReadOnlyData(std::string_view dump);

  /// `size` bytes from an address on, in hexadecimal; empty where the section has fewer.
  std::string at(std::uint64_t address, std::size_t size) const;

 private:
  std::uint64_t begin_ = 0;
  std::string digits_;  ///< two a byte
};

/// The functions of one name in an object file: file-local functions may share a name.
struct FunctionCode {
  std::vector<std::uint64_t> addresses;  ///< where they begin, in the file's order
  /// Their instructions without what changes when they are moved. Functions of equal text run the
  /// same instructions with the same operands; their addresses and alignment may differ.
  std::string text;
};

/// By symbol, as written in the file.
using Disassembly = std::map<std::string, FunctionCode>;

/// Reads the output of `objdump -d -t --no-show-raw-insn`. In the text of a function
///
/// - addresses and padding (nop of any length, int3 at the end) are left out;
/// - jumps within the function have the number of their target instruction; calls and jumps out of
///   it have the symbol;
/// - operands relative to the instruction pointer have the symbol and the offset in it; without a
///   symbol, the constant that is read there, or `<data>` where its size is unknown: unnamed
///   constants move with everything else in their section.
///
/// Absolute addresses inside operands (programs linked to a fixed address, -no-pie) look like
/// numbers and stay, so that moved code may look different there, but changed code never the same.
/// Written for x86-64; on other machines more code looks different.
Disassembly read_disassembly(std::string_view text, const ReadOnlyData& constants = {});

/// A function with at least this share of the samples is hot.
inline constexpr double kHotShare = 0.05;

/// The functions that matter to a timing, by object file (path relative to the checkout). No
/// symbols: all functions of that file.
using HotPlaces = std::map<std::filesystem::path, std::set<std::string>>;

/// Whether base's and head's hot functions have the same code.
struct HotCode {
  enum class Same { identical, different, unknown };
  Same same = Same::unknown;
  std::string reason;  ///< what differs, or why that is unknown
  HotPlaces places;    ///< what was compared
};

/// The hot functions of a profile that are in files of the checkout: libraries of the machine are
/// the same on both sides.
HotPlaces hot_places(const Profile& profile, const std::filesystem::path& checkout);

/// The share of a profile's samples in these functions, 0..1.
double share_of(const HotPlaces& places, const Profile& profile,
                const std::filesystem::path& checkout);

/// The program of a workload, relative to the checkout; absent where it is outside or not an ELF
/// file (a script).
std::optional<std::filesystem::path> own_program(const Workload& workload,
                                                 const std::filesystem::path& checkout);

/// The disassembly of one file; `problem`: why it failed, empty on success.
struct ObjectCode {
  Disassembly functions;
  std::string problem;
};

/// Runs objdump. Throws Error only where no process can be started.
ObjectCode disassemble(const RunProcess& run_process, const std::filesystem::path& file);

/// Compares these functions of two checkouts. Byte-identical files count as `different`: they have
/// the same layout, so layout cannot explain a change.
HotCode compare_hot_code(const RunProcess& run_process, const HotPlaces& places,
                         const std::filesystem::path& base, const std::filesystem::path& head);

/// Whether one of these functions has another address in `second` than in `first`, two builds of
/// one revision; false also where that is unknown.
bool is_moved(const RunProcess& run_process, const HotPlaces& places,
              const std::filesystem::path& first, const std::filesystem::path& second);

/// Whether a regular file begins like an ELF file.
bool is_elf(const std::filesystem::path& file);

/// The programs and shared objects in a checkout, relative to it. Links (their targets in the
/// checkout are found anyway), git's folder and unreadable folders are left out.
std::set<std::filesystem::path> linked_files(const std::filesystem::path& checkout);

}  // namespace perf

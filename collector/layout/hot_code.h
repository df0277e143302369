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

/// A function with at least this share of the samples is hot.
inline constexpr double kHotShare = 0.05;

/// The functions that matter to a timing, by the object file they lie in, its path relative to the
/// checkout. No symbols: all functions of that file.
using HotPlaces = std::map<std::filesystem::path, std::set<std::string>>;

/// Base's and head's hot functions: the same code, or not, or there is no telling.
struct HotCode {
  enum class Same { identical, different, unknown };
  Same same = Same::unknown;
  std::string reason;  ///< for a person: what differs, or why there is no telling
  HotPlaces places;    ///< what was compared
};

/// The functions of a profile that are hot and lie in files of the checkout. A program's time in
/// libraries of the machine is the same code on both sides anyway.
HotPlaces hot_places(const Profile& profile, const std::filesystem::path& checkout);

/// The share of a profile's samples in these functions, 0..1.
double share_of(const HotPlaces& places, const Profile& profile,
                const std::filesystem::path& checkout);

/// The program of a workload as a file of the checkout, relative to it; absent where it lies
/// elsewhere or is no ELF file (a script).
std::optional<std::filesystem::path> own_program(const Workload& workload,
                                                 const std::filesystem::path& checkout);

/// What is disassembled of one file; the problem says why it cannot be, empty when it can.
struct ObjectCode {
  Disassembly functions;
  std::string problem;
};

/// Runs objdump. Throws Error only when no process can be started.
ObjectCode disassemble(const RunProcess& run_process, const std::filesystem::path& file);

/// Compares these functions of two checkouts. Files that are the same to the byte are laid out the
/// same as well: that is `different`, because layout cannot be what tells them apart.
HotCode compare_hot_code(const RunProcess& run_process, const HotPlaces& places,
                         const std::filesystem::path& base, const std::filesystem::path& head);

/// Whether one of these functions lies elsewhere in `second` than in `first`, two builds of one
/// revision; false as well where that cannot be told.
bool is_moved(const RunProcess& run_process, const HotPlaces& places,
              const std::filesystem::path& first, const std::filesystem::path& second);

/// Whether a regular file begins as ELF files do: programs, shared objects, objects.
bool is_elf(const std::filesystem::path& file);

/// What a linker has made in a checkout, and a process could run: programs and shared objects,
/// relative to it. Links are not followed, because what they lead to in the checkout is there
/// itself; nor is git's own folder. Folders that cannot be read are left out.
std::set<std::filesystem::path> linked_files(const std::filesystem::path& checkout);

}  // namespace perf

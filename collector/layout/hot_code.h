#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collector/layout/disassembly.h"
#include "collector/process/process.h"
#include "schema/profile.h"
#include "schema/workload.h"

namespace perf {

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

}  // namespace perf

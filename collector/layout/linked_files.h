#pragma once

#include <filesystem>
#include <set>

namespace perf {

/// Whether a regular file begins as ELF files do: programs, shared objects, objects.
bool is_elf(const std::filesystem::path& file);

/// What a linker has made in a checkout, and a process could run: programs and shared objects,
/// relative to it. Links are not followed, because what they lead to in the checkout is there
/// itself; nor is git's own folder. Folders that cannot be read are left out.
std::set<std::filesystem::path> linked_files(const std::filesystem::path& checkout);

}  // namespace perf

#pragma once

#include <filesystem>

namespace perf {

/// Lets a new repository borrow all objects of another, and know where the other's history was cut;
/// both by the folders that hold their objects. Throws Error where it cannot be written.
void borrow_objects(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace perf

#pragma once

#include <map>

namespace perf::nvml {

/// Whose a process is.
enum class Owner { ours, other, hidden };

/// Sorts processes by their ancestors; of those that end, what was known stays.
class Owners {
 public:
  /// Ours are `own` and all that descends from it.
  explicit Owners(int own);

  /// Hidden: it has ended, or has no such id here, as in a container.
  Owner of(unsigned pid);
  /// Whether the ids that the driver lists are those of this namespace.
  bool sees_all() const { return is_first_space_; }

 private:
  Owner find(unsigned pid) const;

  unsigned own_;
  bool is_first_space_ = false;
  std::map<unsigned, Owner> known_{};
};

}  // namespace perf::nvml

#include "schema/child_name.h"

namespace perf {

std::string child_name(const std::string& entry, const std::string& block,
                       std::set<std::string>& taken) {
  const std::string prefix = entry + "/";
  const std::string plain = block.rfind(prefix, 0) == 0 ? block : prefix + block;
  std::string name = plain;
  for (int twin = 2; !taken.insert(name).second; ++twin) {
    name = plain + "-" + std::to_string(twin);
  }
  return name;
}

}  // namespace perf

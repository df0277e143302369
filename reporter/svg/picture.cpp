#include "reporter/svg/picture.h"

#include <cstddef>

namespace perf::reporter::svg {

std::string stand_alone(const std::string& svg) {
  const std::size_t content = svg.find('>') + 1;
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg.substr(0, content) + "<style>" +
         kPictureStyle + kDarkPictureStyle + "</style>" + svg.substr(content) + "\n";
}

}  // namespace perf::reporter::svg

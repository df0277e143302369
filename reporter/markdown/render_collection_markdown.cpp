#include "reporter/collection_layout.h"
#include "reporter/markdown/document.h"
#include "reporter/render.h"

namespace perf {

std::string render_collection_markdown(const Collection& collection) {
  return reporter::markdown_document(reporter::lay_out(collection));
}

}  // namespace perf

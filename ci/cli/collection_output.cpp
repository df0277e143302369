#include "ci/cli/collection_output.h"

#include <cstddef>

#include "ci/cli/output.h"
#include "reporter/render.h"

namespace perf {

std::vector<Error> write_outputs(const Collection& collection, const Options& options) {
  Renderings renderings;
  renderings.terminal = [&](bool color) { return render_collection_terminal(collection, color); };
  renderings.json = [&] { return render_collection_json(collection); };
  renderings.markdown = [&] { return render_collection_markdown(collection); };
  renderings.html = [&] { return render_collection_html(collection); };
  renderings.github.summary = [&](std::size_t limit) {
    return render_github_summary(collection, limit);
  };
  return write_outputs(renderings, options);
}

}  // namespace perf

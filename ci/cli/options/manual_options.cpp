#include "ci/cli/options/manual_options.h"

#include "ci/cli/manual/completion.h"
#include "ci/cli/manual/man_page.h"

namespace perf {

void add_manual_options(CLI::App& app, ManualRequest& request) {
  app.add_option("--completion", request.shell, "Print a script of completion: bash, fish or zsh")
      ->check(CLI::IsMember(completion_shells()))
      ->type_name("SHELL");
  app.add_flag("--man", request.man, "Print the manual page, for man -l -");
}

bool is_manual_option(const std::string& argument) {
  return argument == "--man" || argument.substr(0, argument.find('=')) == "--completion";
}

std::string requested_page(const ManualRequest& request, const CommandTree& tree) {
  if (request.man) {
    return render_man_page(tree);
  }
  return request.shell.empty() ? std::string() : render_completion(tree, request.shell);
}

}  // namespace perf

#include "ci/cli/options/history_commands.h"

#include "ci/cli/options/option_groups.h"

namespace perf {

void add_pins(CLI::App& app, Options& options) {
  CLI::App* pin = app.add_subcommand("pin", "Name a revision as a baseline");
  pin->add_option("NAME", options.name, "The baseline's name")->required();
  pin->add_option("REV", options.revision, "The revision (default HEAD)");
  pin->add_option("--reason", options.reason, "Why; kept in the store")->type_name("TEXT");
  add_repository_options(*pin, options);
  CLI::App* unpin =
      app.add_subcommand("unpin", "Forget a baseline (its history stays in the store)");
  unpin->add_option("NAME", options.name, "The baseline's name")->required();
  unpin->add_option("--reason", options.reason, "Why; kept in the store")->type_name("TEXT");
  add_repository_options(*unpin, options);
  CLI::App* pins = app.add_subcommand("pins", "List the baselines");
  add_repository_options(*pins, options);
}

}  // namespace perf

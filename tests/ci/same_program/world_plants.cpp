#include "tests/ci/same_program/plant.h"

namespace perf::test {
namespace {

/// Everything outside changes while both sides are built, so that its twin is in doubt as well.
Plant outside(const std::string& name, const std::string& build, const std::string& command,
              const std::string& because) {
  return {.name = name,
          .base = "echo 1 > text",
          .head = "echo 2 > text",
          .build = build,
          .command = command,
          .because = because,
          .doubtful = true};
}

}  // namespace

std::vector<Plant> world_plants() {
  const std::string changed = "outside the checkout, was changed since the build began";
  return {
      outside("outside_read", "cat text > $OUTSIDE/read", "$ASK read $OUTSIDE/read", changed),
      outside("outside_stat", "cat text > $OUTSIDE/stat", "$ASK stat $OUTSIDE/stat", changed),
      outside("outside_old", "touch -d 2001-01-01 $OUTSIDE/old", "$ASK read $OUTSIDE/old", changed),
      outside("outside_moved", "cat text > $OUTSIDE/new && mv $OUTSIDE/new $OUTSIDE/moved",
              "$ASK read $OUTSIDE/moved", changed),
      outside("outside_listed", "mkdir -p $OUTSIDE/list && touch $OUTSIDE/list/$(cat text)",
              "$ASK list $OUTSIDE/list", changed),
      outside("outside_link", "ln -sfn $(cat text) $OUTSIDE/link", "readlink $OUTSIDE/link",
              changed),
      outside("outside_by_link", "cat text > $OUTSIDE/linked; ln -s $OUTSIDE/linked now",
              "$ASK read now", changed),
      outside("outside_replaced", "cat text > $OUTSIDE/replaced",
              "cat $OUTSIDE/replaced; echo 1 > $OUTSIDE/new; mv $OUTSIDE/new $OUTSIDE/replaced",
              changed),
      outside("outside_made_anew", "cat text > $OUTSIDE/anew",
              "cat $OUTSIDE/anew; rm $OUTSIDE/anew; echo 1 > $OUTSIDE/anew", changed),
      outside("outside_by_two_names",
              "mkdir -p $OUTSIDE/one; ln -sfn one $OUTSIDE/two; cat text > $OUTSIDE/one/file",
              "cat $OUTSIDE/two/file; echo 1 > $OUTSIDE/one/file", changed),
      outside("outside_run", "printf '#!/bin/sh\\n' > $OUTSIDE/run; chmod +x $OUTSIDE/run",
              "$OUTSIDE/run", "both sides run"),
      outside("outside_by_proc", "cat text > $OUTSIDE/by_proc",
              "$ASK stat /proc/..$OUTSIDE/by_proc", "it opens files through /proc"),
      outside("memory_file", "cat text > $MEMORY", "$ASK read $MEMORY", changed),
      outside("pipe", "true", "$ASK stat $OUTSIDE/pipe", "which is not a regular file"),
      outside("pipe_of_build", "mkfifo pipe", "$ASK stat pipe", "which is not a regular file"),
      outside("other_build", "echo $PWD >> $OUTSIDE/places",
              "for place in $(cat $OUTSIDE/places); do $ASK read $place/text; done", ""),
      outside("describe", "true", "git describe --always", ".git"),
      outside("rev_parse", "true", "git rev-parse HEAD", ".git"),
      outside("git_head", "true", "$ASK read ../../../.git/HEAD", ".git"),
      outside("git_head_stat", "true", "$ASK stat ../../../.git/HEAD", ".git"),
      outside("git_listed", "true", "$ASK list ../../../.git", ".git"),
  };
}

}  // namespace perf::test

#pragma once

#include <string>
#include <vector>

#include "collector/process/spawner.h"

namespace perf::testing {

/// Made before main and before any test has allocated, as the tool does.
Spawner& early_spawner();

/// A text that no other process bears on its command line.
std::string unique_marker();

/// How many live processes bear the marker on their command line.
int count_marked(const std::string& marker);

/// Waits, at most half a minute, until that many are there; returns how many there are.
int wait_for_marked(const std::string& marker, int wanted);

/// `process_actor PLAY NUMBER MARKER`.
ProcessRequest actor(const std::string& play, int number, const std::string& marker);

/// `sh -c SCRIPT`.
ProcessRequest shell(const std::string& script);

/// `command` as it is.
ProcessRequest program(std::vector<std::string> command);

}  // namespace perf::testing

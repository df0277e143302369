#pragma once

#include <vector>

#include "analyzer/judge/judge_sessions.h"
#include "schema/sample_set.h"

namespace perf {

// A base is seldom measured in eight sessions, but its history is, commit by commit. Sessions of
// the commits before it stand in for base's own where nothing shows that they are of another level.

/// Of what a history holds, the sessions that show each other's noise: all of one fingerprint,
/// and either of one host, one a day (what a machine does in an hour it does to all sessions in
/// it), or the newest of each host, so that no host's own speed counts twice. Of these ways the one
/// that leaves most on the side that has fewer; some of base's own has to be among them. Both sides
/// as they are where none leaves any. Order: base's by commit, then all by time.
void keep_independent(std::vector<SampleSet>& base, std::vector<SampleSet>& head);

/// Whether some of them are of commits before base.
bool is_of_history(const std::vector<SessionValue>& base);

/// Base's sessions since its level last changed, as find_steps of change_points.h sees it.
std::vector<SessionValue> at_last_level(const std::vector<SessionValue>& base);

/// How many of them were measured at base itself; they are the last.
std::size_t count_own(const std::vector<SessionValue>& base);

}  // namespace perf

#pragma once

#include <cstddef>
#include <optional>

#include "reporter/quantity.h"
#include "reporter/svg/axis.h"
#include "reporter/svg/panel.h"
#include "reporter/svg/session.h"

namespace perf::reporter::svg {

/// Where the values of a session stand. Most have the field below; what lies far above them (a
/// warm-up, a step that was interrupted) has a strip of its own, so that neither hides the other.
struct SessionField {
  Axis axis;
  std::optional<Axis> strip;  ///< above, where anything lies there
};

SessionField session_field(const Session& session, const Panel& panel, double factor);

/// Draws the dots, those of a large session thinned out; returns how many lie below the field,
/// where small triangles mark them.
std::size_t draw_dots(const Session& session, const SessionField& field, const Scale& scale,
                      Panel& panel);

/// Which share of the dots on this axis `draw_dots` draws, of the side that has more.
double drawn_share(const Session& session, const Axis& axis, double factor);

}  // namespace perf::reporter::svg

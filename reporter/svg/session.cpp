#include "reporter/svg/session.h"

#include <algorithm>
#include <cmath>

#include "reporter/quantity.h"
#include "reporter/svg/session_field.h"
#include "reporter/wording.h"
#include "schema/middle_value.h"

namespace perf::reporter::svg {
namespace {

constexpr Side kSides[] = {Side::base, Side::head};

const char* name_of(Side side) {
  return side == Side::base ? "base" : "head";
}

Dot shape_of(Side side) {
  return side == Side::base ? Dot::round : Dot::square;
}

std::optional<double> median_of(const Session& session, Side side) {
  std::vector<double> values;
  for (const SessionDot& dot : session.dots) {
    if (dot.side == side && dot.mark == Mark::measured && is_drawable(dot.value)) {
      values.push_back(dot.value);
    }
  }
  if (values.empty()) {
    return std::nullopt;
  }
  return middle_value(values);
}

/// In what the medians are written; where nothing was measured, in what the warm-up is.
Scale scale_of(const Session& session) {
  const std::optional<double> base = median_of(session, Side::base);
  const std::optional<double> head = median_of(session, Side::head);
  double any = 0;
  for (const SessionDot& dot : session.dots) {
    any = is_drawable(dot.value) ? dot.value : any;
  }
  const double one = base.value_or(head.value_or(any));
  return scale_for(one, head.value_or(one), session.unit);
}

std::string titled(const Session& session, const Scale& scale) {
  return scale.suffix.empty() ? session.title : session.title + "," + scale.suffix;
}

/// The strip at the top, and the value at its upper end.
void draw_strip(const Axis& strip, Panel& panel) {
  panel.drawing.rectangle({panel.left, strip.to}, panel.right - panel.left, strip.from - strip.to,
                          "band");
  panel.drawing.text({panel.left - 6, strip.to + 9}, tick_text(strip.high, {strip.high}), "muted",
                     Anchor::end);
}

/// "1 in 3.2 drawn"; nothing where all are.
std::string thinned_words(const Session& session, const Axis& axis, double factor) {
  const double share = drawn_share(session, axis, factor);
  return share < 1 ? "1 in " + fixed(1 / share, 1) + " drawn" : std::string();
}

std::string remarks_on(const Session& session, const SessionField& field, double factor,
                       std::size_t below) {
  std::vector<std::string> remarks = session.remarks;
  if (field.strip) {
    const std::string thinned = thinned_words(session, *field.strip, factor);
    remarks.push_back("grey strip: another scale" + (thinned.empty() ? "" : ", " + thinned));
  }
  if (below > 0) {
    remarks.push_back(std::to_string(below) + " below");
  }
  const std::string thinned = thinned_words(session, field.axis, factor);
  if (!thinned.empty()) {
    remarks.push_back(field.strip ? "under it " + thinned : thinned);
  }
  std::string words;
  for (const std::string& remark : remarks) {
    words += (words.empty() ? "" : "; ") + remark;
  }
  return words;
}

void draw_medians(const Session& session, const Scale& scale, const Axis& axis, Panel& panel) {
  std::vector<Legend> legend;
  for (const Side side : kSides) {
    const std::string name = name_of(side);
    const std::optional<double> median = median_of(session, side);
    if (!median) {
      continue;
    }
    const double y = axis.within(*median / scale.factor);
    panel.drawing.line({panel.left, y}, {panel.right, y}, name + " strong");
    legend.push_back({name, name + " " + scaled(*median, scale), shape_of(side)});
  }
  draw_legend(panel, legend);
}

}  // namespace

double place_in_session(std::size_t process, std::size_t index, std::size_t count) {
  constexpr double kGap = 0.1;  // of a slot, before its first value and after its last
  const double share = (static_cast<double>(index) + 0.5) / static_cast<double>(count);
  return static_cast<double>(process) + kGap + share * (1 - 2 * kGap);
}

std::string session_picture(const Session& session, double width) {
  const bool any = std::any_of(session.dots.begin(), session.dots.end(),
                               [](const SessionDot& dot) { return is_drawable(dot.value); });
  if (!any || session.processes == 0) {
    return {};
  }
  const Scale scale = scale_of(session);
  Panel picture = panel(width, titled(session, scale), session.label);
  const SessionField field = session_field(session, picture, scale.factor);
  draw_values(picture, field.axis, "");
  if (field.strip) {
    draw_strip(*field.strip, picture);
  }
  const std::size_t below = draw_dots(session, field, scale, picture);
  draw_medians(session, scale, field.axis, picture);
  draw_caption(picture, 0,
               counted(session.processes, "process", "processes") + " in the order they ran");
  draw_caption(picture, 1, remarks_on(session, field, scale.factor, below));
  return picture.drawing.str();
}

}  // namespace perf::reporter::svg

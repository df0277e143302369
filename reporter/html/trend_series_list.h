#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reporter/trend/findings.h"
#include "reporter/trend/histories.h"

namespace perf::reporter::html {

/// Every series, the most urgent first: a line each with its state, name, present level, noise,
/// last change, points and a small picture, which opens, without a script, to its whole history and
/// all its findings. list.js sorts and filters them, history.js makes the pictures move.
std::string series_list(const Histories& histories, const std::vector<Finding>& findings);

/// "s12": where the line of a series is on the page.
std::string series_anchor(std::size_t index);

/// A picture of a series that history.js may replace.
std::string history_box(std::size_t index, const std::string& svg);

}  // namespace perf::reporter::html

#pragma once

/// The one place that includes CLI11.
#include <CLI/CLI.hpp>

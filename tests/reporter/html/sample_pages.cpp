#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reporter/escape/visible.h"
#include "reporter/render.h"
#include "tests/reporter/samples.h"

// sample_pages FOLDER: writes every page that the tests open in a browser.
namespace {

namespace fs = std::filesystem;
namespace samples = perf::samples;

constexpr int kWorkloads = 100;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) {
    throw std::runtime_error("cannot write " + file.string());
  }
}

std::string drawn(perf::Report report) {
  const std::vector<perf::MeasuredWorkload> measured = samples::measure(report);
  return perf::render_html(report, measured);
}

void write_samples(const fs::path& folder) {
  for (const samples::Named& sample : samples::all()) {
    write(folder / (sample.name + ".html"), drawn(sample.report));
  }
  write(folder / "many.html", drawn(samples::many_measured(kWorkloads)));
  for (const samples::NamedTrend& sample : samples::all_trends()) {
    write(folder / (sample.name + ".html"), perf::render_html(sample.report));
  }
  write(folder / "trend_nights.html", perf::render_html(samples::nights(40, 240)));
  // For trend_page_benchmark.py, and in a folder of its own: no test of every page takes it along.
  write(folder / "large" / "trend.html", perf::render_html(samples::nights(500, 2000)));
  write(folder / "bisection.html", perf::render_html(samples::found_commit()));
  write(folder / "calibration.html", perf::render_html(samples::noisy_calibration()));
  write(folder / "collection.html", perf::render_html(samples::collected_range()));
}

/// A page of each kind in which every text is this one.
void write_poisoned(const fs::path& folder, const std::string& text) {
  write(folder / "comparison.html", drawn(samples::poisoned_report(text)));
  write(folder / "trend.html", perf::render_html(samples::poisoned_history(text)));
  write(folder / "bisection.html", perf::render_html(samples::poisoned_bisection(text)));
  write(folder / "collection.html", perf::render_html(samples::poisoned_collection(text)));
}

/// hostile/NNN/, and what of the text a page should show, in text.txt beside them;
/// hostile/harmless/ is the same of a text that attacks nothing.
void write_hostile(const fs::path& folder) {
  write_poisoned(folder / "harmless", "harmless text");
  int number = 0;
  for (const std::string& text : samples::hostile_texts()) {
    // An empty subject or size is left out: that page has another shape.
    const std::string shown = perf::reporter::one_line(text);
    if (shown.empty()) {
      continue;
    }
    const fs::path place = folder / std::to_string(100 + number++);
    write_poisoned(place, text);
    write(place / "text.txt", shown);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: sample_pages FOLDER\n");
    return 2;
  }
  const fs::path folder = arguments[1];
  write_samples(folder);
  write_hostile(folder / "hostile");
}

#pragma once

#include <string>
#include <vector>

namespace perf::test {

/// A difference between two commits in what a workload runs or reads. It is planted in a folder of
/// its own, `changed/NAME/at`, and its twin, the same without the change, in `kept/NAME/at`: so deep
/// that none is beside another. All text is for sh(1), run in that folder; $ASK is the program of
/// ask.c.
struct Plant {
  std::string name{};
  std::string base{};     ///< makes what the first commit has
  std::string head{};     ///< changes it into what the second has
  std::string build{};    ///< what the build does there
  std::string first{};    ///< another workload, which runs before
  std::string command{};  ///< the workload
  std::string because{};  ///< what the report names as the reason to measure, or a part of that
  bool may_fail = false;  ///< left out where the command fails: not every machine can
  bool doubtful = false;  ///< it is measured without any change, too: there is no twin
  std::vector<std::string> inputs{};  ///< of the config's entry, from the folder on
};

std::vector<Plant> file_plants();     ///< what is read, and what else is asked of a file
std::vector<Plant> name_plants();     ///< how a file is named, links on the way
std::vector<Plant> process_plants();  ///< who reads it, and what no file tells
std::vector<Plant> program_plants();  ///< what is executed and loaded
std::vector<Plant> script_plants();   ///< shells and Python
std::vector<Plant> choice_plants();   ///< what is read by one run, and not by another
std::vector<Plant> world_plants();    ///< what lies outside the checkout, and its history

}  // namespace perf::test

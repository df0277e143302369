#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/step_emitter.h"

namespace perf::workloads {

/// `smoke` and `ci` keep an invocation within about 0.6 s; `full` is the size people ask about.
enum class Size { smoke, ci, full };
inline constexpr std::array<std::string_view, 3> kSizeNames = {"smoke", "ci", "full"};

/// Throws Error for a name that is no size.
Size size_from(std::string_view name);

/// One parameter of a workload: its text value for each size, and what it accepts.
struct Parameter {
  enum class Kind { integer, integers, real, choice, text };

  std::string name;
  Kind kind = Kind::integer;
  std::array<std::string, 3> defaults;  ///< smoke, ci, full
  std::string help;
  double least = 0, most = 0;        ///< inclusive; numbers and lists of numbers only
  std::vector<std::string> choices;  ///< choices only
  /// Texts, and choices of which some are not there in every program: throws
  /// std::invalid_argument, saying what is accepted or what to do, for one that is not accepted.
  void (*require)(const std::string& text) = nullptr;
};

Parameter integer(std::string name, std::array<std::int64_t, 3> defaults, std::int64_t least,
                  std::int64_t most, std::string help);
/// One whole number or several, different ones: "1,4,16". For parameters that make a sweep.
Parameter integers(std::string name, std::array<std::string, 3> defaults, std::int64_t least,
                   std::int64_t most, std::string help);
Parameter real(std::string name, double value, double least, double most, std::string help);
/// The first choice is the default.
Parameter choice(std::string name, std::vector<std::string> choices, std::string help);
Parameter choice(std::string name, std::vector<std::string> choices,
                 std::array<std::string, 3> defaults, std::string help);
/// A text that `require` accepts, see Parameter.
Parameter text(std::string name, std::string value, void (*require)(const std::string& text),
               std::string help);

/// Whether `given` names one of the parameters, in full or briefly, as Settings understands it.
bool is_among(const std::vector<Parameter>& parameters, const std::string& given);

/// Values by parameter name, complete and valid.
class Settings {
 public:
  /// Every parameter from `given` (by name; '_' may stand for '-', "batch" for "batch-size" and
  /// "length" for "seq-len") or else from the size's defaults. Throws Error for a name that is
  /// unknown (naming the nearest) or given twice, or a value that is not accepted.
  Settings(const std::vector<Parameter>& parameters, Size size,
           const std::map<std::string, std::string>& given);

  std::int64_t integer(std::string_view name) const;
  int count(std::string_view name) const { return static_cast<int>(integer(name)); }
  std::vector<std::int64_t> integers(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  /// Whether the value was asked for, rather than taken from the size's defaults.
  bool given(std::string_view name) const { return find(name).given; }

  /// The same but for some values, which are accepted ones; by full name.
  Settings with(const std::map<std::string, std::string>& changed) const;

  /// For the begin line: numbers as numbers.
  perf_compare::Fields fields() const;

 private:
  struct Value {
    Parameter::Kind kind;
    std::string text;
    bool given = false;
  };
  const Value& find(std::string_view name) const;
  std::map<std::string, Value, std::less<>> values_;
};

/// The name nearest to `name` by edit distance, of those that contain it if any does; for "did you
/// mean".
std::string nearest(std::string_view name, const std::vector<std::string>& names);

}  // namespace perf::workloads

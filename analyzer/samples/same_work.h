#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/samples/workload_samples.h"
#include "schema/param.h"

namespace perf {

/// What one side said of itself on its `begin` and `environment` lines; the first said stays.
struct Said {
  Params params;
  std::map<std::string, std::string> facts;
};
Said said_by(const std::vector<const Invocation*>& invocations);

/// Something that is not the same on both sides.
struct Unlike {
  std::string name, base, head;

  std::string text() const { return name + " is " + base + " at base, " + head + " at head"; }
  std::map<std::string, std::string> about() const {  ///< of a warning
    return {{"name", name}, {"base", base}, {"head", head}};
  }
};

/// What both sides say, and say differently.
std::vector<Unlike> unlike(const Params& base, const Params& head);
std::vector<Unlike> unlike(const std::map<std::string, std::string>& base,
                           const std::map<std::string, std::string>& head);

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

/// Those of either.
std::set<std::string> keys_of(const Params& a, const Params& b);

/// The parameters that the two sides were wished to differ in; none where no settings are compared.
std::set<std::string> keys_set_apart(const PlannedWorkload& planned);

/// Whether a parameter that is set apart accounts for a fact that differs: the fact of its own
/// name; `backend` and `blas` for all that begin with "blas"; one that names another program
/// (`implementation`, `framework`, `library`, `engine`, `runtime`) for all that a program brings,
/// but not for its threads, its device or its precision.
bool accounts_for(const std::string& key, const std::string& fact);

/// Whether a parameter says who computes or with what means (`implementation`, `backend`,
/// `threads`, ...). Of all others it is taken that they decide what is computed.
bool says_who_or_how(std::string_view key);

/// Where only such settings are compared, both sides have to compute the same: why they do not,
/// as by a dtype that is fp32 at base and bf16 at head. It goes by the parameters and the precision
/// that both sides state, and by tokens_per_step. How many threads a side has is no such reason,
/// and two commits under the same settings are always compared: what a commit changed is never an
/// excuse.
std::optional<Unlike> why_not_same_work(const WorkloadSamples& samples);

/// Whether the two settings differ in nothing but in what these parameters name, as a target
/// between them has to know: parameters that only say who or how allow for no other work at all,
/// and one that decides what is computed (`dtype`, a shape) is among them wherever it was set
/// apart.
bool same_work_but_for(const WorkloadSamples& samples, const std::set<std::string>& named);

/// `tokens_per_step`, where a step of base is another number of tokens than one of head.
std::optional<Unlike> unlike_tokens(const WorkloadSamples& samples);

}  // namespace perf

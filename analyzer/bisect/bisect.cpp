#include "analyzer/bisect/bisect.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

// The answer is given once no more than this probability contradicts it; twice, because the
// neighbours of the step must differ as well.
constexpr double kDoubt = 0.01;
// A commit is left alone for another once one of its sides has only this probability.
constexpr double kMoveOn = 0.1;
// More pairs than the ordinary rule's last look are not spent on one commit.
constexpr std::size_t kMostPairsOfACommit = 74;
// Nor more than these on all of them: a search that has not ended by then never will.
constexpr std::size_t kMostPairsInAll = 1000;
// A level is between those of the ends where it is so many standard errors away from both, as seen
// in so many pairs at least.
constexpr double kClearErrors = 3;
constexpr std::size_t kClearPairs = 4;
// The neighbours of the step must have been seen so often each: one pair alone proves nothing.
constexpr std::size_t kSeenPairs = 2;

/// ln((1 - doubt) / doubt): the log odds at which something counts as known.
double known_odds() {
  return std::log((1 - kDoubt) / kDoubt);
}

/// Pairs behind the level of a commit; GOOD is measured against itself, and needs none.
std::size_t pairs_at(const BisectEvidence& evidence, int commit) {
  const int at = standing_for(evidence, commit);
  return at < 0 ? kMostPairsOfACommit
                : evidence.commits[static_cast<std::size_t>(at)].differences.size();
}

bool is_end(const BisectEvidence& evidence, const BisectRange& range, int commit) {
  const int at = standing_for(evidence, commit);
  return at == range.good || at == range.bad;
}

bool is_seen(const BisectEvidence& evidence, const BisectRange& range, int commit) {
  return is_end(evidence, range, commit) || pairs_at(evidence, commit) >= kSeenPairs;
}

std::size_t pairs_in_all(const BisectEvidence& evidence) {
  std::size_t pairs = 0;
  for (const BisectCommit& commit : evidence.commits) {
    pairs += commit.differences.size();
  }
  return pairs;
}

/// It, or the one that stands for it.
bool may_measure(const BisectEvidence& evidence, const BisectRange& range, int commit) {
  const int at = standing_for(evidence, commit);
  return !is_end(evidence, range, commit) && at >= 0 &&
         !evidence.commits[static_cast<std::size_t>(at)].skipped &&
         pairs_at(evidence, at) < kMostPairsOfACommit;
}

/// The likeliest place of the step: between two neighbours that can be measured.
void find_likeliest(const BisectEvidence& evidence, const BisectRange& range,
                    const std::vector<double>& first_bad, BisectSearch& search) {
  search.probability = -1;
  int before = range.good;
  double gathered = 0;
  for (int i = range.good + 1; i <= range.bad; ++i) {
    gathered += first_bad[static_cast<std::size_t>(i - range.good - 1)];
    if (i < range.bad && evidence.commits[static_cast<std::size_t>(i)].skipped) {
      continue;
    }
    if (gathered > search.probability) {
      search.probability = gathered;
      search.last_good = before;
      search.first_bad = i;
    }
    before = i;
    gathered = 0;
  }
}

/// The probability of every commit to be bad: that the first bad one is not after it.
std::vector<double> bad_probabilities(const BisectRange& range,
                                      const std::vector<double>& first_bad, std::size_t commits) {
  std::vector<double> bad(commits, 0);
  double gathered = 0;
  for (std::size_t i = 0; i < commits; ++i) {
    const int index = static_cast<int>(i);
    if (index > range.good && index <= range.bad) {
      gathered += first_bad[static_cast<std::size_t>(index - range.good - 1)];
    }
    bad[i] = index >= range.bad ? 1 : std::min(gathered, 1.0);
  }
  return bad;
}

/// A commit whose level is clearly neither that of the range's good end nor that of its bad one.
std::optional<int> commit_between(const BisectEvidence& evidence, const BisectRange& range,
                                  double noise) {
  for (int i = range.good + 1; i < range.bad; ++i) {
    const BisectCommit& commit = evidence.commits[static_cast<std::size_t>(i)];
    if (commit.skipped || commit.differences.size() < kClearPairs) {
      continue;
    }
    const double level = median(commit.differences);
    const double clear = kClearErrors * error_at(evidence, range, i, noise);
    if (level - range.low > clear && range.high - level > clear) {
      return i;
    }
  }
  return std::nullopt;
}

/// The commit whose side is the most open; nothing where no more pairs are worth their time.
std::optional<std::size_t> most_open(const BisectEvidence& evidence, const BisectRange& range,
                                     const std::vector<double>& bad) {
  const auto openness = [&](std::size_t i) { return std::abs(bad[i] - 0.5); };
  if (evidence.current && may_measure(evidence, range, static_cast<int>(*evidence.current)) &&
      openness(*evidence.current) < 0.5 - kMoveOn) {
    return evidence.current;  // its build is at hand, and it is not settled yet
  }
  std::optional<std::size_t> best;
  for (int i = range.good + 1; i < range.bad; ++i) {
    const auto commit = static_cast<std::size_t>(i);
    if (pairs_at(evidence, i) >= kMostPairsOfACommit && openness(commit) < 0.5 - kMoveOn) {
      return std::nullopt;  // so many pairs did not settle it, nor would they settle its neighbours
    }
    if (may_measure(evidence, range, i) && (!best || openness(commit) < openness(*best))) {
      best = commit;
    }
  }
  return best;
}

/// The neighbour of the step whose level is known worse; nothing where neither adds evidence.
std::optional<std::size_t> less_known(const BisectEvidence& evidence, const BisectRange& range,
                                      const BisectSearch& search) {
  std::optional<std::size_t> best;
  for (const int commit : {search.last_good, search.first_bad}) {
    if (!may_measure(evidence, range, commit)) {
      continue;
    }
    const auto one = static_cast<std::size_t>(commit);
    if (!best || pairs_at(evidence, commit) < pairs_at(evidence, static_cast<int>(*best))) {
      best = one;
    }
  }
  return best;
}

/// Measurements has more than one step: the commits from `before` to `after` are alike, on a level
/// between those of the range's ends. What is left of the range is the side of the larger step.
std::optional<BisectRange> larger_side(const BisectEvidence& evidence, const BisectRange& range,
                                       int before, int after) {
  const double level_before = level_at(evidence, range, before);
  const double level_after = level_at(evidence, range, after);
  const double up_to_them = before == range.good ? 0 : level_before - range.low;
  const double from_them = after == range.bad ? 0 : range.high - level_after;
  if (std::max(up_to_them, from_them) <= 0) {
    return std::nullopt;
  }
  return up_to_them >= from_them ? BisectRange{range.good, before, range.low, level_before}
                                 : BisectRange{after, range.bad, level_after, range.high};
}

/// The search within a range. Found without certainty: pairs could not decide, or the neighbours of
/// the likeliest step do not differ, which refutes it.
BisectSearch search_range(const BisectEvidence& evidence, const BisectRange& range, double noise,
                          bool& refuted) {
  BisectSearch search;
  const std::vector<double> first_bad = first_bad_probabilities(evidence, range, noise);
  find_likeliest(evidence, range, first_bad, search);
  search.bad = bad_probabilities(range, first_bad, evidence.commits.size());
  const double odds = log_odds_of_step(evidence, range, search.last_good, search.first_bad, noise)
                          .value_or(known_odds());
  std::optional<std::size_t> wanted;
  if (search.probability < 1 - kDoubt) {
    wanted = most_open(evidence, range, search.bad);
  } else {
    const bool seen =
        is_seen(evidence, range, search.last_good) && is_seen(evidence, range, search.first_bad);
    search.certain = seen && odds >= known_odds();
    if (!seen || std::abs(odds) < known_odds()) {
      wanted = less_known(evidence, range, search);
    }
  }
  search.found = !wanted;
  search.commit =
      static_cast<std::size_t>(standing_for(evidence, static_cast<int>(wanted.value_or(0))));
  refuted = search.found && !search.certain && odds < 0;
  return search;
}

/// The commits left by comparing programs: see search_step.
BisectRange range_of(const BisectEvidence& evidence, double step) {
  const int last = static_cast<int>(evidence.commits.size()) - 1;
  BisectRange range{-1, last, 0, step};
  const auto same_as = [&evidence](int i) {
    return evidence.commits[static_cast<std::size_t>(i)].same_as;
  };
  for (int i = 0; i < last; ++i) {
    range.good = same_as(i) == -1 ? i : range.good;
  }
  for (int i = last - 1; i > range.good; --i) {
    range.bad = same_as(i) == last ? i : range.bad;
  }
  return range;
}

}  // namespace

BisectSearch search_step(const BisectEvidence& evidence, const BisectEnds& ends) {
  assert(!evidence.commits.empty() && ends.shift);
  const double noise = noise_so_far(evidence, ends);
  BisectRange range = range_of(evidence, ends.shift->estimate);
  while (true) {
    std::optional<BisectRange> rest;
    if (const std::optional<int> between = commit_between(evidence, range, noise)) {
      rest = larger_side(evidence, range, *between, *between);
    } else {
      bool refuted = false;
      BisectSearch search = search_range(evidence, range, noise, refuted);
      if (refuted) {
        rest = larger_side(evidence, range, search.last_good, search.first_bad);
      }
      if (!rest) {
        search.noise = noise;
        search.found = search.found || pairs_in_all(evidence) >= kMostPairsInAll;
        return search;
      }
    }
    range = *rest;  // shorter than before, so that this ends
  }
}

BisectStanding bisect_standing(const BisectEvidence& evidence, const Rule& rule) {
  BisectStanding standing;
  if (evidence.commits.back().same_as == -1) {
    standing.ends.answer = BisectEnds::Answer::same;
    return standing;
  }
  standing.ends = compare_ends(evidence.commits.back().differences, rule, evidence.resolution);
  if (standing.ends.answer == BisectEnds::Answer::open) {
    standing.commit = evidence.commits.size() - 1;
    standing.pairs = standing.ends.wanted;
  }
  if (standing.ends.answer == BisectEnds::Answer::worse) {
    standing.search = search_step(evidence, standing.ends);
    if (!standing.search->found) {
      standing.commit = standing.search->commit;
      standing.pairs = 1;
    }
  }
  return standing;
}

std::optional<Shift> level_of(const BisectCommit& commit, double noise) {
  if (commit.differences.empty()) {
    return std::nullopt;
  }
  const double error =
      kMedianError * noise / std::sqrt(static_cast<double>(commit.differences.size()));
  const double level = median(commit.differences);
  return Shift{level, level - kNormal95 * error, level + kNormal95 * error};
}

}  // namespace perf

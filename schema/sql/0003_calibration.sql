-- What A/A runs said of a machine: the noise of each series, and what the rule would make of
-- identical code there. The raw samples are the run's own (run.purpose is 'calibrate').

CREATE TABLE calibration (
  key INTEGER PRIMARY KEY,
  run INTEGER NOT NULL UNIQUE REFERENCES run,
  generated_at TEXT NOT NULL,  -- UTC, ISO 8601; for people: order is that of the keys
  judged INTEGER NOT NULL CHECK (judged >= 0),      -- m
  replays INTEGER NOT NULL CHECK (replays >= 0),    -- for each series and threshold
  measured REAL NOT NULL CHECK (measured >= 0 AND measured < 9e999),  -- s
  interrupted INTEGER NOT NULL CHECK (interrupted IN (0, 1)),
  not_measured TEXT NOT NULL CHECK (not_measured GLOB '[[]*]')  -- workloads, and why
) STRICT;

-- Spreads are of ln(second/first) over the pairs; change and interval are relative.
CREATE TABLE calibrated_series (
  key INTEGER PRIMARY KEY,
  calibration INTEGER NOT NULL REFERENCES calibration,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  workload TEXT NOT NULL CHECK (workload <> ''),
  params TEXT NOT NULL CHECK (params GLOB '{*}'),
  metric INTEGER NOT NULL REFERENCES metric,
  pairs INTEGER NOT NULL CHECK (pairs >= 0),
  robust_sd REAL NOT NULL CHECK (robust_sd >= 0 AND robust_sd < 9e999),
  sd REAL NOT NULL CHECK (sd >= 0 AND sd < 9e999),
  p95 REAL NOT NULL CHECK (p95 >= 0 AND p95 < 9e999),      -- of the absolute differences
  worst REAL NOT NULL CHECK (worst >= 0 AND worst < 9e999),
  autocorrelation REAL CHECK (autocorrelation BETWEEN -1 AND 1),  -- at lag 1
  block INTEGER NOT NULL CHECK (block >= 1),               -- pairs that replays draw together
  seconds_per_pair REAL NOT NULL CHECK (seconds_per_pair >= 0 AND seconds_per_pair < 9e999),
  verdict TEXT,          -- of this very run, at `threshold`
  threshold REAL NOT NULL CHECK (threshold > 0 AND threshold < 9e999),
  change REAL,
  interval_low REAL,
  interval_high REAL,
  smallest_threshold REAL CHECK (smallest_threshold >= 0),  -- 95 % of replays end unchanged at it
  pair_changes TEXT NOT NULL CHECK (pair_changes GLOB '[[]*]'),
  UNIQUE (calibration, idx)
) STRICT;

-- What a look at so many pairs tells from nothing: half the interval's width, relative.
CREATE TABLE calibrated_look (
  series INTEGER NOT NULL REFERENCES calibrated_series,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  pairs INTEGER NOT NULL CHECK (pairs >= 1),
  change REAL NOT NULL CHECK (change >= 0 AND change < 9e999),
  PRIMARY KEY (series, idx)
) STRICT, WITHOUT ROWID;

-- Shares of replays at one threshold; series is NULL for a whole report of all of them. The last
-- two columns are the shares of moments at which rules that compare two numbers would have cried.
CREATE TABLE calibrated_threshold (
  calibration INTEGER NOT NULL REFERENCES calibration,
  series INTEGER REFERENCES calibrated_series,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  threshold REAL NOT NULL CHECK (threshold > 0 AND threshold < 9e999),
  unchanged REAL NOT NULL CHECK (unchanged >= 0),
  false_alarms REAL NOT NULL CHECK (false_alarms >= 0),
  mean_pairs REAL NOT NULL CHECK (mean_pairs >= 0 AND mean_pairs < 9e999),
  seconds REAL NOT NULL CHECK (seconds >= 0 AND seconds < 9e999),
  one_run_alarms REAL CHECK (one_run_alarms BETWEEN 0 AND 1),
  five_runs_alarms REAL CHECK (five_runs_alarms BETWEEN 0 AND 1),
  UNIQUE (calibration, series, idx)
) STRICT;

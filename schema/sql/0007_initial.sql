-- The records of perf-compare as tables; docs/store.md draws and explains them.
--
-- key    an integer, local to this file: the same row has different keys in two stores
-- id     a text that is the same in all stores
-- idx    0-based position in its parent
-- Units are s, B and 1/s. NULL means unknown, never 0. Booleans are 0 and 1. x < 9e999 refuses
-- infinities (the literal overflows to one); a NaN arrives as NULL, which NOT NULL refuses.
-- Lists and maps of one row are JSON; only their brackets are checked, because SQLite 3.40 refuses
-- its JSON functions in the schema of an untrusted file.

CREATE TABLE revision (
  key INTEGER PRIMARY KEY,
  oid TEXT NOT NULL UNIQUE CHECK (oid <> ''),
  committed_at INTEGER NOT NULL,  -- s since the epoch; for people, never for order
  author TEXT NOT NULL,
  subject TEXT NOT NULL
) STRICT;

-- Parents are oids, because a parent need not have been measured.
CREATE TABLE parent (
  revision INTEGER NOT NULL REFERENCES revision,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  oid TEXT NOT NULL CHECK (oid <> ''),
  PRIMARY KEY (revision, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE environment (
  key INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL
) STRICT;
CREATE INDEX environment_by_fingerprint ON environment (fingerprint);

-- The machine and image facts that the fingerprint covers.
CREATE TABLE environment_fact (
  environment INTEGER NOT NULL REFERENCES environment,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (environment, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE workload (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (name <> ''),
  params TEXT NOT NULL CHECK (params GLOB '{*}'),
  command TEXT NOT NULL CHECK (command GLOB '[[]*]'),
  format TEXT NOT NULL,
  timeout REAL NOT NULL CHECK (timeout >= 0 AND timeout < 9e999),
  -- A digest of the files that its config takes from outside the history; empty: none.
  outside TEXT NOT NULL CHECK (outside = '' OR (length(outside) = 16
                                                AND outside NOT GLOB '*[^0-9a-f]*')),
  -- JSON: cwd, env, prepare, serve; empty: the command needs none of them.
  needs TEXT NOT NULL CHECK (needs = '' OR needs GLOB '{*}'),
  UNIQUE (name, params, command, format, timeout, outside, needs)
) STRICT;

CREATE TABLE metric (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (name <> ''),
  unit TEXT NOT NULL,
  better TEXT NOT NULL CHECK (better IN ('lower', 'higher')),
  UNIQUE (name, unit, better)
) STRICT;

-- Names of phases and checks, one row each.
CREATE TABLE name (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE run (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (id <> ''),
  purpose TEXT NOT NULL CHECK (purpose IN ('compare', 'calibrate', 'selftest', 'bisect', 'collect',
                                           'ratchet')),
  tool_version TEXT NOT NULL,
  started_at TEXT NOT NULL,  -- UTC, ISO 8601; for people: order is that of the keys
  base INTEGER REFERENCES revision,
  base_name TEXT,
  base_rule TEXT,
  base_dirty INTEGER CHECK (base_dirty IN (0, 1)),
  head INTEGER NOT NULL REFERENCES revision,
  head_name TEXT NOT NULL,
  head_rule TEXT NOT NULL,
  head_dirty INTEGER NOT NULL CHECK (head_dirty IN (0, 1)),
  environment INTEGER NOT NULL REFERENCES environment,
  size TEXT NOT NULL,
  seed INTEGER NOT NULL,  -- 64 bits; printf('%u', seed) where it shows negative
  threshold REAL NOT NULL CHECK (threshold >= 0 AND threshold < 9e999),
  alpha REAL NOT NULL CHECK (alpha >= 0 AND alpha <= 1),
  looks INTEGER NOT NULL CHECK (looks >= 1),  -- K
  budget REAL NOT NULL CHECK (budget >= 0 AND budget < 9e999),  -- s
  policy TEXT NOT NULL CHECK (policy GLOB '{*}'),
  missing TEXT NOT NULL CHECK (missing GLOB '[[]*]'),
  warnings TEXT NOT NULL CHECK (warnings GLOB '[[]*]'),
  host TEXT NOT NULL CHECK (host = '' OR (length(host) = 32   -- random; empty: imported
                                          AND host NOT GLOB '*[^0-9a-f]*')),
  plan_digest TEXT NOT NULL CHECK (plan_digest = '' OR (length(plan_digest) = 16
                                                        AND plan_digest NOT GLOB '*[^0-9a-f]*')),
  shard INTEGER CHECK (shard BETWEEN 1 AND shards),  -- NULL: the whole plan
  shards INTEGER CHECK (shards BETWEEN 1 AND 1000),
  attempt INTEGER NOT NULL CHECK (attempt >= 1),     -- of its CI job
  CHECK ((shard IS NULL) = (shards IS NULL)),
  CHECK ((base IS NULL) = (base_name IS NULL)
     AND (base IS NULL) = (base_rule IS NULL)
     AND (base IS NULL) = (base_dirty IS NULL))
) STRICT;
CREATE INDEX run_by_head ON run (head);

-- Facts that affect timings but are not in the fingerprint: governor, load, CI provider, ...
CREATE TABLE run_fact (
  run INTEGER NOT NULL REFERENCES run,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

-- The workloads of a run's plan.
CREATE TABLE run_workload (
  run INTEGER NOT NULL REFERENCES run,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  workload INTEGER NOT NULL REFERENCES workload,
  base_workload INTEGER REFERENCES workload,  -- where two settings are compared; NULL: the same
  control_of TEXT NOT NULL,    -- a control arm, base against base: the workload beside it; else empty
  base_missing TEXT NOT NULL,  -- why base cannot run it; empty when it can
  head_failed TEXT NOT NULL,   -- why head cannot run it; empty when it can
  -- The trace of its programs; NULL: not traced. Ids are empty where a side was not traced; an
  -- empty difference: both sides run the same program on the same input.
  base_program TEXT,
  head_program TEXT,
  difference TEXT,
  audited INTEGER CHECK (audited IN (0, 1)),  -- the same, but measured to check the tracing
  new_files INTEGER NOT NULL CHECK (new_files >= 0),  -- caches that its first pair fills, and one
  new_file TEXT NOT NULL,
  -- JSON: how far pairs of earlier runs lay apart, of each metric; known before the first pair.
  earlier_noise TEXT NOT NULL CHECK (earlier_noise GLOB '[[]*]'),
  PRIMARY KEY (run, idx),
  CHECK ((difference IS NULL) = (base_program IS NULL)
     AND (difference IS NULL) = (head_program IS NULL)
     AND (difference IS NULL) = (audited IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE invocation (
  key INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run,
  start_order INTEGER NOT NULL CHECK (start_order >= 0),
  workload INTEGER NOT NULL REFERENCES workload,
  side TEXT NOT NULL CHECK (side IN ('base', 'head')),
  revision INTEGER NOT NULL REFERENCES revision,
  pair INTEGER NOT NULL CHECK (pair >= 0),
  attempt INTEGER NOT NULL CHECK (attempt >= 1),
  paired INTEGER NOT NULL CHECK (paired IN (0, 1)),
  steps_wanted INTEGER NOT NULL,
  warmup_wanted INTEGER NOT NULL,
  seed INTEGER NOT NULL,     -- 64 bits
  padding INTEGER NOT NULL,  -- B
  failure TEXT NOT NULL,     -- why it does not count; empty when it does
  exit_code INTEGER,
  signal INTEGER,
  timed_out INTEGER NOT NULL CHECK (timed_out IN (0, 1)),
  spawn_error TEXT NOT NULL,
  wall REAL NOT NULL CHECK (wall >= 0 AND wall < 9e999),
  took REAL NOT NULL CHECK (took >= 0 AND took < 9e999),  -- s of the budget, with starting it
  user REAL CHECK (user >= 0 AND user < 9e999),
  system REAL CHECK (system >= 0 AND system < 9e999),
  peak_rss INTEGER CHECK (peak_rss >= 0),
  minor_faults INTEGER CHECK (minor_faults >= 0),
  major_faults INTEGER CHECK (major_faults >= 0),
  voluntary_switches INTEGER CHECK (voluntary_switches >= 0),
  involuntary_switches INTEGER CHECK (involuntary_switches >= 0),
  steal REAL CHECK (steal >= 0 AND steal < 9e999),
  cpu_pressure REAL CHECK (cpu_pressure >= 0 AND cpu_pressure < 9e999),
  memory_available_before INTEGER CHECK (memory_available_before >= 0),
  layout_seed INTEGER NOT NULL,  -- not 0: it ran a relinked build, to find layout effects
  counted INTEGER NOT NULL CHECK (counted IN (0, 1)),  -- by a tool that distorts times
  traced INTEGER NOT NULL CHECK (traced IN (0, 1)),  -- under strace, to record its inputs
  instructions INTEGER CHECK (instructions >= 0),
  UNIQUE (run, start_order)
) STRICT;

-- The end of an invocation's output: apart, so that reading invocations is fast.
CREATE TABLE output (
  invocation INTEGER PRIMARY KEY REFERENCES invocation,
  stdout TEXT NOT NULL,
  stderr TEXT NOT NULL
) STRICT;

-- The begin and environment lines of a block, one row for all blocks that agree.
CREATE TABLE declaration (
  key INTEGER PRIMARY KEY,
  workload TEXT NOT NULL,
  params TEXT NOT NULL CHECK (params GLOB '{*}'),
  tokens_per_step REAL CHECK (tokens_per_step > -9e999 AND tokens_per_step < 9e999),
  facts TEXT NOT NULL CHECK (facts GLOB '{*}')
) STRICT;
CREATE INDEX declaration_by_text ON declaration (workload, params, facts, tokens_per_step);

-- The values of a block, apart from its raw steps: a trend over many commits reads little, and needs
-- no raw steps.
CREATE TABLE block (
  key INTEGER PRIMARY KEY,
  invocation INTEGER NOT NULL REFERENCES invocation,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  declaration INTEGER NOT NULL REFERENCES declaration,
  timed INTEGER NOT NULL DEFAULT 0 CHECK (timed >= 0),  -- steps
  median REAL CHECK (median > 0 AND median < 9e999),    -- s, of the timed steps; NULL: none
  rss INTEGER CHECK (rss >= 0),  -- B, resident after the last step that reports it
  skipped TEXT NOT NULL DEFAULT '',  -- why it has no values; empty where it has some
  UNIQUE (invocation, idx)
) STRICT;

-- Memory hardly changes from step to step: stored as the difference from block.rss it mostly takes
-- no room. The view steps adds them up.
CREATE TABLE step (
  block INTEGER NOT NULL REFERENCES block,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  warmup INTEGER NOT NULL CHECK (warmup IN (0, 1)),
  seconds REAL NOT NULL CHECK (seconds > 0 AND seconds < 9e999),
  rss_above INTEGER,  -- B, resident after the step, above block.rss
  PRIMARY KEY (block, idx)
) STRICT, WITHOUT ROWID;

-- Phases of a step have different names and no order.
CREATE TABLE phase (
  block INTEGER NOT NULL,
  step INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name,
  seconds REAL NOT NULL CHECK (seconds >= 0 AND seconds < 9e999),
  PRIMARY KEY (block, step, name),
  FOREIGN KEY (block, step) REFERENCES step (block, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_value (
  block INTEGER NOT NULL REFERENCES block,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  metric INTEGER NOT NULL REFERENCES metric,
  value REAL NOT NULL CHECK (value > -9e999 AND value < 9e999),
  judge INTEGER NOT NULL CHECK (judge IN (0, 1)),
  reported INTEGER NOT NULL CHECK (reported IN (0, 1)),  -- 0: derived from tokens_per_step
  counts INTEGER NOT NULL CHECK (counts IN (0, 1)),  -- 0: another value has its name
  PRIMARY KEY (block, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE check_result (
  block INTEGER NOT NULL REFERENCES block,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  name INTEGER NOT NULL REFERENCES name,
  passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
  error REAL CHECK (error > -9e999 AND error < 9e999),
  tolerance REAL CHECK (tolerance > -9e999 AND tolerance < 9e999),
  PRIMARY KEY (block, idx)
) STRICT, WITHOUT ROWID;

-- The report of a finished run: `result` as in schema/json/report.schema.json, without the columns
-- of the run and without sentences. The other columns are for queries.
CREATE TABLE report (
  run INTEGER PRIMARY KEY REFERENCES run,
  judged INTEGER NOT NULL CHECK (judged >= 0),  -- m: comparisons that shared alpha
  measured REAL NOT NULL CHECK (measured >= 0 AND measured < 9e999),  -- s
  budget_spent INTEGER NOT NULL CHECK (budget_spent IN (0, 1)),  -- the budget ended the measuring
  interrupted INTEGER NOT NULL CHECK (interrupted IN (0, 1)),
  verdict TEXT NOT NULL CHECK (verdict IN ('regressed', 'failed', 'inconclusive', 'incomparable',
                                           'missing', 'improved', 'new', 'unchanged')),
  result TEXT NOT NULL CHECK (result GLOB '{*}')
) STRICT;

-- The rows of a report, for queries.
CREATE TABLE comparison (
  run INTEGER NOT NULL REFERENCES report,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  workload TEXT NOT NULL,  -- the series: a workload, or entry/child of one
  params TEXT NOT NULL CHECK (params GLOB '{*}'),
  metric INTEGER NOT NULL REFERENCES metric,
  judged INTEGER NOT NULL CHECK (judged IN (0, 1)),
  verdict TEXT CHECK (verdict IN ('regressed', 'failed', 'inconclusive', 'incomparable',
                                  'missing', 'improved', 'new', 'unchanged')),
  certain INTEGER NOT NULL CHECK (certain IN (0, 1)),
  base_median REAL CHECK (base_median > -9e999 AND base_median < 9e999),
  head_median REAL CHECK (head_median > -9e999 AND head_median < 9e999),
  change REAL CHECK (change > -9e999 AND change < 9e999),  -- head/base - 1
  interval_low REAL CHECK (interval_low > -9e999 AND interval_low < 9e999),
  interval_high REAL CHECK (interval_high > -9e999 AND interval_high < 9e999),
  threshold REAL NOT NULL CHECK (threshold >= 0 AND threshold < 9e999),
  smallest_visible REAL CHECK (smallest_visible > -9e999 AND smallest_visible < 9e999),
  pairs INTEGER NOT NULL CHECK (pairs >= 0),         -- n
  look INTEGER NOT NULL CHECK (look >= 0),           -- 1-based; 0 = none was reached
  look_alpha REAL CHECK (look_alpha >= 0 AND look_alpha < 9e999),  -- a' = alpha / (m K)
  pairs_needed REAL CHECK (pairs_needed >= 0 AND pairs_needed < 9e999),
  p_value REAL CHECK (p_value >= 0 AND p_value < 9e999),
  warnings TEXT NOT NULL CHECK (warnings GLOB '[[]*]'),  -- their kinds
  PRIMARY KEY (run, idx)
) STRICT;

-- The result of an A/A run: the noise of each series, and the verdicts of identical code on this
-- machine. The raw samples belong to the run (run.purpose is 'calibrate'). `result` is as in
-- schema/json/calibration.schema.json.
CREATE TABLE calibration (
  key INTEGER PRIMARY KEY,
  run INTEGER NOT NULL UNIQUE REFERENCES run,
  generated_at TEXT NOT NULL,  -- UTC, ISO 8601; for people: order is that of the keys
  measured REAL NOT NULL CHECK (measured >= 0 AND measured < 9e999),  -- s
  result TEXT NOT NULL CHECK (result GLOB '{*}')
) STRICT;

-- robust_sd is of ln(second/first) over the pairs; smallest_threshold is relative.
CREATE TABLE calibrated_series (
  calibration INTEGER NOT NULL REFERENCES calibration,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  workload TEXT NOT NULL CHECK (workload <> ''),
  params TEXT NOT NULL CHECK (params GLOB '{*}'),
  metric INTEGER NOT NULL REFERENCES metric,
  pairs INTEGER NOT NULL CHECK (pairs >= 0),
  robust_sd REAL NOT NULL CHECK (robust_sd >= 0 AND robust_sd < 9e999),
  smallest_threshold REAL CHECK (smallest_threshold >= 0 AND smallest_threshold < 9e999),
  PRIMARY KEY (calibration, idx)
) STRICT;

-- The runs of a bisection, so that it can continue after an interruption. Their measurements are
-- stored as those of any run; the result is computed again.

CREATE TABLE bisection (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (id <> ''),
  started_at TEXT NOT NULL,  -- UTC, ISO 8601
  good TEXT NOT NULL CHECK (good <> ''),  -- oids
  bad TEXT NOT NULL CHECK (bad <> ''),
  workload INTEGER NOT NULL REFERENCES workload,
  metric TEXT NOT NULL CHECK (metric <> ''),
  size TEXT NOT NULL,
  fingerprint TEXT NOT NULL,  -- of the machine
  seed INTEGER NOT NULL  -- 64 bits
) STRICT;
CREATE INDEX bisection_by_ends ON bisection (good, bad, workload, metric, size, fingerprint);

-- visit: a commit against GOOD. last: the two neighbours of the step against each other.
CREATE TABLE bisection_run (
  run INTEGER PRIMARY KEY REFERENCES run,
  bisection INTEGER NOT NULL REFERENCES bisection,
  role TEXT NOT NULL CHECK (role IN ('visit', 'last'))
) STRICT;
CREATE INDEX bisection_run_by_bisection ON bisection_run (bisection);

-- The ledger of `ratchet`. attempt: the run's head against the best of its time, its base. gain: the
-- best against the first one, measured anew.
CREATE TABLE ratchet_run (
  run INTEGER PRIMARY KEY REFERENCES run,
  name TEXT NOT NULL CHECK (name <> ''),  -- of the pin
  role TEXT NOT NULL CHECK (role IN ('attempt', 'gain')),
  number INTEGER NOT NULL CHECK (number >= 1),  -- of its role; decides the level
  alpha REAL NOT NULL CHECK (alpha > 0 AND alpha < 1),  -- of all attempts together
  goal TEXT NOT NULL CHECK (goal GLOB '{*}'),
  best_program TEXT NOT NULL,  -- ids of the traced programs; empty: not known
  head_program TEXT NOT NULL
) STRICT;
CREATE INDEX ratchet_run_by_name ON ratchet_run (name);

-- How it ended; none: it runs, or was killed. Gains and estimates are ln, positive = better.
CREATE TABLE ratchet_end (
  run INTEGER PRIMARY KEY REFERENCES run,
  outcome TEXT NOT NULL CHECK (outcome IN ('accepted', 'refused', 'worse', 'check failed',
                                           'not proven', 'stopped', 'moved', 'failed', 'proven',
                                           'measured')),
  at TEXT NOT NULL,      -- UTC, ISO 8601
  reason TEXT NOT NULL,  -- why it was not accepted; else empty
  estimate REAL NOT NULL CHECK (estimate > -9e999 AND estimate < 9e999),
  low REAL CHECK (low > -9e999 AND low < 9e999),  -- gain: its interval; attempt: NULL
  high REAL CHECK (high > -9e999 AND high < 9e999),
  evidence REAL NOT NULL CHECK (evidence >= 0 AND evidence < 9e999),  -- E
  gains TEXT NOT NULL CHECK (gains GLOB '[[]*]'),     -- of each pair
  guarded TEXT NOT NULL CHECK (guarded GLOB '[[]*]')  -- other metrics, with their gains
) STRICT;
CREATE TRIGGER ratchet_run_is_not_changed BEFORE UPDATE ON ratchet_run
BEGIN SELECT RAISE(ABORT, 'the ledger of a ratchet is append-only'); END;
CREATE TRIGGER ratchet_run_is_not_deleted BEFORE DELETE ON ratchet_run
BEGIN SELECT RAISE(ABORT, 'the ledger of a ratchet is append-only'); END;
CREATE TRIGGER ratchet_end_is_not_changed BEFORE UPDATE ON ratchet_end
BEGIN SELECT RAISE(ABORT, 'the ledger of a ratchet is append-only'); END;
CREATE TRIGGER ratchet_end_is_not_deleted BEFORE DELETE ON ratchet_end
BEGIN SELECT RAISE(ABORT, 'the ledger of a ratchet is append-only'); END;

-- The summary of a block whose raw steps were pruned; s.
CREATE TABLE pruned_block (
  block INTEGER PRIMARY KEY REFERENCES block,
  at TEXT NOT NULL,  -- UTC, ISO 8601
  warmup INTEGER NOT NULL CHECK (warmup >= 0),  -- number of warm-up steps
  mean REAL NOT NULL CHECK (mean > 0 AND mean < 9e999),
  stddev REAL NOT NULL CHECK (stddev >= 0 AND stddev < 9e999),
  min REAL NOT NULL CHECK (min > 0 AND min < 9e999),
  p90 REAL NOT NULL CHECK (p90 > 0 AND p90 < 9e999),
  max REAL NOT NULL CHECK (max > 0 AND max < 9e999)
) STRICT;

-- Imported runs, measured by another tool.
CREATE TABLE imported (
  run INTEGER PRIMARY KEY REFERENCES run,
  format TEXT NOT NULL CHECK (format <> ''),
  source TEXT NOT NULL,      -- the file, as it was named
  digest TEXT NOT NULL CHECK (digest <> ''),  -- of its values, and of their names here
  measured_at TEXT NOT NULL  -- by the file; may be empty
) STRICT;
CREATE INDEX imported_by_digest ON imported (digest);

-- Worsenings that a trend report showed. workload, params, metric, fingerprint, anchor and outside
-- (as of a workload) identify the series; oids are text, because a commit of the history need not
-- have been measured here.
CREATE TABLE alert (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (id <> ''),
  workload TEXT NOT NULL CHECK (workload <> ''),
  params TEXT NOT NULL CHECK (params GLOB '{*}'),
  metric TEXT NOT NULL CHECK (metric <> ''),
  fingerprint TEXT NOT NULL,  -- empty: anchored
  anchor TEXT NOT NULL,       -- oid of the base of its pairs; empty: values as measured
  kind TEXT NOT NULL CHECK (kind IN ('step', 'slope', 'drift')),
  previous_oid TEXT NOT NULL,
  oid TEXT NOT NULL CHECK (oid <> ''),
  baseline TEXT NOT NULL,     -- drift: the pin's name; else empty
  change REAL NOT NULL CHECK (change > -9e999 AND change < 9e999),
  outside TEXT NOT NULL CHECK (outside = '' OR (length(outside) = 16
                                                AND outside NOT GLOB '*[^0-9a-f]*')),
  host TEXT NOT NULL          -- the only host that measured it, if it differs from others; else empty
) STRICT;
CREATE INDEX alert_by_workload ON alert (workload, metric);

-- The events of an alert: first seen, then confirmed or refuted by a comparison, recovered or
-- withdrawn; and decisions of people, of which the latest counts.
CREATE TABLE alert_event (
  key INTEGER PRIMARY KEY,
  alert INTEGER NOT NULL REFERENCES alert,
  news TEXT NOT NULL CHECK (news IN ('seen', 'confirmed', 'refuted', 'recovered', 'withdrawn',
                                     'acknowledged', 'ignored', 'fixed')),
  at TEXT NOT NULL,      -- UTC, ISO 8601; a decision is later than earlier ones of its store
  run TEXT NOT NULL,     -- id of that comparison's run; else empty
  author TEXT NOT NULL,  -- of a decision, from git; else empty
  reason TEXT NOT NULL,  -- of a decision; else empty
  UNIQUE (alert, news, at, run, author, reason),
  CHECK ((reason <> '') = (news IN ('acknowledged', 'ignored', 'fixed')))
) STRICT;
CREATE TRIGGER alert_event_is_not_changed BEFORE UPDATE ON alert_event
BEGIN SELECT RAISE(ABORT, 'the events of an alert are append-only'); END;
CREATE TRIGGER alert_event_is_not_deleted BEFORE DELETE ON alert_event
BEGIN SELECT RAISE(ABORT, 'the events of an alert are append-only'); END;

-- Runs and alerts that are known to be in a hub, by their names there: "ID-DIGEST".
CREATE TABLE payload (
  hub TEXT NOT NULL,  -- a digest of its address, which may contain a secret
  name TEXT NOT NULL CHECK (name <> ''),
  PRIMARY KEY (hub, name)
) STRICT, WITHOUT ROWID;

-- The audit trail of the pins; the view baseline is its present state.
CREATE TABLE pin_event (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (name <> ''),
  action TEXT NOT NULL CHECK (action IN ('pin', 'unpin')),
  oid TEXT NOT NULL CHECK (oid <> ''),  -- unpin: the revision until then
  reason TEXT NOT NULL,
  at TEXT NOT NULL  -- UTC, ISO 8601
) STRICT;
CREATE INDEX pin_event_by_name ON pin_event (name, key);
CREATE TRIGGER pin_event_is_not_changed BEFORE UPDATE ON pin_event
BEGIN SELECT RAISE(ABORT, 'the audit trail of pins is append-only'); END;
CREATE TRIGGER pin_event_is_not_deleted BEFORE DELETE ON pin_event
BEGIN SELECT RAISE(ABORT, 'the audit trail of pins is append-only'); END;

CREATE VIEW baseline AS
SELECT name, oid, reason, at AS pinned_at
FROM pin_event AS e
WHERE action = 'pin' AND key = (SELECT max(key) FROM pin_event WHERE name = e.name);

-- For people: names instead of keys. The views of raw values show ordinary invocations only: not
-- relinked, counted, traced or planted ones, no control arms. The tables hold all of them.

CREATE VIEW runs AS
SELECT run.id AS run, run.started_at, run.tool_version, run.purpose, run.size,
       b.oid AS base, run.base_name, run.base_rule, b.subject AS base_subject,
       h.oid AS head, run.head_name, run.head_rule, h.subject AS head_subject,
       e.fingerprint, run.host, run.plan_digest, run.shard, run.shards, run.attempt,
       run.threshold, run.alpha, run.looks, run.budget,
       report.judged AS m, report.measured, report.interrupted, report.verdict
FROM run
JOIN revision AS h ON h.key = run.head
JOIN environment AS e ON e.key = run.environment
LEFT JOIN revision AS b ON b.key = run.base
LEFT JOIN report ON report.run = run.key;

CREATE VIEW invocations AS
SELECT run.id AS run, run.started_at, run.purpose, i.start_order, w.name AS workload, w.params,
       w.outside, i.side, r.oid, r.subject, e.fingerprint, i.pair, i.attempt, i.paired, i.failure,
       i.exit_code, i.signal, i.timed_out, i.wall, i.took, i.user, i.system, i.peak_rss,
       i.minor_faults, i.major_faults, i.voluntary_switches, i.involuntary_switches,
       i.steal, i.cpu_pressure, i.memory_available_before, i.instructions, i.layout_seed,
       i.counted, i.traced, p.control_of, i.key AS invocation
FROM invocation AS i
JOIN run ON run.key = i.run
JOIN environment AS e ON e.key = run.environment
JOIN workload AS w ON w.key = i.workload
JOIN revision AS r ON r.key = i.revision
JOIN run_workload AS p ON p.run = i.run
  AND i.workload = CASE WHEN i.side = 'base' THEN ifnull(p.base_workload, p.workload)
                        ELSE p.workload END;

CREATE VIEW steps AS
SELECT i.run, i.started_at, i.start_order, i.workload, d.workload AS series,
       d.params, i.side, i.oid, i.subject, i.pair, i.attempt, i.failure,
       s.idx, s.warmup, s.seconds, block.rss + s.rss_above AS rss, i.invocation, s.block
FROM step AS s
JOIN block ON block.key = s.block
JOIN declaration AS d ON d.key = block.declaration
JOIN invocations AS i ON i.invocation = block.invocation
WHERE i.layout_seed = 0 AND i.counted = 0 AND i.traced = 0 AND i.control_of = '' AND i.purpose <> 'selftest';

CREATE VIEW phases AS
SELECT s.run, s.started_at, s.start_order, s.workload, s.series, s.params, s.side, s.oid,
       s.pair, s.attempt, s.failure, s.idx, s.warmup, name.name AS phase, p.seconds,
       s.invocation, s.block
FROM phase AS p
JOIN name ON name.key = p.name
JOIN steps AS s ON s.block = p.block AND s.idx = p.step;

CREATE VIEW metrics AS
SELECT i.run, i.started_at, i.start_order, i.workload, d.workload AS series,
       d.params, i.side, i.oid, i.pair, i.attempt, i.failure,
       m.name AS metric, m.unit, m.better, v.value, v.judge, i.invocation, v.block
FROM metric_value AS v
JOIN metric AS m ON m.key = v.metric
JOIN block ON block.key = v.block
JOIN declaration AS d ON d.key = block.declaration
JOIN invocations AS i ON i.invocation = block.invocation
WHERE v.reported = 1 AND i.layout_seed = 0 AND i.counted = 0 AND i.traced = 0 AND i.control_of = ''
  AND i.purpose <> 'selftest';

-- The samples of a history, also without raw steps: one row a block.
CREATE VIEW medians AS
SELECT i.run, i.started_at, i.start_order, i.workload, i.params AS run_params, i.outside,
       d.workload AS series, d.params, i.side, i.oid, i.subject, i.fingerprint, i.pair, i.attempt, i.failure,
       block.timed, block.median, i.peak_rss, i.invocation, block.key AS block
FROM block
JOIN declaration AS d ON d.key = block.declaration
JOIN invocations AS i ON i.invocation = block.invocation
WHERE i.layout_seed = 0 AND i.counted = 0 AND i.traced = 0 AND i.control_of = '' AND i.purpose <> 'selftest';

CREATE VIEW checks AS
SELECT run.id AS run, run.started_at, i.start_order, w.name AS workload, d.workload AS series,
       i.side, r.oid, name.name AS "check", c.passed, c.error, c.tolerance,
       i.key AS invocation, c.block
FROM check_result AS c
JOIN name ON name.key = c.name
JOIN block ON block.key = c.block
JOIN declaration AS d ON d.key = block.declaration
JOIN invocation AS i ON i.key = block.invocation
JOIN workload AS w ON w.key = i.workload
JOIN revision AS r ON r.key = i.revision
JOIN run ON run.key = i.run;

CREATE VIEW verdicts AS
SELECT run.id AS run, run.started_at, b.oid AS base, h.oid AS head, h.subject,
       c.workload, c.params, m.name AS metric, m.unit, m.better,
       c.base_median, c.head_median,
       c.change, c.interval_low, c.interval_high, c.threshold, c.smallest_visible,
       c.verdict, c.certain, c.judged, c.pairs, c.look, c.look_alpha, c.pairs_needed, c.p_value,
       report.judged AS m, run.looks, run.alpha, e.fingerprint, c.warnings
FROM comparison AS c
JOIN report ON report.run = c.run
JOIN run ON run.key = c.run
JOIN metric AS m ON m.key = c.metric
JOIN environment AS e ON e.key = run.environment
JOIN revision AS h ON h.key = run.head
LEFT JOIN revision AS b ON b.key = run.base;

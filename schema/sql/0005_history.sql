-- History: the value of every block beside its raw steps, so that a trend over many commits reads
-- little and outlives them; what was pruned, imported, and shown as an alert.

-- Timed steps of the block, and their median in s; NULL: it has none.
ALTER TABLE block ADD COLUMN timed INTEGER NOT NULL DEFAULT 0 CHECK (timed >= 0);
ALTER TABLE block ADD COLUMN median REAL CHECK (median > 0 AND median < 9e999);
-- B, resident after its last step that says so.
ALTER TABLE block ADD COLUMN rss INTEGER CHECK (rss >= 0);

-- Halved before they are added, as the program does it: sums of two doubles may overflow.
UPDATE block SET timed = summary.timed, median = summary.median
FROM (
  SELECT block, max(n) AS timed,
         CASE WHEN min(seconds) = max(seconds) THEN min(seconds)
              ELSE 0.5 * min(seconds) + 0.5 * max(seconds) END AS median
  FROM (
    SELECT block, seconds, row_number() OVER (PARTITION BY block ORDER BY seconds) AS rank,
           count(*) OVER (PARTITION BY block) AS n
    FROM step WHERE NOT warmup
  )
  WHERE rank IN ((n + 1) / 2, (n + 2) / 2)
  GROUP BY block
) AS summary
WHERE summary.block = block.key;

UPDATE block SET rss = (
  SELECT rss FROM step WHERE step.block = block.key AND rss IS NOT NULL ORDER BY idx DESC LIMIT 1);

-- Memory hardly changes from step to step: kept as what it is above that of the last one, it mostly
-- takes no room. The view steps adds it up.
CREATE TABLE new_step (
  block INTEGER NOT NULL REFERENCES block,
  idx INTEGER NOT NULL CHECK (idx >= 0),
  warmup INTEGER NOT NULL CHECK (warmup IN (0, 1)),
  seconds REAL NOT NULL CHECK (seconds > 0 AND seconds < 9e999),
  rss_above INTEGER,  -- B, resident after the step, above block.rss
  PRIMARY KEY (block, idx)
) STRICT, WITHOUT ROWID;
INSERT INTO new_step
SELECT s.block, s.idx, s.warmup, s.seconds, s.rss - block.rss
FROM step AS s CROSS JOIN block ON block.key = s.block
ORDER BY s.block, s.idx;

-- A step has no two phases of one name, and their order means nothing.
CREATE TABLE new_phase (
  block INTEGER NOT NULL,
  step INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name,
  seconds REAL NOT NULL CHECK (seconds >= 0 AND seconds < 9e999),
  PRIMARY KEY (block, step, name),
  FOREIGN KEY (block, step) REFERENCES step (block, idx)
) STRICT, WITHOUT ROWID;
INSERT INTO new_phase
SELECT block, step, name, seconds FROM phase ORDER BY block, step, name;

DROP VIEW phases;
DROP VIEW steps;
DROP TABLE phase;
ALTER TABLE new_phase RENAME TO phase;
DROP TABLE step;
ALTER TABLE new_step RENAME TO step;

CREATE VIEW steps AS
SELECT i.run, i.started_at, i.start_order, i.workload, d.workload AS series,
       d.params, i.side, i.oid, i.subject, i.pair, i.attempt, i.failure,
       s.idx, s.warmup, s.seconds, block.rss + s.rss_above AS rss, i.invocation, s.block
FROM step AS s
JOIN block ON block.key = s.block
JOIN declaration AS d ON d.key = block.declaration
JOIN invocations AS i ON i.invocation = block.invocation
WHERE i.layout_seed = 0 AND i.counted = 0 AND i.control_of = '' AND i.purpose <> 'selftest';

CREATE VIEW phases AS
SELECT s.run, s.started_at, s.start_order, s.workload, s.series, s.params, s.side, s.oid,
       s.pair, s.attempt, s.failure, s.idx, s.warmup, name.name AS phase, p.seconds,
       s.invocation, s.block
FROM phase AS p
JOIN name ON name.key = p.name
JOIN steps AS s ON s.block = p.block AND s.idx = p.step;

-- The samples of history, which outlive the raw steps: one row a block.
CREATE VIEW medians AS
SELECT i.run, i.started_at, i.start_order, i.workload, i.params AS run_params, d.workload AS series,
       d.params, i.side, i.oid, i.subject, i.fingerprint, i.pair, i.attempt, i.failure,
       block.timed, block.median, i.peak_rss, i.invocation, block.key AS block
FROM block
JOIN declaration AS d ON d.key = block.declaration
JOIN invocations AS i ON i.invocation = block.invocation
WHERE i.layout_seed = 0 AND i.counted = 0 AND i.control_of = '' AND i.purpose <> 'selftest';

-- What is left of the raw steps of a block that was pruned; s.
CREATE TABLE pruned_block (
  block INTEGER PRIMARY KEY REFERENCES block,
  at TEXT NOT NULL,  -- UTC, ISO 8601
  warmup INTEGER NOT NULL CHECK (warmup >= 0),  -- warm-up steps there were
  mean REAL NOT NULL CHECK (mean > 0 AND mean < 9e999),
  stddev REAL NOT NULL CHECK (stddev >= 0 AND stddev < 9e999),
  min REAL NOT NULL CHECK (min > 0 AND min < 9e999),
  p90 REAL NOT NULL CHECK (p90 > 0 AND p90 < 9e999),
  max REAL NOT NULL CHECK (max > 0 AND max < 9e999)
) STRICT;

-- Runs that were measured elsewhere, by another tool.
CREATE TABLE imported (
  run INTEGER PRIMARY KEY REFERENCES run,
  format TEXT NOT NULL CHECK (format <> ''),
  source TEXT NOT NULL,      -- the file, as it was named
  digest TEXT NOT NULL CHECK (digest <> ''),  -- of its values, and of what they were imported as
  measured_at TEXT NOT NULL  -- as the file says; may be empty
) STRICT;
CREATE INDEX imported_by_digest ON imported (digest);

-- Worsenings that a trend report showed. params, fingerprint and anchor tell the series; oids are
-- text, because a commit on the line need not have been measured here.
CREATE TABLE alert (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (id <> ''),
  workload TEXT NOT NULL CHECK (workload <> ''),
  params TEXT NOT NULL CHECK (params GLOB '{*}'),
  metric TEXT NOT NULL CHECK (metric <> ''),
  fingerprint TEXT NOT NULL,  -- empty: anchored
  anchor TEXT NOT NULL,       -- oid it was paired with; empty: values as measured
  kind TEXT NOT NULL CHECK (kind IN ('step', 'slope', 'drift')),
  previous_oid TEXT NOT NULL,
  oid TEXT NOT NULL CHECK (oid <> ''),
  baseline TEXT NOT NULL,     -- drift: the pin's name; else empty
  change REAL NOT NULL CHECK (change > -9e999 AND change < 9e999)
) STRICT;
CREATE INDEX alert_by_workload ON alert (workload, metric);

-- Its life: first seen, then confirmed or refuted by a comparison, recovered or withdrawn.
CREATE TABLE alert_event (
  key INTEGER PRIMARY KEY,
  alert INTEGER NOT NULL REFERENCES alert,
  news TEXT NOT NULL CHECK (news IN ('seen', 'confirmed', 'refuted', 'recovered', 'withdrawn')),
  at TEXT NOT NULL,  -- UTC, ISO 8601
  run TEXT NOT NULL, -- id of that comparison's run; else empty
  UNIQUE (alert, news, at, run)
) STRICT;

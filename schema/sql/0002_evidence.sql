-- What kind of evidence a run and an invocation are: why the run measured, which build and which
-- parameters an invocation ran, and whether a counting tool made its times meaningless.

ALTER TABLE run ADD COLUMN purpose TEXT NOT NULL DEFAULT 'compare'
  CHECK (purpose IN ('compare', 'calibrate', 'selftest', 'bisect', 'collect'));

-- Where two settings of a workload are compared: base's. NULL: the same as head's.
ALTER TABLE run_workload ADD COLUMN base_workload INTEGER REFERENCES workload;
-- A control arm, base against base: the workload it stands beside; else empty.
ALTER TABLE run_workload ADD COLUMN control_of TEXT NOT NULL DEFAULT '';

-- Not 0: it ran a relinked build, made to tell a layout effect.
ALTER TABLE invocation ADD COLUMN layout_seed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invocation ADD COLUMN counted INTEGER NOT NULL DEFAULT 0 CHECK (counted IN (0, 1));
ALTER TABLE invocation ADD COLUMN instructions INTEGER CHECK (instructions >= 0);

-- The views of raw values show what was timed as it was asked for: no relinked, counted or planted
-- invocations, no control arms. The tables hold them all.

DROP VIEW phases;
DROP VIEW steps;
DROP VIEW metrics;
DROP VIEW invocations;
DROP VIEW runs;

CREATE VIEW runs AS
SELECT run.id AS run, run.started_at, run.tool_version, run.purpose, run.size,
       b.oid AS base, run.base_name, run.base_rule, b.subject AS base_subject,
       h.oid AS head, run.head_name, run.head_rule, h.subject AS head_subject,
       e.fingerprint, run.threshold, run.alpha, run.looks, run.budget,
       report.judged AS m, report.measured, report.interrupted, report.verdict
FROM run
JOIN revision AS h ON h.key = run.head
JOIN environment AS e ON e.key = run.environment
LEFT JOIN revision AS b ON b.key = run.base
LEFT JOIN report ON report.run = run.key;

CREATE VIEW invocations AS
SELECT run.id AS run, run.started_at, run.purpose, i.start_order, w.name AS workload, w.params,
       i.side, r.oid, r.subject, e.fingerprint, i.pair, i.attempt, i.paired, i.failure,
       i.exit_code, i.signal, i.timed_out, i.wall, i.user, i.system, i.peak_rss,
       i.minor_faults, i.major_faults, i.voluntary_switches, i.involuntary_switches,
       i.steal, i.cpu_pressure, i.memory_available_before, i.instructions, i.layout_seed,
       i.counted, p.control_of, i.key AS invocation
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
       s.idx, s.warmup, s.seconds, s.rss, i.invocation, s.block
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

CREATE VIEW metrics AS
SELECT i.run, i.started_at, i.start_order, i.workload, d.workload AS series,
       d.params, i.side, i.oid, i.pair, i.attempt, i.failure,
       m.name AS metric, m.unit, m.better, v.value, v.judge, i.invocation, v.block
FROM metric_value AS v
JOIN metric AS m ON m.key = v.metric
JOIN block ON block.key = v.block
JOIN declaration AS d ON d.key = block.declaration
JOIN invocations AS i ON i.invocation = block.invocation
WHERE i.layout_seed = 0 AND i.counted = 0 AND i.control_of = '' AND i.purpose <> 'selftest';

-- What `perf-compare hub index` derives from payloads; `hub index --all` derives all of it again. Parameters and facts
-- are JSON texts, as in a store.

CREATE TABLE perf_compare.revision (
  key integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  oid text COLLATE "C" NOT NULL UNIQUE,
  committed_at timestamptz NOT NULL,  -- for people; the order is git's
  author text NOT NULL,
  subject text NOT NULL
);

-- Facts of machines and runs, and the declarations of workloads.
CREATE TABLE perf_compare.facts (
  key integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest uuid NOT NULL UNIQUE,
  facts text NOT NULL
);

CREATE TABLE perf_compare.run (
  key integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  writer text COLLATE "C" NOT NULL,  -- of the payload
  month text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  size text NOT NULL,
  started_at text COLLATE "C" NOT NULL,
  started timestamptz,  -- NULL: started_at is not a time
  tool_version text NOT NULL,
  base integer REFERENCES perf_compare.revision,
  base_name text, base_dirty boolean,
  head integer NOT NULL REFERENCES perf_compare.revision,
  head_name text NOT NULL, head_dirty boolean NOT NULL,
  verdict text,
  finished boolean NOT NULL, interrupted boolean NOT NULL,
  planned text[] NOT NULL,  -- workloads, by name
  workloads bigint NOT NULL, processes bigint NOT NULL, pairs bigint NOT NULL,
  source text NOT NULL,
  shard integer, shards integer,
  host text NOT NULL,
  fingerprint text NOT NULL,
  machine integer NOT NULL REFERENCES perf_compare.facts,
  facts integer NOT NULL REFERENCES perf_compare.facts
);
-- For `hub index --all`, which deletes unused revisions and facts, and for `show REVISION`.
CREATE INDEX run_by_base ON perf_compare.run (base);
CREATE INDEX run_by_head ON perf_compare.run (head);
CREATE INDEX run_by_machine ON perf_compare.run (machine);
CREATE INDEX run_by_facts ON perf_compare.run (facts);

-- The programs that a run's workloads executed at its head (docs/same-program.md).
CREATE TABLE perf_compare.program (
  run integer NOT NULL REFERENCES perf_compare.run,
  workload text NOT NULL, params text NOT NULL, outside text NOT NULL,
  program text COLLATE "C" NOT NULL
);
CREATE INDEX program_by_run ON perf_compare.program (run);
CREATE INDEX program_by_workload ON perf_compare.program (workload);

-- Values of one metric of one workload on one kind of machine (fingerprint), or paired with one commit (anchor).
CREATE TABLE perf_compare.series (
  key integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest uuid NOT NULL UNIQUE,
  size text NOT NULL, workload text NOT NULL, params text NOT NULL, name text NOT NULL,
  metric text NOT NULL, unit text NOT NULL, higher_is_better boolean NOT NULL,
  fingerprint text NOT NULL, anchor text NOT NULL, outside text NOT NULL,
  judge boolean NOT NULL  -- the benchmark requests a verdict on the metric
);

-- The origin of values: a run at a revision, and the workload's declaration.
CREATE TABLE perf_compare.origin (
  key integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run integer NOT NULL REFERENCES perf_compare.run,
  revision integer NOT NULL REFERENCES perf_compare.revision,
  facts integer NOT NULL REFERENCES perf_compare.facts,
  UNIQUE (run, revision, facts)
);
CREATE INDEX origin_by_revision ON perf_compare.origin (revision);
CREATE INDEX origin_by_facts ON perf_compare.origin (facts);

-- The points, values of invocations, in arrays of at least 32: a row for each point would take 65 B with its index, an
-- array takes 16 B a point. A series' tail has the values that do not fill an array yet. A run's values of a series are
-- together, in the order of measuring.
CREATE TABLE perf_compare.tile (
  series integer NOT NULL,
  origin integer[] NOT NULL,
  value double precision[] NOT NULL
);
CREATE INDEX tile_by_series ON perf_compare.tile (series);
CREATE TABLE perf_compare.tail (
  series integer PRIMARY KEY,
  origin integer[] NOT NULL,
  value double precision[] NOT NULL
);

CREATE TABLE perf_compare.alert (
  key integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  workload text NOT NULL, params text NOT NULL, metric text NOT NULL, fingerprint text NOT NULL,
  anchor text NOT NULL, kind text NOT NULL, previous_oid text NOT NULL, oid text NOT NULL,
  baseline text NOT NULL, change double precision NOT NULL, outside text NOT NULL, host text NOT NULL
);
CREATE TABLE perf_compare.alert_event (
  key integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert integer NOT NULL REFERENCES perf_compare.alert,
  news text NOT NULL, at text COLLATE "C" NOT NULL, run text NOT NULL, author text NOT NULL, reason text NOT NULL,
  UNIQUE (alert, news, at, run, author, reason)
);

-- For people and Grafana. A point is the median over the invocations of one run at a commit.
CREATE VIEW perf_compare.perf_points AS
SELECT v.committed_at AS time, v.oid, v.subject, s.name AS workload, s.params, s.metric, s.unit,
       s.higher_is_better, s.size, s.fingerprint, s.anchor, s.outside, r.id AS run, r.host, r.started AS started_at,
       p.value, p.invocations
FROM perf_compare.series AS s
CROSS JOIN LATERAL (
  SELECT o.run, o.revision, percentile_cont(0.5) WITHIN GROUP (ORDER BY t.value) AS value, count(*) AS invocations
  FROM (SELECT unnest(origin) AS origin, unnest(value) AS value FROM perf_compare.tile WHERE series = s.key
        UNION ALL
        SELECT unnest(origin), unnest(value) FROM perf_compare.tail WHERE series = s.key) AS t
  JOIN perf_compare.origin AS o ON o.key = t.origin
  GROUP BY o.run, o.revision) AS p
JOIN perf_compare.run AS r ON r.key = p.run
JOIN perf_compare.revision AS v ON v.key = p.revision;

-- Alerts of trend reports, and decisions about them.
CREATE VIEW perf_compare.perf_annotations AS
SELECT coalesce(v.committed_at, e.at::timestamptz) AS time, e.at::timestamptz AS at, a.id AS alert, a.kind, e.news, a.oid,
       a.previous_oid, a.change, a.workload, a.params, a.metric, a.fingerprint, a.anchor, e.author, e.reason,
       a.workload || ' ' || a.metric || ' ' || to_char(100 * a.change, 'FMSG999990.0') || ' %: ' || e.news
         || CASE e.reason WHEN '' THEN '' ELSE ' (' || e.reason || ')' END AS text
FROM perf_compare.alert AS a
JOIN perf_compare.alert_event AS e ON e.alert = a.key
LEFT JOIN perf_compare.revision AS v ON v.oid = a.oid;

CREATE VIEW perf_compare.perf_runs AS
SELECT r.started AS time, r.id AS run, r.kind, r.size, r.tool_version, h.oid AS head, h.subject,
       b.oid AS base, r.verdict, r.finished, r.interrupted, r.workloads, r.processes, r.pairs, r.host, r.fingerprint,
       r.writer, r.shard, r.shards
FROM perf_compare.run AS r
JOIN perf_compare.revision AS h ON h.key = r.head
LEFT JOIN perf_compare.revision AS b ON b.key = r.base;

GRANT SELECT ON perf_compare.revision, perf_compare.facts, perf_compare.run, perf_compare.program, perf_compare.series,
  perf_compare.origin, perf_compare.tile, perf_compare.tail, perf_compare.alert, perf_compare.alert_event,
  perf_compare.perf_points, perf_compare.perf_annotations, perf_compare.perf_runs TO perf_reader, perf_indexer;
GRANT INSERT, UPDATE, DELETE ON perf_compare.revision, perf_compare.facts, perf_compare.run, perf_compare.program,
  perf_compare.series, perf_compare.origin, perf_compare.tile, perf_compare.tail, perf_compare.alert,
  perf_compare.alert_event TO perf_indexer;

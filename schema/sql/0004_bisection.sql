-- Which runs belong to one bisection, so that it can go on after it was stopped. What they measured
-- stands where every run's does; what follows from it is computed again.

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

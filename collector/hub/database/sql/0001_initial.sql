-- The tables of a hub in PostgreSQL 15 or newer (docs/hub.md). `perf-compare hub init` runs this as the user who then
-- owns them, in one transaction, search_path = pg_catalog.
--
-- Programs of any version write by the one statement beside the table payload, and read hub by about(): a later
-- version of the tables keeps both working.

CREATE SCHEMA perf_compare;
COMMENT ON SCHEMA perf_compare IS 'a hub of perf-compare';

-- One row.
CREATE TABLE perf_compare.hub (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id uuid NOT NULL DEFAULT gen_random_uuid(),  -- a new one: every store brings everything again
  version integer NOT NULL,
  oldest_client integer NOT NULL  -- a program that knows no later version of the tables is refused
);

-- Who may do nothing else may still ask this. A copy of the database, or a hub that was restored elsewhere, is another one:
-- stores that believed it to be the same would not bring it what they brought the first.
CREATE FUNCTION perf_compare.about(OUT id text, OUT version integer, OUT oldest_client integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
BEGIN ATOMIC
  SELECT md5(hub.id::text || system_identifier || current_database()), hub.version, hub.oldest_client
  FROM perf_compare.hub, pg_control_system();
END;
REVOKE ALL ON FUNCTION perf_compare.about() FROM PUBLIC;

-- What stores brought, as they brought it. Written by
--
--   INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES (...), ... ON CONFLICT DO NOTHING
--
-- and never changed. The digest is the server's own, and part of the key with the month: whoever brings other bytes, or
-- another month, under a name that is not his keeps nobody's payload out. Readers try all payloads of a name.
-- No partitions: a writer could not make the one of a month that is new, and to delete a month takes seconds.
CREATE TABLE perf_compare.payload (
  month text COLLATE "C" NOT NULL CHECK (month ~ '^[0-9]{4}-[0-9]{2}$'),
  name text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}-[0-9a-f]{32}$'),
  sha256 bytea NOT NULL GENERATED ALWAYS AS (sha256(bytes)) STORED,
  writer text COLLATE "C" NOT NULL CHECK (writer ~ '^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$'),
  bytes bytea NOT NULL CHECK (octet_length(bytes) <= 67108864),
  brought_at timestamptz NOT NULL DEFAULT now(),
  brought_by name NOT NULL DEFAULT session_user,
  PRIMARY KEY (month, name, sha256)
);
ALTER TABLE perf_compare.payload ALTER bytes SET STORAGE EXTERNAL;  -- it is zstd already

-- The same of runs of code that nobody trusts: never read by pull or index.
CREATE TABLE perf_compare.untrusted (LIKE perf_compare.payload INCLUDING ALL);

-- The payloads that `hub index` looked at.
CREATE TABLE perf_compare.indexed (
  month text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  sha256 bytea NOT NULL,
  refused text,  -- why it was not taken
  PRIMARY KEY (month, name, sha256)
);

GRANT USAGE ON SCHEMA perf_compare TO perf_writer, perf_reader, perf_indexer;
GRANT EXECUTE ON FUNCTION perf_compare.about() TO perf_writer, perf_reader, perf_indexer;
GRANT INSERT (writer, month, name, bytes) ON perf_compare.payload, perf_compare.untrusted TO perf_writer;
GRANT SELECT ON perf_compare.payload TO perf_reader, perf_indexer;
GRANT SELECT ON perf_compare.indexed TO perf_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON perf_compare.indexed TO perf_indexer;

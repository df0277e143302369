-- The tables of a hub in PostgreSQL 15 or newer (docs/hub.md). `perf-compare hub init` runs this in one transaction
-- with search_path = pg_catalog; the user who runs it owns the tables.
--
-- Programs of every version write with the statement at the table payload, and read hub with about(): later versions of
-- the tables must support both.

CREATE SCHEMA perf_compare;
COMMENT ON SCHEMA perf_compare IS 'a hub of perf-compare';

-- A single row.
CREATE TABLE perf_compare.hub (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id uuid NOT NULL DEFAULT gen_random_uuid(),  -- with a new id, every store pushes everything again
  version integer NOT NULL,
  oldest_client integer NOT NULL  -- programs that only know older versions of the tables are refused
);

-- Every role may call this. The id differs for a copy of the database and for a hub that was restored elsewhere: with
-- the same id, stores would not push what they have pushed to the first.
CREATE FUNCTION perf_compare.about(OUT id text, OUT version integer, OUT oldest_client integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
BEGIN ATOMIC
  SELECT md5(hub.id::text || system_identifier || current_database()), hub.version, hub.oldest_client
  FROM perf_compare.hub, pg_control_system();
END;
REVOKE ALL ON FUNCTION perf_compare.about() FROM PUBLIC;

-- The payloads as stores pushed them. Written by
--
--   INSERT INTO perf_compare.payload (writer, month, name, bytes) VALUES (...), ... ON CONFLICT DO NOTHING
--
-- and never changed. The key contains the server's digest and the month, so that other bytes or another month under a
-- foreign name do not keep the right payload out. Readers try all payloads of a name. No partitions: a writer could not
-- create that of a new month, and deleting a month takes seconds.
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
ALTER TABLE perf_compare.payload ALTER bytes SET STORAGE EXTERNAL;  -- compressed already (zstd)

-- The same for runs of untrusted code: never read by pull or index.
CREATE TABLE perf_compare.untrusted (LIKE perf_compare.payload INCLUDING ALL);

-- The payloads that `hub index` has read.
CREATE TABLE perf_compare.indexed (
  month text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  sha256 bytea NOT NULL,
  refused text,  -- why it was rejected
  PRIMARY KEY (month, name, sha256)
);

GRANT USAGE ON SCHEMA perf_compare TO perf_writer, perf_reader, perf_indexer;
GRANT EXECUTE ON FUNCTION perf_compare.about() TO perf_writer, perf_reader, perf_indexer;
GRANT INSERT (writer, month, name, bytes) ON perf_compare.payload, perf_compare.untrusted TO perf_writer;
GRANT SELECT ON perf_compare.payload TO perf_reader, perf_indexer;
GRANT SELECT ON perf_compare.indexed TO perf_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON perf_compare.indexed TO perf_indexer;

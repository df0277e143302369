-- What a report said beside its rows, so that it can be shown again word for word, whatever became
-- of its raw steps. '{}': written before this was kept; it is computed again as far as it goes.

ALTER TABLE report ADD COLUMN details TEXT NOT NULL DEFAULT '{}' CHECK (details GLOB '{*}');
ALTER TABLE comparison ADD COLUMN details TEXT NOT NULL DEFAULT '{}' CHECK (details GLOB '{*}');

-- By what quotas count: where a table was opened from, and how much its events take, in bytes. When a table goes: whether it was
-- uploaded, and when somebody opened it last, in seconds since 1970.
ALTER TABLE tables ADD COLUMN address TEXT;
ALTER TABLE tables ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN uploaded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN opened INTEGER NOT NULL DEFAULT 0;
UPDATE tables SET opened = max(updated, created),
    bytes = coalesce((SELECT sum(length(body)) FROM events WHERE table_id = id), 0);
CREATE INDEX tables_by_address ON tables (address) WHERE address IS NOT NULL;
CREATE INDEX tables_by_opened ON tables (opened);

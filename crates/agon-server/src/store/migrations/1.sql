-- Browsers, by the hash of the token that each of them keeps.
CREATE TABLE visitors (
    id BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    created INTEGER NOT NULL
) WITHOUT ROWID;

-- Tables, with what lists show of them: the head says what is played and who plays, the course how the game stands.
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    owner BLOB NOT NULL,
    mode TEXT NOT NULL,
    settings TEXT NOT NULL,
    head TEXT NOT NULL,
    course TEXT NOT NULL,
    over INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_by_owner ON tables (owner, updated DESC);

-- What has happened at the tables. The message is the browser's own name for what led to the event.
CREATE TABLE events (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    schema INTEGER NOT NULL,
    message TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;

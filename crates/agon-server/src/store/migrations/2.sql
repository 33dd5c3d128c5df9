-- When a game that is played online is looked after although nobody follows it, in seconds since 1970.
ALTER TABLE tables ADD COLUMN deadline INTEGER;
CREATE INDEX tables_by_deadline ON tables (deadline) WHERE deadline IS NOT NULL;

-- Which browsers hold the seats of games that are played online. Who holds the seats of all other games is their owner.
CREATE TABLE holders (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    visitor BLOB NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX holders_by_visitor ON holders (visitor, table_id);

-- Keys of links to games, by their hashes. One with a seat moves that seat to another device, once; there is one such key for each
-- seat. One without a seat is that of the lobby the game comes from.
CREATE TABLE link_keys (
    hash BLOB PRIMARY KEY,
    table_id TEXT NOT NULL,
    seat INTEGER,
    created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX link_keys_by_seat ON link_keys (table_id, seat);

-- Lobbies that are open.
CREATE TABLE lobbies (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL
) WITHOUT ROWID;

-- What people have said, in lobbies and in the games that these have become.
CREATE TABLE chat (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    message TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;

-- What has happened lately at all tables, in the order in which it was stored. Here the moves of many games share a page, where each of
-- them would change two pages of its own in events and tables. They are filed there from time to time, many at once.
CREATE TABLE recent (
    number INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    schema INTEGER NOT NULL,
    message TEXT,
    body TEXT NOT NULL,
    -- How the table stands after this event, for the last event of those that were stored together.
    course TEXT,
    over INTEGER,
    updated INTEGER,
    deadline INTEGER
);

-- How the tables with recent events stand. With max() the other columns are those of the row that has it.
CREATE VIEW latest AS
    SELECT table_id, course, over, updated, deadline, max(number) AS number
    FROM recent WHERE course IS NOT NULL GROUP BY table_id;

-- The tables as they stand.
CREATE VIEW standing AS
    SELECT id, owner, mode, settings, head, created, coalesce(latest.course, tables.course) AS course,
        coalesce(latest.updated, tables.updated) AS updated,
        CASE WHEN latest.number IS NULL THEN tables.deadline ELSE latest.deadline END AS deadline
    FROM tables LEFT JOIN latest ON table_id = id;

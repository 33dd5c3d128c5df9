-- A checksum of every event from now on: a damaged byte may leave JSON that can be read, and even a move that
-- can be played.
ALTER TABLE events ADD COLUMN checksum INTEGER;
ALTER TABLE recent ADD COLUMN checksum INTEGER;

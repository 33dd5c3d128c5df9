// The boards: everything that draws a board or lets people point at it.
//
// `import "…/board/tokens.css"` once gives all colours as custom properties by `data-theme` on the root element.
//
// `InteractiveBoard` fills the width that it is given and is at most `--board-height` (default `100vh - 120px`) high.

export type { BoardCommand, BoardKey, BoardLook, BoardText, BoardThumbProps, InteractiveBoardProps } from "./api.ts";
export { BOARD_TEXTS } from "./api.ts";
export { default as BoardThumb } from "./BoardThumb.svelte";
export { type StepDigest, stepDigest } from "./digest.ts";
export { placeName } from "./geometry.ts";
export { default as InteractiveBoard } from "./InteractiveBoard.svelte";
export { numbered, numberedMoves, type PlaceNames, readNumbered } from "./numbers.ts";
export { default as PieceIcon } from "./PieceIcon.svelte";
export { forcedPass } from "./selection.ts";
export { type SoundName, soundOf, Sounds } from "./sound.ts";
export { turnCount, turnedFor, turnUnit } from "./turning.ts";

// The boards: everything that draws a board or lets people point at it.
//
// `import "…/board/tokens.css"` once gives all colours as custom properties by `data-theme` on the root element.
//
// `BoardStage` fills the width that it is given and is at most `--board-height` (default `100vh - 120px`) high.

export { default as BoardStage } from "./BoardStage.svelte";
export { default as BoardThumb } from "./BoardThumb.svelte";
export { default as PieceIcon } from "./PieceIcon.svelte";
export { BOARD_TEXTS } from "./api";
export type { BoardCommand, BoardKey, BoardLook, BoardStageProps, BoardText, BoardThumbProps } from "./api";
export { placeName } from "./geometry";
export { turnCount, turnUnit, turnedFor } from "./turning";
export { stepDigest, type StepDigest } from "./digest";
export { soundOf, Sounds, type SoundName } from "./sound";

// REST calls, whoever answers them. Every refusal arrives as an ApiError with what it says to people.
import type {
  AnalysisQuestion,
  FeatureAnswer,
  FeatureQuestion,
  GameInfo,
  Invitation,
  Me,
  NewLobby,
  NewTable,
  Opened,
  PlyList,
  PositionAnswer,
  PositionRequest,
  Problem,
  QrCode,
  ReviewPart,
  RulePicture,
  Statistics,
  TableList,
  TreeAnswer,
  TreeQuestion,
} from "../protocol/types.ts";
import { ask } from "./place.svelte.ts";

/** A request that failed: refused by the server, or not answered at all (`problem` is then null). */
export class ApiError extends Error {
  constructor(readonly problem: Problem | null) {
    super(problem?.message.text ?? "The server does not answer.");
  }
}

export function call(path: string, request?: RequestInit): Promise<Response> {
  return callBy(ask, path, request);
}

function callServer(path: string, request?: RequestInit): Promise<Response> {
  return callBy(fetch, path, request);
}

async function callBy(asked: typeof ask, path: string, request?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await asked(path, { ...request, headers: { accept: "application/json", ...request?.headers } });
  } catch {
    throw new ApiError(null);
  }
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => null);
  throw new ApiError(isProblem(problem) ? problem : null);
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

export async function getJson<T>(path: string): Promise<T> {
  return (await call(path)).json() as Promise<T>;
}

export async function sendJson<T>(
  method: "POST" | "PUT",
  path: string,
  body: unknown,
  more: Record<string, string> = {},
): Promise<T> {
  const headers = { "content-type": "application/json", ...more };
  return (await call(path, { method, headers, body: JSON.stringify(body) })).json() as Promise<T>;
}

/** The games with their default options. They do not change while a page lives, so they are asked for once. */
export function listGames(): Promise<GameInfo[]> {
  games ??= getJson<GameInfo[]>("/api/v1/catalogue").catch((error: unknown) => {
    games = undefined;
    throw error;
  });
  return games;
}
let games: Promise<GameInfo[]> | undefined;

export function describeGame(game: string, options: string): Promise<GameInfo> {
  return getJson(`/api/v1/catalogue/${encodeURIComponent(game)}?options=${encodeURIComponent(options)}`);
}

/** The boards that show a game's rules. */
export function listRules(game: string): Promise<RulePicture[]> {
  return getJson(`/api/v1/catalogue/${encodeURIComponent(game)}/rules`);
}

export function openTable(table: NewTable): Promise<Opened> {
  return sendJson("POST", "/api/v1/games", table);
}

export function listTables(which: "mine" | "watch"): Promise<TableList> {
  return getJson(`/api/v1/games?${which}=true`);
}

/** Deletes a game of one's own. */
export async function deleteTable(table: string): Promise<void> {
  await call(`/api/v1/games/${encodeURIComponent(table)}`, { method: "DELETE" });
}

/** The record of a game, as a file. */
export async function readRecord(table: string): Promise<Blob> {
  const path = `/api/v1/games/${encodeURIComponent(table)}/record`;
  return (await call(path, { headers: { accept: "text/plain" } })).blob();
}

/** The moves of players with these indices, and the draws of chance that follow them. */
export function listMoves(table: string, board: number, from: number, to: number): Promise<PlyList> {
  return getJson(`/api/v1/games/${encodeURIComponent(table)}/plies?board=${board}&by=moves&from=${from}&to=${to}`);
}

/** Which moves of a finished game gave something away, from a ply on, as far as they have been found. */
export function reviewPart(table: string, board: number, from: number): Promise<ReviewPart> {
  return getJson(`/api/v1/games/${encodeURIComponent(table)}/review?board=${board}&from=${from}`);
}

/** Opens a game from its record; by the server, or by whoever answers. */
export async function uploadRecord(text: string, by: "server" | "anybody" = "anybody"): Promise<Opened> {
  const response = await (by === "server" ? callServer : call)("/api/v1/records", {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: text,
  });
  return response.json() as Promise<Opened>;
}

export function openLobby(lobby: NewLobby): Promise<Opened> {
  return sendJson("POST", "/api/v1/lobbies", lobby);
}

/** What the key of a link `/join/KEY` is good for. */
export function readInvitation(key: string): Promise<Invitation> {
  return getJson(`/api/v1/invitations/${encodeURIComponent(key)}`);
}

/** A link as a QR code. */
export function drawQr(link: string): Promise<QrCode> {
  return getJson(`/api/v1/qr?text=${encodeURIComponent(link)}`);
}

/** Takes the seat that a link moves to this device. */
export function takeSeat(key: string): Promise<Opened> {
  return sendJson("POST", `/api/v1/invitations/${encodeURIComponent(key)}`, {});
}

export function whoAmI(): Promise<Me> {
  return getJson("/api/v1/me");
}

/** What has been reached at this browser in a game for one. */
export function readStatistics(game: string): Promise<Statistics> {
  return getJson(`/api/v1/me/statistics/${encodeURIComponent(game)}`);
}

export function nameMe(name: string): Promise<Me> {
  return sendJson("PUT", "/api/v1/me", { name } satisfies Me);
}

/** What a position looks like, and its legal moves. */
export function readPosition(request: PositionRequest): Promise<PositionAnswer> {
  return sendJson("POST", "/api/v1/positions", request);
}

/** What an evaluation sees in a position. */
export function readFeatures(question: FeatureQuestion): Promise<FeatureAnswer> {
  return sendJson("POST", "/api/v1/features", question);
}

/** What a bot thinks of the moves in a position: as much of its analysis as is used here. */
export interface Opinion {
  /** What scores count: `percent` for an expected result; otherwise 0 is even. */
  unit: string | null;
  /** The moves that it has compared, best first. A score with a bound is not exact. */
  moves: readonly { move: string; score: number; bound: "lower" | "upper" | null }[];
}

export function analyse(question: AnalysisQuestion): Promise<Opinion> {
  return sendJson("POST", "/api/v1/analysis", question);
}

/** The tree in which a search finds its move. */
export function searchTree(question: TreeQuestion): Promise<TreeAnswer> {
  return sendJson("POST", "/api/v1/tree", question);
}

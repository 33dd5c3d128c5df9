// Requests about tournaments. Those of an organiser carry the admin token.
import { call, getJson, sendJson } from "../lib/api.ts";
import type {
  ArenaDesk,
  AuthorKeys,
  AuthorPage,
  NewTournament,
  Opened,
  TournamentGames,
  UploadedAgent,
} from "../protocol/types.ts";

/** Which games of a tournament are asked for; what is left out matches all. */
export interface GameFilter {
  player?: string;
  opponent?: string;
  round?: string;
}

function pathOf(tournament: string): string {
  return `/api/v1/arena/${encodeURIComponent(tournament)}`;
}

export function fileOf(tournament: string, name: string): string {
  return `${pathOf(tournament)}/files/${encodeURIComponent(name)}`;
}

/** Up to 100 games, the latest first, after the first `skip` of them. */
export function listMatches(tournament: string, filter: GameFilter, skip: number): Promise<TournamentGames> {
  const query = new URLSearchParams({ skip: String(skip) });
  for (const [name, value] of Object.entries<string | undefined>({ ...filter })) if (value) query.set(name, value);
  return getJson(`${pathOf(tournament)}/games?${query}`);
}

export function readAuthor(tournament: string, key: string): Promise<AuthorPage> {
  return getJson(`${pathOf(tournament)}/authors/${encodeURIComponent(key)}`);
}

export function logOf(tournament: string, key: string, number: number): string {
  return `${pathOf(tournament)}/authors/${encodeURIComponent(key)}/logs/${number}`;
}

export async function readLog(path: string): Promise<string> {
  return (await call(path, { headers: { accept: "text/plain" } })).text();
}

function bearing(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function askAs<T>(token: string, path: string): Promise<T> {
  return (await call(path, { headers: bearing(token) })).json() as Promise<T>;
}

export function readDesk(token: string): Promise<ArenaDesk> {
  return askAs(token, "/api/v1/arena/desk");
}

export function readKeys(token: string, tournament: string): Promise<AuthorKeys> {
  return askAs(token, `${pathOf(tournament)}/keys`);
}

/** Grades need the token, which a plain link cannot carry. */
export async function readGrades(token: string, tournament: string): Promise<Blob> {
  return (await call(fileOf(tournament, "grades.csv"), { headers: bearing(token) })).blob();
}

function agentPath(name: string): string {
  return `/api/v1/arena/agents/${encodeURIComponent(name)}`;
}

/** Takes in an agent: a single file, or a ZIP with `file` inside. */
export async function uploadAgent(
  token: string,
  name: string,
  interpreter: string,
  file: string,
  contents: Blob,
): Promise<UploadedAgent> {
  const path = `${agentPath(name)}?${new URLSearchParams({ interpreter, file })}`;
  const headers = { "content-type": "application/octet-stream", ...bearing(token) };
  return (await call(path, { method: "PUT", headers, body: contents })).json() as Promise<UploadedAgent>;
}

export async function removeAgent(token: string, name: string): Promise<void> {
  await call(agentPath(name), { method: "DELETE", headers: bearing(token) });
}

export function startTournament(token: string, tournament: NewTournament): Promise<Opened> {
  return sendJson("POST", "/api/v1/arena", tournament, bearing(token));
}

export async function steer(token: string, tournament: string, what: "stop" | "resume"): Promise<void> {
  await call(`${pathOf(tournament)}/${what}`, { method: "POST", headers: bearing(token) });
}

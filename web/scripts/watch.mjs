// Measures what watching a fast game costs: a bot plays a game for one at 50 moves a second on a running server
// (AGON_URL). Prints the main thread's time for each move over the course of the game, and how soon Pause answers, as
// on a processor four times slower, and fails if either is above its limit.
//
//   npm --prefix web run speed:watch -- [--moves 1000] [--bot hard] [--plot FILE.svg] [--slowdown 4]
//
// Time for a move is what the main thread spends, times the slowdown: other programs on the machine take none of it,
// but they make it slower all the same. Pause is measured on a thread that is really slowed down, in time that passes.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { launchChromium } from "./chromium.mjs";

const { values } = parseArgs({
  options: {
    game: { type: "string", default: "2048" },
    bot: { type: "string", default: "hard" },
    moves: { type: "string", default: "1000" },
    slowdown: { type: "string", default: "4" },
    plot: { type: "string" },
  },
});
const LIMITS = { move: 8, pause: 100 };
const PACE = 20;
const STRETCHES = 10;
const moves = Number(values.moves);
const server = process.env.AGON_URL ?? "http://127.0.0.1:8048";

const browser = await launchChromium();
const context = await browser.newContext({ baseURL: server, viewport: { width: 1320, height: 860 } });
await context.addInitScript(() => {
  localStorage.setItem("agon.name-asked", "yes");
  localStorage.setItem("agon.settings", JSON.stringify({ language: "en", theme: "light" }));
});
const page = await context.newPage();
const devtools = await context.newCDPSession(page);
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
await page.goto("/settings");
const id = await page.evaluate(
  async (body) => {
    const response = await fetch("/api/v1/games", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()).id;
  },
  { game: values.game, seats: [{ occupant: values.bot }], pace: PACE },
);
await page.goto(`/game/${id}`);
await page.locator('[role="grid"]').waitFor();
const slowdown = Number(values.slowdown);
const throttle = (rate) => devtools.send("Emulation.setCPUThrottlingRate", { rate });

/** How the game stands on the server. */
async function facts() {
  const state = await (await fetch(`${server}/api/v1/games/${id}`)).json();
  return state.boards[0].facts;
}

async function measured() {
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  const shown = await page.getByTestId("moves-made").textContent();
  const made = Number(shown.replace(/\D/g, ""));
  return {
    made,
    busy: of("TaskDuration"),
    script: of("ScriptDuration"),
    heap: of("JSHeapUsedSize"),
  };
}

/** How long it takes from a click on Pause until the page shows that the bots wait. */
async function pause() {
  await throttle(slowdown);
  await page.waitForTimeout(200);
  const took = await page.getByRole("button", { name: "Pause", exact: true }).evaluate(
    (button) =>
      new Promise((resolve) => {
        const start = performance.now();
        const look = () =>
          button.textContent.includes("Resume")
            ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
            : setTimeout(look, 1);
        button.click();
        look();
      }),
  );
  await throttle(1);
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  return took;
}

const stretches = [];
let from = await measured();
console.log("moves            main thread  script      in list  heap");
for (let stretch = 1; stretch <= STRETCHES; stretch += 1) {
  const target = Math.round((moves * stretch) / STRETCHES);
  let now;
  do {
    await new Promise((resolve) => setTimeout(resolve, 250));
    now = await facts();
  } while (now.movesMade < target && !now.end);
  const to = await measured();
  const count = to.made - from.made;
  if (now.end && count < moves / STRETCHES / 2) break;
  const of = (what) => (slowdown * 1000 * (to[what] - from[what])) / count;
  const figures = { from: from.made, to: to.made, move: of("busy"), script: of("script") };
  stretches.push(figures);
  const listed = await page.locator(".moves *").count();
  console.log(
    `${`${from.made}–${to.made}`.padEnd(16)} ${figures.move.toFixed(2).padStart(8)} ms ${figures.script.toFixed(2).padStart(6)} ms` +
      ` ${String(listed).padStart(9)} ${(to.heap / 1e6).toFixed(1).padStart(6)} MB`,
  );
  from = to;
  if (now.end) break;
}
const pauses = [];
if (!(await facts()).end) for (let sample = 0; sample < 5; sample += 1) pauses.push(await pause());
await browser.close();

/** The figures as a picture: time for a move over the moves made, with the limit. */
function picture() {
  const [width, height, left, bottom] = [640, 260, 46, 36];
  const most = Math.max(LIMITS.move, ...stretches.map(({ move }) => move)) * 1.1;
  const last = stretches.at(-1).to;
  const x = (made) => left + (made / last) * (width - left - 16);
  const y = (millis) => height - bottom - (millis / most) * (height - bottom - 14);
  const line = stretches
    .map(({ from, to, move }) => `${x((from + to) / 2).toFixed(1)},${y(move).toFixed(1)}`)
    .join(" ");
  const text = (at, up, anchor, said) => `<text x="${at}" y="${up}" text-anchor="${anchor}">${said}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#fff"/>
<path d="M${left} 10V${height - bottom}H${width - 16}" fill="none" stroke="#8a8378"/>
<path d="M${left} ${y(LIMITS.move)}H${width - 16}" stroke="#b3261e" stroke-dasharray="5 4"/>
${text(width - 18, y(LIMITS.move) - 5, "end", `limit: ${LIMITS.move} ms`)}
<polyline points="${line}" fill="none" stroke="#1a66a8" stroke-width="2"/>
${[0, 2, 4, 6, 8].map((tick) => text(left - 6, y(tick) + 4, "end", tick)).join("")}
${text(left, height - 18, "start", "0")}${text(width - 16, height - 18, "end", last)}
${text(width / 2, height - 5, "middle", `moves made; main thread, ms a move, processor ${values.slowdown} times slower`)}
</svg>
`;
}
if (values.plot) writeFileSync(values.plot, picture());

const worst = {
  move: Math.max(...stretches.map(({ move }) => move)),
  pause: Math.max(...pauses),
};
console.log(`a move: at most ${worst.move.toFixed(2)} ms of ${LIMITS.move}`);
if (pauses.length > 0) console.log(`Pause: ${worst.pause.toFixed(0)} ms of ${LIMITS.pause}`);
process.exitCode = worst.move <= LIMITS.move && (pauses.length === 0 || worst.pause <= LIMITS.pause) ? 0 : 1;

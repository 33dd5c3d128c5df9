import { existsSync, readdirSync, readFileSync } from "node:fs";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Puts the modules that play in the browser beside the app, as scripts/modules has built them. */
function modules(): Plugin {
  return {
    name: "modules",
    apply: "build",
    generateBundle() {
      if (!existsSync("modules")) return;
      for (const name of readdirSync("modules").filter((file) => file.includes(".wasm")))
        this.emitFile({ type: "asset", fileName: `modules/${name}`, source: readFileSync(`modules/${name}`) });
    },
  };
}

// While developing, pages come from Vite and everything else from a server that runs beside it.
const server = process.env["AGON_URL"] ?? "http://127.0.0.1:8048";

export default defineConfig({
  plugins: [svelte(), modules()],
  // Everything is found relative to the page's <base>, so that the app works in any folder of a static host.
  base: "./",
  worker: { format: "es" },
  build: {
    // scripts/publish.mjs moves from here to dist what has changed.
    outDir: "node_modules/.build",
    emptyOutDir: true,
    // Assets that become data: URLs would break the content security policy.
    assetsInlineLimit: 0,
    // scripts/sizes.mjs reads from it what a page loads.
    manifest: true,
    modulePreload: { polyfill: false },
    target: "es2022",
    rollupOptions: {
      input: { main: "index.html", sw: "src/offline/worker.ts" },
      output: {
        // Browsers look for a service worker where it has always been, and its folder is what it serves.
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
      },
    },
  },
  server: {
    proxy: {
      // The server only takes requests whose Origin is their Host, so both stay as the browser sent them.
      "/api": { target: server, changeOrigin: false },
      "/ws": { target: server.replace(/^http/, "ws"), changeOrigin: false, ws: true },
    },
  },
  // Component tests mount the browser's build of Svelte, not the one that renders to text.
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts"],
    // How long a test takes says how busy the machine is, and nothing about the app.
    testTimeout: 60_000,
  },
});

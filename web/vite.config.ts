import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// While developing, pages come from Vite and everything else from a server that runs beside it.
const server = process.env["AGON_URL"] ?? "http://127.0.0.1:8048";

export default defineConfig({
  plugins: [svelte()],
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

import "./board/tokens.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { startConnection } from "./connection/live.svelte.ts";
import { startRouter } from "./lib/router.svelte.ts";
import { startSettings } from "./lib/settings.svelte.ts";
import { keepApp } from "./offline/register.ts";

const target = document.getElementById("app");
if (target) {
  await startSettings();
  startRouter();
  startConnection();
  mount(App, { target });
  keepApp();
}

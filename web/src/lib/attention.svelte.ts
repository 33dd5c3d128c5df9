// Calls people back who are looking at another tab: by the title of the page, and by a notification if they want that.
import { createSubscriber } from "svelte/reactivity";

import { t } from "../i18n/index.svelte.ts";
import { navigate } from "./router.svelte.ts";
import { settings } from "./settings.svelte.ts";

const subscribe = createSubscriber((update) => {
  document.addEventListener("visibilitychange", update);
  return () => document.removeEventListener("visibilitychange", update);
});

/** Whether people see another tab. */
export const tab = {
  get isHidden(): boolean {
    subscribe();
    return document.visibilityState === "hidden";
  },
};

/**
 * Shows a notification to those who asked for them and look elsewhere. `tag` keeps several about one game from
 * piling up; a click leads to `path`.
 */
export function notify(text: string, tag: string, path: string | null = null): void {
  if (!settings.notify || !tab.isHidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(t("app.name"), { body: text, tag });
    shown.onclick = () => {
      window.focus();
      if (path !== null) navigate(path);
      shown.close();
    };
  } catch {
    // Some phones leave notifications to service workers; the title of the page has to do.
  }
}

/** Switches notifications on if the browser allows them; whether it does. */
export async function allowNotifications(): Promise<boolean> {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** Whether notifications could be had, and are not. A page over plain http cannot have them. */
export function canOfferNotifications(): boolean {
  return "Notification" in window && window.isSecureContext && !settings.notify && Notification.permission !== "denied";
}

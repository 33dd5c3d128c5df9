// What can be done at a table, as a list that the column of a desktop and the sheet of a phone both show.
import { t } from "../i18n/index.svelte.ts";
import { allowNotifications, canOfferNotifications } from "../lib/attention.svelte.ts";
import { settings } from "../lib/settings.svelte.ts";
import type { PictureKind } from "./picture.ts";
import type { Session } from "./session.svelte.ts";

/** Things that need the page: dialogs, the view of the board, the address. */
export interface Page {
  turnBoard: (() => void) | null;
  /** Shows the rules beside the board, or puts them away. */
  showRules: () => void;
  readonly showsRules: boolean;
  typeMove: () => void;
  changeSeats: () => void;
  showKeys: () => void;
  restart: () => void;
  resign: () => void;
  offerDraw: () => void;
  copyLink: () => void;
  savePicture: (kind: PictureKind) => void;
  /** Moves a seat to another device. */
  changeDevice: () => void;
}

export interface Action {
  id: string;
  label: string;
  run: () => void;
  disabled?: boolean;
  /** For switches: whether it is on. */
  pressed?: boolean;
}

/** Whether whoever looks may say who plays; in games that others play, too, everybody decides for themselves. */
export function mayChangeSeats(session: Session): boolean {
  return !session.isOnline && session.tournament === null;
}

export function actionsOf(session: Session, page: Page): Action[] {
  const { board, isOver, mine } = session;
  const plays = mine.length > 0;
  const live = !isOver && !session.looked;
  const actions: Action[] = [];
  if (plays && session.mayTakeBack) {
    // Between people a move goes back only if the others agree.
    const [id, label] = session.isOnline ? ["ask-take-back", t("action.askTakeBack")] : ["undo", t("action.undo")];
    actions.push({
      id,
      label,
      run: () => void session.undo(),
      disabled: !session.mayAct || !board?.facts.canTakeBack || !!board.facts.offer,
    });
  }
  if (plays && session.mayHint) {
    actions.push({
      id: "hint",
      label: t("action.hint"),
      run: () => void session.askHint(),
      disabled: !session.mayMove,
    });
  }
  if (page.turnBoard) actions.push({ id: "turn-board", label: t("action.turnBoard"), run: page.turnBoard });
  if (board?.facts.moves?.some((move) => move.kind === "turn") || session.rotating) {
    const run = () => (session.rotating = !session.rotating);
    actions.push({
      id: "rotate",
      label: t("action.rotateBlock"),
      run,
      disabled: !session.mayMove,
      pressed: session.rotating,
    });
  }
  if (plays && live) {
    actions.push({ id: "resign", label: t("action.resign"), run: page.resign, disabled: !session.mayAct });
    if ((mine.length > 1 || session.isOnline) && !session.isMany) {
      const disabled = !session.mayAct || !!board?.facts.offer;
      actions.push({ id: "draw", label: t("action.offerDraw"), run: page.offerDraw, disabled });
    }
    actions.push({ id: "type", label: t("action.typeMove"), run: page.typeMove, disabled: !session.mayMove });
  }
  if (mayChangeSeats(session)) {
    actions.push({ id: "restart", label: t("action.restart"), run: page.restart });
    actions.push({ id: "seats", label: t("action.seats"), run: page.changeSeats });
  } else if (plays && !isOver) {
    actions.push({ id: "device", label: t("action.device"), run: page.changeDevice, disabled: !session.mayAct });
  }
  if (plays && session.isOnline && !isOver && canOfferNotifications()) {
    // Browsers ask people themselves, and only after a click.
    const run = () => void allowNotifications().then((isAllowed) => (settings.notify = isAllowed));
    actions.push({ id: "notify", label: t("action.notify"), run });
  }
  actions.push({ id: "rules", label: t("action.rules"), run: page.showRules, pressed: page.showsRules });
  actions.push({ id: "link", label: t("action.copyLink"), run: page.copyLink });
  actions.push({ id: "keys", label: t("action.keys"), run: page.showKeys });
  for (const kind of ["svg", "png"] as const) {
    actions.push({
      id: kind,
      label: t("action.picture", { kind: kind.toUpperCase() }),
      run: () => page.savePicture(kind),
    });
  }
  return actions;
}

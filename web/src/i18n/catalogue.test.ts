import { describe, expect, it } from "vitest";

import { en } from "./en.ts";
import { fill, isolate, placeholders } from "./fill.ts";
import { he } from "./he.ts";
import { setLanguage, t } from "./index.svelte.ts";

const KEYS = Object.keys(en) as (keyof typeof en)[];

describe("catalogues", () => {
  it("have the same keys", () => {
    expect(Object.keys(he).sort()).toEqual([...KEYS].sort());
  });

  it.each(KEYS)("have the same placeholders in %s", (key) => {
    expect(placeholders(he[key])).toEqual(placeholders(en[key]));
  });

  it("have no empty text", () => {
    expect(KEYS.filter((key) => en[key].trim() === "" || he[key].trim() === "")).toEqual([]);
  });

  it("are written in Hebrew where they say something", () => {
    const figures = new Set([
      "app.name",
      "board.tile",
      "unit.percent",
      "end.rank",
      "say.place",
      "say.pieces",
      "say.clock",
      "say.player",
      "fault.entry",
      "tree.stub.more",
      "tree.step.judge",
    ]);
    expect(KEYS.filter((key) => !figures.has(key) && !/[א-ת]/.test(he[key]))).toEqual([]);
  });

  it("tell taking back from giving up, and call what belongs to the same thing by one word", () => {
    expect(he["action.undo"]).not.toBe(he["app.cancel"]);
    // Seats are places, records are those of a game, and to restart is to begin anew.
    for (const word of ["מושב", "רשומה", "כללים"]) expect(KEYS.filter((key) => he[key].includes(word))).toEqual([]);
    expect(KEYS.filter((key) => he[key] === "מהתחלה")).toEqual([]);
  });

  it("join a Hebrew letter to what is no Hebrew by a maqaf, which belongs to Hebrew, and not by a hyphen", () => {
    expect(KEYS.filter((key) => /[א-ת]-(?![א-ת])/.test(he[key]))).toEqual([]);
  });

  it("greet without counting the games, of which there may be more", () => {
    expect(en["home.lead"]).not.toMatch(/\d|\b(three|four|five|six|seven)\b/i);
    expect(he["home.lead"]).not.toMatch(/\d|(שלוש|ארבע|חמי?ש|שי?ש|שבע)ה? /);
  });

  it("give the words that people were promised", () => {
    // English and Hebrew as the specification of the experience has them.
    const promised: [keyof typeof en, string, string][] = [
      ["home.playBot", "Play a bot", "משחק מול בוט"],
      ["home.oneScreen", "One screen", "על מסך אחד"],
      ["about.watchBots", "Watch bots", "צפייה בבוטים"],
      ["status.choosePiece", "Your turn. Choose a piece.", "תורכם. בחרו כלי."],
      ["status.thinking", "{name} is thinking…", "{name} בחשיבה…"],
      ["status.notYourTurn", "Not your turn.", "לא תורכם."],
      ["status.pass", "No move: you pass.", "אין מהלך: התור עובר."],
      ["action.turnBoard", "Turn board", "סיבוב הלוח"],
      ["action.rotateBlock", "Rotate block", "סיבוב בלוק"],
      ["action.resign", "Resign", "כניעה"],
      ["action.offerDraw", "Offer a draw", "הצעת תיקו"],
      ["end.rematch", "Rematch", "משחק חוזר"],
      ["about.playOnline", "Play online", "משחק ברשת"],
      ["action.askTakeBack", "Ask to take back", "בקשה להחזיר מהלך"],
      ["lobby.waiting", "Waiting: {n} of {m}", "ממתינים: {n} מתוך {m}"],
      ["lobbies.none", "No open games. Start one.", "אין משחקים פתוחים. פתחו אחד."],
      ["lobby.full", "This lobby is full.", "החדר מלא."],
      ["lobby.gone", "This lobby is gone.", "החדר כבר לא קיים."],
      ["play.awayBot", "{name} is away. A bot plays in {t}.", "{name} לא כאן. בוט ישחק בעוד {t}."],
      ["missing.game", "No game here.", "אין כאן משחק."],
      ["link.reconnecting", "Reconnecting…", "מתחברים מחדש…"],
      ["link.offline", "Offline. Your game is safe.", "אין חיבור. המשחק שמור."],
      ["end.youWin", "You win", "ניצחתם"],
      ["end.wins", "{name} wins", "ניצחון: {name}"],
      ["end.beat", "You beat the computer.", "ניצחתם את המחשב."],
      ["end.computerWon", "The computer won.", "המחשב ניצח."],
      ["action.pause", "Pause", "השהיה"],
      ["action.step", "Step", "צעד"],
      ["action.pace", "Pace", "קצב"],
    ];
    for (const [key, english, hebrew] of promised) expect([key, en[key], he[key]]).toEqual([key, english, hebrew]);
  });
});

describe("texts", () => {
  it("leave a placeholder without a value to be seen", () => {
    expect(fill("{a} and {b}", (name) => (name === "a" ? "1" : undefined))).toBe("1 and {b}");
  });

  it("use the form for one thing", async () => {
    expect(t("play.watchers", { n: 1 })).toBe("1 watching");
    expect(t("play.watchers", { n: 2 })).toBe("2 watching");
    await setLanguage("he");
    expect(t("play.watchers", { n: 1 })).toBe("צופה אחד");
    await setLanguage("en");
  });

  it("keep names from being reordered in right-to-left text", async () => {
    await setLanguage("he");
    expect(t("end.wins", { name: "hard" })).toBe(`ניצחון: ${isolate("hard", true)}`);
    await setLanguage("en");
    expect(t("end.wins", { name: "hard" })).toBe("hard wins");
    expect(t("end.wins", { name: "דנה" })).toBe("\u2068דנה\u2069 wins");
  });
});

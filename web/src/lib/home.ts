// Where the app lives: the folder that the page's <base> leads to.
//
// Browsers read a relative <base> anew whenever the address changes, so it is made absolute before that can happen.

const base = document.querySelector("base");
if (base) base.href = new URL(base.getAttribute("href") ?? "", document.URL).href;

/** The path of the folder in which the app lives, with a slash at its end. */
export const HOME = base ? new URL(base.href).pathname : "/";

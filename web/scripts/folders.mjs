// Where `npm run build` works, and where the program takes the app from.
const folder = (path) => new URL(`../${path}/`, import.meta.url).pathname;

export const built = folder("node_modules/.build");
export const dist = folder("dist");

import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import imports from "eslint-plugin-simple-import-sort";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

export default defineConfig(
  { ignores: ["dist", "src/protocol/types.ts"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: {
        project: ["tsconfig.json", "tsconfig.node.json"],
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: [".svelte"],
      },
    },
    plugins: { imports },
    rules: {
      // Prettier wraps code; this finds comments that are too long. Texts stay in one piece.
      "max-len": ["error", { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_$", varsIgnorePattern: "^_$" }],
      // Maps and sets that a component follows are replaced as a whole, so they need no entries that notify.
      "svelte/prefer-svelte-reactivity": "off",
      // One statement per module, sorted: packages, then parents, then siblings.
      "no-duplicate-imports": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-import-type-side-effects": "error",
      "imports/imports": "error",
      "imports/exports": "error",
      // Relative imports name a file: `./zoom.svelte.ts` is a module, `./Minimap.svelte` a component.
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^\\.(?!.*\\.(ts|js|mjs|css|json|svelte)$)|/[a-z][^/]*\\.svelte$",
              caseSensitive: true,
              message: "Name the file with its extension.",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // To ESLint, what components export and what they pass to snippets and callbacks is `any`. svelte-check knows
    // these types.
    files: ["**/*.svelte", "**/*.svelte.test.ts", "src/studies/series.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  // Scripts for Node are not part of a TypeScript project.
  { files: ["**/*.js", "**/*.mjs"], extends: [ts.configs.disableTypeChecked] },
);

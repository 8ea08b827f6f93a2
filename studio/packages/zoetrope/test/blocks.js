// The blocks of the package's README: which are run, which are pages, what they print. Used by the two tests of it.
import { readFileSync } from "node:fs";

/** @returns {{kind: "run" | "page", code: string, output: string | null, line: number}[]} */
export function blocks() {
    const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const found = [];
    const pattern = /<!-- (run|page|output) -->\n```(\w+)\n([\s\S]*?)\n```/g;
    for (const [, kind, , code] of [...text.matchAll(pattern)]) {
        if (kind === "output") {
            found.at(-1).output = code;
        } else {
            found.push({ kind, code, output: null, line: text.slice(0, text.indexOf(code)).split("\n").length });
        }
    }
    return found;
}

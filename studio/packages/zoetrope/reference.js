// Writes the API reference, docs/zoetrope-js.md, from the hand-written types: `node reference.js`; with --check it only
// says whether the page is what the types say.
import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const target = new URL("../../../docs/zoetrope-js.md", import.meta.url);
const entries = [
    ["zoetrope", ["index.d.ts"]],
    ["zoetrope/element", ["element.d.ts"]],
    ["zoetrope/dom", ["waapi.d.ts", "pet-stage.d.ts"]],
];

const escaped = (text) => text.replace(/\s*\n\s*\*?\s*/g, " ").replaceAll("<", "\\<").trim();

// What stands in the comment before a declaration, as one paragraph.
function said(node, text) {
    const ranges = ts.getLeadingCommentRanges(text, node.pos) ?? [];
    const last = ranges.filter(({ pos, end }) => text.slice(pos, end).startsWith("/**")).at(-1);
    return last ? escaped(text.slice(last.pos + 3, last.end - 2).replace(/^\s*\*?\s?/, "")) : "";
}

function nameOf(node) {
    if (ts.isVariableStatement(node)) { return node.declarationList.declarations.map((d) => d.name.getText()).join(", "); }
    return node.name?.getText() ?? "";
}

const isExported = (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0 ||
    (ts.isVariableStatement(node) && node.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword));

// Functions first of all that one calls, then classes, then what they take and give.
const rank = (node) => ts.isFunctionDeclaration(node) || ts.isVariableStatement(node) ? 0 : ts.isClassDeclaration(node) ? 1 : 2;

function page() {
    const parts = [`# The npm package \`zoetrope\`: reference

Written from the package's types; [its README](../studio/packages/zoetrope/README.md) is the way in, and
[docs/web.md](web.md) says how it is built. Times are milliseconds on a player's clock unless a name says otherwise, angles
degrees; ids count from 1, and 0 is none.`];
    for (const [entry, files] of entries) {
        parts.push(`## \`${entry}\``);
        const found = [];
        for (const file of files) {
            const text = readFileSync(new URL(`src/${file}`, import.meta.url), "utf8");
            const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
            for (const node of source.statements) {
                if (isExported(node) && nameOf(node) !== "") { found.push({ node, text, name: nameOf(node) }); }
            }
        }
        found.sort((a, b) => rank(a.node) - rank(b.node));
        // Overloads share a heading.
        for (let i = 0; i < found.length; i++) {
            const { node, text, name } = found[i];
            const code = [node.getText().replace(/^export (declare )?/, "")];
            while (found[i + 1]?.name === name) { code.push(found[++i].node.getText().replace(/^export (declare )?/, "")); }
            const words = said(node, text);
            parts.push([`### ${name}`, words, `\`\`\`ts\n${code.join("\n")}\n\`\`\``].filter(Boolean).join("\n\n"));
        }
    }
    return `${parts.join("\n\n")}\n`;
}

const made = page();
if (process.argv.includes("--check")) {
    if (readFileSync(target, "utf8") !== made) {
        console.error("docs/zoetrope-js.md is not what the types say: run node studio/packages/zoetrope/reference.js");
        process.exitCode = 1;
    }
} else {
    writeFileSync(target, made);
}

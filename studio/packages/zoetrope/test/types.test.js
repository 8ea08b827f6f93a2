// The hand-written types name what is there: every export both ways, every method of every class.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import * as dom from "../dist/dom.js";
import * as main from "../dist/index.js";

for (const [name, exported] of [["index", main], ["dom", dom]]) {
    test(`types of ${name}`, () => {
        const file = fileURLToPath(new URL(`../dist/${name}.d.ts`, import.meta.url));
        const program = ts.createProgram([file], { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, types: [] });
        const checker = program.getTypeChecker();
        const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
            .map((s) => (s.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(s) : s);
        const values = symbols.filter((s) => (s.flags & ts.SymbolFlags.Value) !== 0);
        assert.deepEqual(values.map((s) => s.name).sort(), Object.keys(exported).sort());
        for (const symbol of values.filter((s) => (s.flags & ts.SymbolFlags.Class) !== 0)) {
            const made = exported[symbol.name];
            for (const [member, { flags }] of symbol.members ?? []) {
                if ((flags & ts.SymbolFlags.Method) !== 0) {
                    assert.equal(typeof made.prototype[member], "function", `${symbol.name}.${member}`);
                }
            }
            for (const [member, { flags }] of symbol.exports ?? []) {
                if ((flags & ts.SymbolFlags.Method) !== 0) { assert.equal(typeof made[member], "function", `${symbol.name}.${member}`); }
            }
            const declared = new Set([...(symbol.members ?? new Map()).keys()].map(String));
            for (const member of Object.getOwnPropertyNames(made.prototype)) {
                const internal = ["constructor", "handle", "channelIds", "readPose", "hold", "release", "entry", "imageOf", "want",
                    "commandsAt"];
                assert.ok(declared.has(member) || internal.includes(member), `${symbol.name}.${member} is not declared`);
            }
        }
    });
}

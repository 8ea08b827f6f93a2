// serve.mjs DEFINITION DATABASE COUNT: node's http and better-sqlite3, with so many definitions of that text in a table.
// Prints "listening on PORT"; GET /ID answers one as it stands in the table, looked up for each request.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import Database from "better-sqlite3";

const [definition, path, count] = process.argv.slice(2);
const text = readFileSync(definition);
const database = new Database(path);
database.pragma("journal_mode = WAL");
database.exec("CREATE TABLE item(id TEXT PRIMARY KEY, bytes BLOB NOT NULL, revision INTEGER NOT NULL)");
const insert = database.prepare("INSERT INTO item VALUES(?, ?, ?)");
database.transaction(() => {
    for (let i = 0; i < Number(count); i++) { insert.run(`user:a-${i}`, text, i + 1); }
})();
const find = database.prepare("SELECT bytes, revision FROM item WHERE id = ?");
const server = createServer((request, response) => {
    const row = find.get(decodeURIComponent(request.url.slice(1)));
    if (row === undefined) {
        response.writeHead(404);
        response.end();
        return;
    }
    response.writeHead(200, { "Content-Type": "application/json", ETag: `"${row.revision}"`, "Content-Length": row.bytes.length });
    response.end(row.bytes);
});
server.listen(0, "127.0.0.1", () => console.log(`listening on ${server.address().port}`));

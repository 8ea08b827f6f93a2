// A file server for the tests in a browser: the repository, or any folder, on 127.0.0.1 at a port that is free. It can
// be told to give wrong types, to be slow, and to note what it was asked for.
import { createServer } from "node:http";
import { readFile, stat } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url)); // of the repository

const TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".json": "application/json", ".png": "image/png", ".webp": "image/webp", ".svg": "image/svg+xml",
    ".wasm": "application/wasm", ".ktx2": "image/ktx2", ".md": "text/markdown; charset=utf-8", ".wav": "audio/wav",
};

/**
 * @param {{ root?: string, types?: Record<string, string>, delays?: Record<string, number>,
 *           pages?: Record<string, string> }} [options] types by ending, or by path; delays in ms by path; pages: HTML
 *           that is in no file, by path
 */
export async function serve({ root = ROOT, types = {}, delays = {}, pages = {} } = {}) {
    const asked = [];
    const server = createServer(async (request, response) => {
        const path = decodeURIComponent(new URL(request.url, "http://127.0.0.1").pathname);
        asked.push(path);
        const answer = (status, type, body) => {
            const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
            const headers = { "Content-Type": type, "Cache-Control": "no-store" };
            if (status === 200 && range && Number(range[1]) < body.length) {
                const [first, last] = [Number(range[1]), Math.min(Number(range[2]), body.length - 1)];
                headers["Content-Range"] = `bytes ${first}-${last}/${body.length}`;
                response.writeHead(206, headers);
                response.end(body.subarray(first, last + 1));
                return;
            }
            response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
            response.end(request.method === "HEAD" ? undefined : body);
        };
        if (delays[path] !== undefined) { await new Promise((done) => setTimeout(done, delays[path])); }
        if (pages[path] !== undefined) { answer(200, TYPES[".html"], pages[path]); return; }
        let file = normalize(join(root, path));
        if (!file.startsWith(normalize(root + sep).replace(/[\\/]+$/, sep))) { answer(403, "text/plain", "no"); return; }
        try {
            if ((await stat(file)).isDirectory()) { file = join(file, "index.html"); }
            const body = await readFile(file);
            const ending = extname(file);
            answer(200, types[path] ?? types[ending] ?? TYPES[ending] ?? "application/octet-stream", body);
        } catch {
            answer(404, "text/plain", `${path}: not found`);
        }
    });
    await new Promise((done, failed) => {
        server.once("error", failed);
        server.listen(0, "127.0.0.1", done);
    });
    return {
        url: `http://127.0.0.1:${server.address().port}`,
        asked, pages, delays,
        close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }),
    };
}

// By itself it is a server to look at the pages with: node serve.js [FOLDER]
if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const { url } = await serve({ root: process.argv[2] ?? ROOT });
    console.log(process.argv[2] ? url : `${url}/examples/web/`);
}

# tests/cli/packages.py FOLDER: good and bad pet packages, made from nothing, for tests/cli/package.sh. Prints a line for each:
# the file, the exit code of `zoetrope check`, and the ids of what must be said of it, and nothing else. Zips are written
# here byte by byte, because programs that write zips refuse to write wrong ones.
import hashlib, json, os, struct, sys, zlib

out = sys.argv[1]


def png(width, height, shade=90):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes([shade, y % 256, 200, 255]) * width for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Entry:
    def __init__(self, name, data, **how):
        self.name = name.encode() if isinstance(name, str) else name
        self.data, self.how = data, how


# As zip files are laid out; `how` says what is to be other than it should.
def archive(entries, count=None, comment=b"", cut=0, large=False, start=None):
    body, directory = b"", b""
    for e in entries:
        how = e.how
        method = how.get("method", 8 if how.get("deflate") else 0)
        packed = how.get("packed", e.data)
        if how.get("deflate"):
            deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
            packed = deflater.compress(e.data) + deflater.flush()
        crc = how.get("crc", zlib.crc32(e.data))
        size = how.get("size", len(e.data))
        flags = how.get("flags", 0)
        fields = struct.pack("<HHHHHIIIHH", 20, flags, method, 0, 33, crc, len(packed), size, len(e.name), 0)
        directory += (b"PK\1\2" + struct.pack("<H", 3 << 8 | 20) + fields +
                      struct.pack("<HHHII", 0, 0, 0, how.get("mode", 0o100644) << 16, len(body)) + e.name)
        body += b"PK\3\4" + fields + e.name + packed
    many = len(entries) if count is None else count
    begin = len(body) if start is None else start
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, many, many, len(directory), begin, len(comment)) + comment
    if large:
        end = (b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, 2 ** 40, 2 ** 40, len(directory), begin) +
               b"PK\6\7" + struct.pack("<IQI", 0, len(body) + len(directory), 1) + end)
    return (body + directory + end)[: len(body + directory + end) - cut]


def row(data, kind="png", mime="image/png", width=4, height=3, **other):
    sha = hashlib.sha256(data).hexdigest()
    made = {"id": sha[:16], "sha256": sha, "file": "assets/%s.%s" % (sha[:16], kind), "mimeType": mime,
            "width": width, "height": height}
    made.update(other)
    return made


PICTURE = png(4, 3)
ROW = row(PICTURE)
FLOAT = {"version": 1, "id": "user:float", "name": "Float", "kind": "ambient", "durationMs": 900,
         "repeat": {"mode": "loop"}, "tracks": [{"property": "bounce.y", "keyframes": [
             {"at": 0, "value": 0}, {"at": 0.5, "value": -6, "note": "kept"}, {"at": 1, "value": 0}]}], "mine": [1.50, None]}
HOP = {"version": 1, "id": "user:hop", "name": "Hop", "kind": "transition", "durationMs": 240, "repeat": {"mode": "once"},
       "tracks": [], "events": [{"at": 0.5, "type": "pose-swap"}]}


def pet(asset=ROW["id"], **states):
    return {"scale": 1, "poses": {"idle": {"assetId": asset, "anchor": {"x": 0.5, "y": 0.9}, "zoom": 1}}, "states": states}


def pack(*animations, **other):
    made = {"format": "motion-pack", "version": 1, "name": "Cat", "namespace": "mixed", "animations": list(animations)}
    made.update(other)
    return made


def manifest(**other):
    made = {"format": "pet-package", "version": 1, "name": "Cat", "pet": pet(), "assets": [ROW]}
    made.update(other)
    return {key: value for key, value in made.items() if value is not None}


def text(value):
    return json.dumps(value, ensure_ascii=False, indent=2).encode()


def usual(given=None, picture=PICTURE, name=None, **how):
    given = manifest() if given is None else given
    return [Entry("manifest.json", text(given), deflate=True), Entry(name or ROW["file"], picture, **how)]


def write(name, code, ids, data):
    with open(os.path.join(out, name + ".zip"), "wb") as file:
        file.write(data)
    print(name, code, *ids)


P = "petween/package-"
mounted = {"idle": {"enter": {"animationId": "user:hop"}, "ambient": {"customAnimationId": "user:float"}}}

# ---- Good ones ----
write("good", 0, [], archive(usual(manifest(
    pet=pet(**mounted), motionPack=pack(HOP, FLOAT, mounts={"idle": {"enter": "user:hop", "ambient": "user:float"}}),
    attribution={"character": "Cat", "creators": ["Ann"], "license": None, "more": 1},
    pluginConfigs={"bells": {"config": [1, {"volume": 1e1}], "animationIdRemap": {"user:hop": "user:hop-2"}}}))))
write("plain", 0, [], archive(usual()))
write("all-deflated", 0, [], archive(usual(deflate=True)))
write("comment", 0, [], archive(usual(), comment=b"hello"))
write("folder-entry", 0, [], archive([Entry("assets/", b"", mode=0o40755)] + usual()))
write("no-file-member", 0, [], archive(usual(manifest(
    assets=[{key: value for key, value in ROW.items() if key != "file"}]))))
write("no-pictures", 0, [], archive([Entry("manifest.json", text(manifest(pet={}, assets=[])))]))
write("mounts-only", 0, [], archive(usual(manifest(motionPack=pack(
    HOP, FLOAT, mounts={"idle": {"enter": "user:hop", "ambient": "user:float"}})))))
write("sixty-four", 0, ["package/extra"] * 62, archive(usual() + [Entry("assets/%016x.png" % i, b"") for i in range(62)]))
write("extra", 0, ["package/extra"], archive(usual() + [Entry("assets/00000000000000ff.jpg", b"x")]))
write("unused", 0, [P + "asset-unused"], archive(usual(manifest(pet={}))))

# ---- The archive ----
write("cut-off", 1, ["package/archive"], archive(usual(), cut=10))
write("head-only", 1, ["package/archive"], b"PK\3\4")
write("zip64", 1, ["package/archive"], archive(usual(), large=True))
write("directory-elsewhere", 1, ["package/archive"], archive(usual(), start=2 ** 31))
write("sixty-five", 1, ["package/entries"], archive(usual() + [Entry("assets/%016x.png" % i, b"") for i in range(63)]))
write("claims-many", 1, ["package/entries"], archive(usual(), count=65535))
write("no-manifest", 1, ["package/manifest"], archive(usual()[1:]))
write("manifest-in-folder", 1, ["package/path", "package/manifest"], archive(
    [Entry("cat/manifest.json", text(manifest()))] + usual()[1:]))
write("manifest-case", 1, ["package/path", "package/manifest"], archive(
    [Entry("Manifest.json", text(manifest()))] + usual()[1:]))
for label, name, rule in [
        ("absolute", "/assets/x.png", "unsafe-path"), ("dots", "../../x.png", "unsafe-path"),
        ("dots-inside", "assets/../../x.png", "unsafe-path"), ("dot", "./manifest.json", "unsafe-path"),
        ("backslash", "assets\\x.png", "unsafe-path"), ("drive", "C:x.png", "unsafe-path"),
        ("line-end", "assets/x\n.png", "unsafe-path"), ("empty-name", "", "unsafe-path"),
        ("zero", b"manifest.json\0.png", "unsafe-path"), ("upper-case", ROW["file"].upper(), "path"),
        ("upper-hex", "assets/%s.png" % ROW["id"].upper(), "path"), ("deep", "assets/a/" + ROW["id"] + ".png", "path"),
        ("svg", "assets/%s.svg" % ROW["id"], "path"), ("notes", "notes.txt", "path"), ("folder", "other/", "path"),
        ("not-utf8", b"assets/\xff\xfe.png", "path"), ("escape", "assets/\x1b[2J.png", "unsafe-path")]:
    write("name-" + label, 1, ["package/" + rule], archive(usual() + [Entry(name, b"x" if label != "folder" else b"")]))
write("twice", 1, ["package/twice"], archive(usual() + usual()[1:]))
write("manifest-twice", 1, ["package/twice", "package/manifest"], archive(usual() + usual()[:1]))
write("encrypted", 1, ["package/encrypted"], archive(usual(flags=1)))
write("encrypted-manifest", 1, ["package/encrypted", "package/manifest"], archive(
    [Entry("manifest.json", text(manifest()), flags=1)] + usual()[1:]))
write("link", 1, ["package/link"], archive(usual(mode=0o120777)))
write("device", 1, ["package/link"], archive(usual(mode=0o20666)))
write("method", 1, ["package/method"], archive(usual(method=14)))
write("bad-crc", 1, ["package/checksum"], archive(usual(crc=1)))
write("bad-deflate", 1, ["package/checksum"], archive(usual(method=8, packed=b"\xff" * 40)))
write("large-file", 1, ["package/file-size"], archive(usual(size=12 * 2 ** 20 + 1)))
write("four-gb", 1, ["package/total-size", "package/file-size"], archive(usual(size=2 ** 32 - 2)))
write("large-total", 1, ["package/total-size"], archive(
    usual() + [Entry("assets/%016x.png" % i, b"", size=12 * 2 ** 20) for i in range(5)]))
bomb = bytes(11 * 2 ** 20)
write("bomb", 1, ["package/false-size"], archive(usual(picture=bomb, deflate=True, size=100)))
write("claims-more", 1, ["package/false-size"], archive(usual(deflate=True, size=len(PICTURE) + 1)))

# ---- What the manifest says of the archive ----
other = png(4, 3, 17)
write("missing", 1, ["package/missing"], archive(usual()[:1]))
write("wrong-ending", 1, ["package/extra", "package/missing"], archive(usual(name="assets/%s.webp" % ROW["id"])))
write("exchanged", 1, ["package/hash"], archive(usual(picture=other)))
write("type", 1, ["package/type"], archive(usual(manifest(assets=[row(
    PICTURE, "webp", "image/webp")]), name="assets/%s.webp" % ROW["id"])))
svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
write("svg-inside", 1, ["package/type"], archive(usual(manifest(pet=pet(row(svg)["id"]), assets=[row(svg)]), svg, row(svg)["file"])))
write("width", 1, ["package/dimensions"], archive(usual(manifest(assets=[dict(ROW, width=5)]))))
write("height", 1, ["package/dimensions"], archive(usual(manifest(assets=[dict(ROW, height=4)]))))
write("size-bytes", 1, ["package/bytes"], archive(usual(manifest(assets=[dict(ROW, sizeBytes=1)]))))
wide = png(4097, 1)
write("wide", 1, [P + "asset", "package/side"], archive(usual(
    manifest(pet=pet(row(wide)["id"]), assets=[row(wide, width=4097, height=1)]), wide, row(wide)["file"])))

# ---- The manifest ----
write("no-json", 1, ["json/word"], archive([Entry("manifest.json", b"hello")] + usual()[1:]))
write("no-json-and-path", 1, ["package/path", "json/empty"], archive([Entry("manifest.json", b""), Entry("x", b"")] + usual()[1:]))
write("format", 1, [P + "format"], archive(usual(manifest(format="motion-pack"))))
write("version", 1, [P + "version"], archive(usual(manifest(version="1"))))
write("newer", 1, [P + "version-newer"], archive(usual(manifest(version=2))))
write("name", 1, [P + "name"], archive(usual(manifest(name=" "))))
write("no-pet", 1, [P + "pet"], archive(usual(manifest(pet=None))))
write("no-assets", 1, [P + "picture", P + "assets"], archive(usual(manifest(assets=None))[:1]))
write("asset-id", 1, [P + "picture", P + "asset-id", P + "asset-unused", "package/missing", "package/extra"], archive(usual(
    manifest(assets=[dict(ROW, id="f" * 16, file="assets/%s.png" % ("f" * 16))]))))
write("asset-twice", 1, [P + "asset-twice"], archive(usual(manifest(assets=[ROW, ROW]))))
write("not-inside", 1, [P + "picture"], archive(usual(manifest(pet=dict(pet(), poses={
    "idle": {"assetId": ROW["id"]}, "error": {"assetId": "cafe"}})))))
write("no-animation", 1, [P + "animation"] * 2, archive(usual(manifest(pet=pet(**mounted)))))
write("wrong-kind", 1, [P + "animation"] * 2, archive(usual(manifest(
    pet=pet(**mounted), motionPack=pack(dict(HOP, id="user:float"), dict(FLOAT, id="user:hop"))))))
write("pack-faults", 1, ["petween/durationMs", "petween/pack-enter"], archive(usual(manifest(
    motionPack=pack(dict(HOP, durationMs=0), mounts={"idle": {"enter": "user:hop"}})))))
write("attribution", 1, [P + "attribution"], archive(usual(manifest(attribution=[]))))
write("plugins", 1, [P + "plugins"], archive(usual(manifest(pluginConfigs={"Bells": {"config": 1}}))))
write("all-at-once", 1, ["package/path", "package/encrypted", P + "version", P + "name", "petween/pet-field"], archive(
    usual(manifest(version=0, name="", pet=dict(pet(), scale=9)), flags=1) + [Entry("x", b"")]))

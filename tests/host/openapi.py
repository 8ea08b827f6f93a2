"""host/openapi.json, held against itself and against what a server answers. Used by tests/host/api.py.

Description(path).faults() says what is wrong with the file; answered(...) judges one answer; left() says what of the file
no answer has shown.
"""
import json
import re

METHODS = ("get", "put", "post", "delete", "patch")
# What every path may answer without saying so.
COMMON = {400, 401, 405, 414, 421, 431, 500, 501}


class Description:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.doc = json.loads(text, object_pairs_hook=self.once)
        self.seen = {}  # (path, method, status) -> how often
        self.shown = set()  # (path, method, parameter) that were given

    @staticmethod
    def once(pairs):
        names = [name for name, _ in pairs]
        if len(names) != len(set(names)):
            raise ValueError("a member stands twice: %s" % names)
        return dict(pairs)

    def resolve(self, node):
        while isinstance(node, dict) and "$ref" in node:
            at = self.doc
            for part in node["$ref"][2:].split("/"):
                at = at[part]
            node = at
        return node

    def operations(self):
        for path, methods in self.doc["paths"].items():
            for method, operation in methods.items():
                yield path, method, operation

    # ---- The file by itself ----

    def faults(self):
        doc, faults = self.doc, []

        def check(right, what):
            if not right:
                faults.append(what)
        check(re.fullmatch(r"3\.1\.\d+", doc["openapi"]), "openapi is %s" % doc["openapi"])
        check(set(doc) <= {"openapi", "info", "servers", "security", "tags", "paths", "components"}, "members of the whole")
        check({"title", "version"} <= set(doc["info"]), "info")
        check(list(doc["paths"]) == sorted(doc["paths"]), "the paths are not in the order of their names")
        for kind, members in doc["components"].items():
            check(list(members) == sorted(members), "components/%s are not in the order of their names" % kind)
            for name in members:
                check(re.fullmatch(r"[A-Za-z0-9._-]+", name), "name of a component: " + name)
        refs = set()

        def walk(node, where):
            if isinstance(node, dict):
                if "$ref" in node:
                    check(len(node) == 1, "%s: $ref is not alone" % where)
                    try:
                        self.resolve(node)
                    except KeyError:
                        check(False, "%s: nothing is at %s" % (where, node["$ref"]))
                    refs.add(node["$ref"])
                for name, value in node.items():
                    walk(value, where + "/" + name)
            elif isinstance(node, list):
                for index, value in enumerate(node):
                    walk(value, "%s/%d" % (where, index))
        walk(doc, "")
        for kind, members in doc["components"].items():
            for name in members:
                used = "#/components/%s/%s" % (kind, name) in refs or kind == "securitySchemes" or self.in_text(name)
                check(used, "components/%s/%s is used by nothing" % (kind, name))
        names, tags = [], {tag["name"] for tag in doc["tags"]}
        for path, method, operation in self.operations():
            where = "%s %s" % (method, path)
            check(path.startswith("/") and method in METHODS, where)
            check({"operationId", "tags", "summary", "responses"} <= set(operation), where + " lacks members")
            check(set(operation) <= {"operationId", "tags", "summary", "description", "parameters", "requestBody",
                                     "responses", "security"}, where + " has other members")
            check(set(operation["tags"]) <= tags, where + ": unknown tag")
            names.append(operation["operationId"])
            parameters = [self.resolve(one) for one in operation.get("parameters", [])]
            keys = [(one["in"], one["name"]) for one in parameters]
            check(len(keys) == len(set(keys)), where + ": a parameter stands twice")
            check({name for kind, name in keys if kind == "path"} == set(re.findall(r"\{(\w+)\}", path)),
                  where + ": parameters of the path")
            for one in parameters:
                check({"name", "in", "schema", "description"} <= set(one) <= {"name", "in", "schema", "description",
                                                                             "required"}, where + ": " + one["name"])
                check(one["in"] in ("path", "query", "header"), where + ": " + one["name"])
                check(one["in"] != "path" or one.get("required") is True, where + ": %s is needed" % one["name"])
                self.check_schema(one["schema"], where + ": " + one["name"], check)
            if "requestBody" in operation:
                check(method != "get" and method != "delete" and operation["requestBody"]["content"], where + ": body")
            check(any(code[0] == "2" for code in operation["responses"]), where + " never goes well")
            for code, answer in operation["responses"].items():
                answer = self.resolve(answer)
                check(re.fullmatch(r"[1-5]\d\d|default", code), where + ": status " + code)
                check("description" in answer, where + ": %s is not described" % code)
                check(set(answer) <= {"description", "headers", "content"}, where + ": members of " + code)
                for content in answer.get("content", {}).values():
                    self.check_schema(content.get("schema", {}), where + ": " + code, check)
        check(len(names) == len(set(names)), "two operations have one id")
        for name, schema in doc["components"]["schemas"].items():
            self.check_schema(schema, name, check)
        return faults

    def in_text(self, name):  # of what is only sent in a stream
        return any("(%s)" % name in json.dumps(operation) for _, _, operation in self.operations())

    KEYS = {"$ref", "type", "enum", "const", "required", "properties", "items", "pattern", "minimum", "maximum",
            "maxLength", "format", "description", "default", "additionalProperties"}

    def check_schema(self, schema, where, check):
        check(isinstance(schema, dict) and set(schema) <= self.KEYS, "%s: a schema with %s" % (where, set(schema) - self.KEYS))
        types = schema.get("type", [])
        for one in [types] if isinstance(types, str) else types:
            check(one in ("string", "integer", "number", "boolean", "array", "object", "null"), "%s: type %s" % (where, one))
        check(set(schema.get("required", [])) <= set(schema.get("properties", {})), where + ": required and unknown")
        if "pattern" in schema:
            re.compile(schema["pattern"])
        for one in schema.get("properties", {}).values():
            self.check_schema(one, where, check)
        if "items" in schema:
            self.check_schema(schema["items"], where, check)
        if "default" in schema:
            for fault in self.judge(schema["default"], schema):
                check(False, "%s: its default: %s" % (where, fault))

    # ---- A value against a schema; what a schema does not name is a fault ----

    def judge(self, value, schema, where="$"):
        schema = self.resolve(schema)
        types = schema.get("type")
        names = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}

        def is_of(one):
            if one in ("integer", "number"):
                whole = not isinstance(value, float) or value == int(value)
                return isinstance(value, (int, float)) and not isinstance(value, bool) and (one == "number" or whole)
            return isinstance(value, names[one])
        if types is not None and not any(is_of(one) for one in ([types] if isinstance(types, str) else types)):
            yield "%s is no %s: %r" % (where, types, value)
            return
        if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
            yield "%s is not allowed to be %r" % (where, value)
        if isinstance(value, str):
            if "pattern" in schema and not re.search(schema["pattern"], value):
                yield "%s does not fit its pattern: %r" % (where, value)
            if len(value) > schema.get("maxLength", len(value)):
                yield "%s is too long" % where
            if schema.get("format") == "date-time" and not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value):
                yield "%s is no time: %r" % (where, value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if value < schema.get("minimum", value) or value > schema.get("maximum", value):
                yield "%s is out of bounds: %r" % (where, value)
        if isinstance(value, list) and "items" in schema:
            for index, one in enumerate(value):
                yield from self.judge(one, schema["items"], "%s[%d]" % (where, index))
        if isinstance(value, dict) and "properties" in schema:
            for name in schema.get("required", []):
                if name not in value:
                    yield "%s lacks %s" % (where, name)
            for name, one in value.items():
                if name in schema["properties"]:
                    yield from self.judge(one, schema["properties"][name], "%s.%s" % (where, name))
                else:
                    yield "%s.%s is described nowhere" % (where, name)

    # ---- Answers ----

    def find(self, method, target):
        """The path of the file that the target is one of, words before parameters; of those with slashes the last."""
        parts = target.split("?")[0].strip("/").split("/")
        best = None
        for path, methods in self.doc["paths"].items():
            shape = path.strip("/").split("/")
            rest = path.startswith(("/api/v1/schemas/", "/api/v1/{area}/{id}/files/", "/api/v1/{area}/{id}/pictures/"))
            if len(parts) != len(shape) and not (rest and len(parts) > len(shape)):
                continue
            if all(a == b or b.startswith("{") for a, b in zip(parts, shape)):
                rank = [b.startswith("{") for b in shape]
                if best is None or rank < best[0]:
                    best = (rank, path, methods)
        return (best[1], best[2].get(method.lower())) if best else (None, None)

    def answered(self, method, target, sent, status, headers, body):
        """What is wrong with an answer; header names in small letters."""
        where = "%s %s: %d" % (method, target, status)
        path, operation = self.find("GET" if method == "HEAD" else method, target)
        if operation is None:
            if status not in (404, 405, 400, 401):
                yield where + " is described nowhere"
            return
        key = (path, method.lower(), str(status))
        self.seen[key] = self.seen.get(key, 0) + 1
        given = [part.split("=")[0] for part in target.partition("?")[2].split("&") if part]
        known = {self.resolve(one)["name"] for one in operation.get("parameters", [])}
        for name in given + [name for name in sent if name in ("If-Match", "If-None-Match") and method != "GET"]:
            self.shown.add((path, method.lower(), name))
            if name not in known and status < 400:
                yield "%s: the parameter %s is described nowhere" % (where, name)
        answer = operation["responses"].get(str(status))
        if answer is None:
            if status not in COMMON:
                yield where + " is a status that is described nowhere"
            answer = operation["responses"]["default"]
        answer = self.resolve(answer)
        for name, header in answer.get("headers", {}).items():
            value = headers.get(name.lower())
            if value is None:
                yield "%s lacks the header %s" % (where, name)
            else:
                for fault in self.judge(value, self.resolve(header)["schema"], name):
                    yield "%s: %s" % (where, fault)
        if method == "GET" and status == 200 and "etag" not in headers and "event-stream" not in headers["content-type"] \
                and path not in ("/healthz", "/metrics"):
            yield where + " lacks an ETag"
        if "etag" in headers and status in (200, 201) and "ETag" not in answer.get("headers", {}):
            yield where + ": its ETag is described nowhere"
        if status in (204, 304) or method == "HEAD":
            if body:
                yield where + " has a body"
            return
        kind = headers["content-type"].split(";")[0]
        content = answer.get("content", {}).get(kind)
        if content is None:
            yield "%s: %s is described nowhere" % (where, kind)
        elif kind.endswith("json"):
            for fault in self.judge(json.loads(body), content.get("schema", {})):
                yield "%s: %s" % (where, fault)

    def left(self, hard):
        """Statuses and parameters that no answer has shown, but for the statuses that are hard to bring about."""
        for path, method, operation in self.operations():
            for code in operation["responses"]:
                if code != "default" and code not in hard and (path, method, code) not in self.seen:
                    yield "%s %s never answered %s" % (method, path, code)
            for one in operation.get("parameters", []):
                one = self.resolve(one)
                if one["in"] != "path" and (path, method, one["name"]) not in self.shown:
                    yield "%s %s was never given %s" % (method, path, one["name"])

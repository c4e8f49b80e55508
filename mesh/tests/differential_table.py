"""The configuration in which hone-mesh and Envoy are compared, and the requests.

Each part of a route says itself in both languages, so that the two configurations cannot drift apart.
"""

from dataclasses import dataclass, field

CLUSTERS = ("one", "two", "dead")


def typed(name, **rest):
    return {"@type": f"type.googleapis.com/envoy.{name}", **rest}


def text_match(exact=None, prefix=None, suffix=None, regex=None):
    """Returns a condition on a text as (hone-mesh, Envoy)."""
    for key, value in (("exact", exact), ("prefix", prefix), ("suffix", suffix)):
        if value is not None:
            return {key: value}, {key: value}
    return {"regex": regex}, {"safe_regex": {"regex": regex}}


def header(name, absent=False, **match):
    ours, theirs = text_match(**match) if match else ({}, None)
    condition = {"string_match": theirs} if theirs else {"present_match": True}
    return {"name": name, **ours, **({"absent": "true"} if absent else {})}, {"name": name, **condition, **({"invert_match": True} if absent else {})}


def parameter(name, **match):
    ours, theirs = text_match(**match) if match else ({}, None)
    return {"name": name, **ours}, {"name": name, **({"string_match": theirs} if theirs else {"present_match": True})}


class Route:
    """A route in both languages."""

    def __init__(self, path=None, prefix=None, regex=None, methods=(), headers=(), query=()):
        match, theirs = {}, {"headers": [], "query_parameters": []}
        if path:
            match["path"] = theirs["path"] = path
        elif regex:
            match["regex"], theirs["safe_regex"] = regex, {"regex": regex}
        elif prefix and prefix != "/":
            match["prefix"] = theirs["path_separated_prefix"] = prefix
        else:
            match["prefix"] = theirs["prefix"] = "/"
        if methods:
            match["methods"] = list(methods)
            theirs["headers"].append({"name": ":method", "string_match": {"safe_regex": {"regex": "|".join(methods)}}})
        if headers:
            match["headers"] = [ours for ours, _ in headers]
            theirs["headers"] += [one for _, one in headers]
        if query:
            match["query"] = [ours for ours, _ in query]
            theirs["query_parameters"] += [one for _, one in query]
        self.hone, self.envoy = {"match": match, "filters": []}, {"match": theirs, "typed_per_filter_config": {}}

    def to(self, cluster, prefix=None, host=None, timeout_ms=None, attempts=None, statuses=()):
        self.hone["to"], self.envoy["route"] = cluster, {"cluster": cluster}
        action = self.envoy["route"]
        rewrite = {}
        if prefix is not None:
            rewrite["prefix"] = action["prefix_rewrite"] = prefix
        if host:
            rewrite["host"] = action["host_rewrite_literal"] = host
        if rewrite:
            self.hone["rewrite"] = rewrite
        if timeout_ms:
            self.hone["timeout"], action["timeout"] = f"{timeout_ms}ms", f"{timeout_ms / 1000}s"
        if attempts is not None:
            self.hone["retry"] = {"attempts": attempts, "on": ["connect-failure", "reset"], "statuses": list(statuses)}
            action["retry_policy"] = {"retry_on": "connect-failure,reset,retriable-status-codes", "num_retries": attempts, "retriable_status_codes": list(statuses)}
        return self

    def redirect(self, status=301, **parts):
        codes = {301: "MOVED_PERMANENTLY", 302: "FOUND", 303: "SEE_OTHER", 307: "TEMPORARY_REDIRECT", 308: "PERMANENT_REDIRECT"}
        names = {"scheme": "scheme_redirect", "host": "host_redirect", "path": "path_redirect", "prefix": "prefix_rewrite"}
        self.hone["redirect"] = {"status": status, **parts}
        self.envoy["redirect"] = {"response_code": codes[status], **{names[key]: value for key, value in parts.items()}}
        return self

    def reply(self, status, body=""):
        self.hone["reply"] = {"status": status, "body": body}
        self.envoy["direct_response"] = {"status": status, **({"body": {"inline_string": body}} if body else {})}
        return self

    def filtered(self, name, ours, theirs):
        self.hone["filters"].append(ours)
        self.envoy["typed_per_filter_config"][f"envoy.filters.http.{name}"] = theirs
        return self

    def cors(self, origins, methods="GET, POST", headers="x-token", max_age=600, credentials=True, expose="x-total"):
        matches = [text_match(**one) for one in origins]
        ours = {"origins": [one for one, _ in matches], "methods": methods.split(", "), "headers": headers.split(", "), "max_age": f"{max_age}s",
                "credentials": "true" if credentials else "false", "expose": expose.split(", ")}
        theirs = typed("extensions.filters.http.cors.v3.CorsPolicy", allow_origin_string_match=[one for _, one in matches], allow_methods=methods,
                       allow_headers=headers, max_age=str(max_age), allow_credentials=credentials, expose_headers=expose)
        return self.filtered("cors", {"cors": ours}, theirs)

    def access(self, deny=(), allow=()):
        """Rules of (permissions, principals), each a part of both languages, as `by` makes them."""
        action, rules = ("DENY", deny) if deny else ("ALLOW", allow)
        policies = {f"rule{at}": theirs for at, (_, theirs) in enumerate(rules)}
        ours = {action.lower(): [one for one, _ in rules]}
        theirs = typed("extensions.filters.http.rbac.v3.RBACPerRoute", rbac={"rules": {"action": action, "policies": policies}})
        return self.filtered("rbac", {"access": ours}, theirs)

    def limited(self, requests):
        theirs = typed("extensions.filters.http.local_ratelimit.v3.LocalRateLimit", stat_prefix="limit",
                       token_bucket={"max_tokens": requests, "tokens_per_fill": requests, "fill_interval": "3600s"},
                       filter_enabled={"default_value": {"numerator": 100}}, filter_enforced={"default_value": {"numerator": 100}})
        return self.filtered("local_ratelimit", {"rate_limit": {"requests": requests, "per": "60m"}}, theirs)

    def failing(self, status):
        theirs = typed("extensions.filters.http.fault.v3.HTTPFault", abort={"http_status": status, "percentage": {"numerator": 100}})
        return self.filtered("fault", {"fault": {"abort": {"percent": 100, "status": status}}}, theirs)

    def changed(self, **changes):
        """Changes of request_set, request_add, request_remove and the same of response."""
        ours = {}
        for key, value in changes.items():
            side, what = key.split("_")
            ours.setdefault(side, {})[what] = value
            if what == "remove":
                self.envoy[f"{side}_headers_to_remove"] = value
            else:
                action = "OVERWRITE_IF_EXISTS_OR_ADD" if what == "set" else "APPEND_IF_EXISTS_OR_ADD"
                self.envoy.setdefault(f"{side}_headers_to_add", []).extend({"header": {"key": name, "value": text}, "append_action": action} for name, text in value.items())
        self.hone["filters"].append({"headers": ours})
        return self


def by(methods=(), prefix=None, headers=(), clients=()):
    """Returns a rule of access in both languages."""
    match, permissions, principals = {}, [], []
    if methods:
        match["methods"] = list(methods)
        permissions.append({"header": {"name": ":method", "string_match": {"safe_regex": {"regex": "|".join(methods)}}}})
    if prefix:
        match["prefix"] = prefix
        permissions.append({"url_path": {"path": {"safe_regex": {"regex": f"{prefix}(/.*)?"}}}})
    if headers:
        match["headers"] = [ours for ours, _ in headers]
        permissions += [{"header": theirs} for _, theirs in headers]
    for one in clients:
        address, length = one.split("/")
        principals.append({"direct_remote_ip": {"address_prefix": address, "prefix_len": int(length)}})
    ours = {"match": match, **({"clients": list(clients)} if clients else {})}
    theirs = {"permissions": [{"and_rules": {"rules": permissions}} if permissions else {"any": True}],
              "principals": [{"or_ids": {"ids": principals}} if principals else {"any": True}]}
    return ours, theirs


PATHS = [
    Route(path="/exact").to("two"),
    Route(prefix="/prefix").to("two"),
    Route(regex="/regex/[0-9]+(/[a-z]*)?").to("two"),
    Route(prefix="/methods", methods=["PUT", "DELETE"]).to("two"),
    Route(prefix="/methods", methods=["GET"]).reply(418, "teapot\n"),
    Route(prefix="/headers", headers=[header("x-exact", exact="a")]).reply(299),
    Route(prefix="/headers", headers=[header("x-prefix", prefix="ab")]).reply(202),
    Route(prefix="/headers", headers=[header("x-suffix", suffix="yz")]).reply(203),
    Route(prefix="/headers", headers=[header("x-regex", regex="[0-9]+")]).reply(207),
    Route(prefix="/headers", headers=[header("x-present")]).reply(208),
    Route(prefix="/headers", headers=[header("x-absent", absent=True)]).reply(226),
    Route(prefix="/query", query=[parameter("a", exact="1")]).reply(299),
    Route(prefix="/query", query=[parameter("b")]).reply(202),
    Route(prefix="/query", query=[parameter("c", regex="[a-c]+")]).reply(203),
    Route(prefix="/rewrite", headers=[header("x-plain", absent=True)]).to("two", prefix="/new"),
    Route(prefix="/tohost").to("two", host="inner.example"),
    Route(path="/moved/path").redirect(301, path="/elsewhere"),
    Route(prefix="/moved/prefix").redirect(302, prefix="/there"),
    Route(prefix="/moved/host").redirect(303, host="other.example"),
    Route(prefix="/moved/scheme").redirect(307, scheme="https"),
    Route(prefix="/moved/all").redirect(308, scheme="https", host="other.example", prefix="/new"),
    Route(path="/reply/empty").reply(204),
    Route(path="/reply/text").reply(200, "hello\n"),
    Route(path="/reply/error").reply(500, "no\n"),
    Route(path="/dead").to("dead"),
    Route(path="/dead/again").to("dead", attempts=2),
    Route(path="/silent").to("one", timeout_ms=150),
    Route(path="/again").to("one", attempts=2, statuses=[503]),
    Route(prefix="/cors/exact").cors([{"exact": "https://a.example"}]).to("one"),
    Route(prefix="/cors/suffix").cors([{"suffix": ".a.example"}, {"regex": "https://b[0-9]\\.example"}], credentials=False).to("one"),
    Route(prefix="/deny").access(deny=[by(prefix="/deny/admin"), by(methods=["DELETE"]), by(headers=[header("x-bad", exact="1")])]).to("one"),
    Route(prefix="/allow").access(allow=[by(methods=["GET"], clients=["127.0.0.0/8"]), by(headers=[header("x-team", prefix="shop")])]).to("one"),
    Route(prefix="/nobody").access(allow=[by(clients=["10.0.0.0/8"])]).to("one"),
    Route(path="/limited").limited(3).to("one"),
    Route(path="/limited/other").limited(2).reply(200),
    Route(path="/fail").failing(503).to("one"),
    Route(path="/fail/418").failing(418).to("one"),
    Route(prefix="/changed").changed(request_remove=["x-gone"], request_set={"x-set": "new"}, request_add={"x-added": "more"},
                                     response_remove=["x-endpoint-not-there"], response_set={"x-proxy": "1"}).to("one"),
    Route(prefix="/hidden").changed(response_set={"x-endpoint": "hidden"}, response_add={"x-more": "2"}).to("one"),
]
HOSTS = [
    (["a.example"], [Route(prefix="/").reply(299)]),
    (["*.wild.example"], [Route(path="/one").to("one"), Route(prefix="/").reply(202)]),
    (["deep.wild.example"], [Route(prefix="/").reply(203)]),
    (["*"], PATHS + [Route(prefix="/", headers=[header("x-nowhere", absent=True)]).to("one")]),
]


@dataclass
class Request:
    name: str
    path: str
    method: str = "GET"
    host: str = "shop"
    fields: list = field(default_factory=list)
    body: str = ""
    compares_body: bool = False


def requests():
    all_requests = []

    def add(path, method="GET", host="shop", fields=(), body="", name=None, compares_body=False):
        fields = list(fields)
        if body:
            fields.append(("Content-Length", str(len(body))))
        given = name or " ".join([method, *([host] if host != "shop" else []), path, *(f"{key}={value}" for key, value in fields)])
        all_requests.append(Request(given, path, method, host, fields, body, compares_body))

    for path in ("/", "/other", "/exact", "/exact/", "/exact?a=b", "/Exact", "/exact%20", "/%65xact", "/prefix", "/prefix/", "/prefix/a/b", "/prefixes", "/prefix?x", "/prefix%2Fa",
                 "/regex/1", "/regex/12/ab", "/regex/", "/regex/1/AB", "/regex/1?q", "/regexes/1", "/a/./b", "/a/../exact", "/a/%2e%2e/exact", "/../exact", "/exact/..", "/exact/.",
                 "/prefix/../exact", "/prefix/..", "/a//b", "//exact", "/a;b", "/a;b=c/d", "/~user", "/a,b", "/a:b", "/a@b", "/a=b", "/!$&'()*+", "/a%2Fb", "/a%2fb", "/%41", "/a?b?c",
                 "/a?b=%2F..%2F", "/a?/../b", "/?", "/a?", "/%C3%A4", "/prefix/%2e", "/a/b/../../exact", "/a/.../b"):
        add(path)
    for method in ("GET", "PUT", "DELETE", "POST", "HEAD", "OPTIONS", "PATCH"):
        add("/methods", method)
        add("/methods/x", method, body="body" if method in ("PUT", "POST", "PATCH") else "")
    for fields in ([("x-exact", "a")], [("x-exact", "b")], [("X-Exact", "a")], [("x-exact", "A")], [("x-prefix", "abc")], [("x-prefix", "a")], [("x-suffix", "xyz")], [("x-suffix", "yzx")],
                   [("x-regex", "123")], [("x-regex", "12a")], [("x-present", "1")], [("x-present", "")], [("x-absent", "1")], [("x-absent", "1"), ("x-exact", "a")],
                   [("x-exact", "b"), ("x-prefix", "ab")], [("x-suffix", "yz"), ("x-prefix", "ab")], [("x-absent", "1"), ("x-regex", "7")], []):
        add("/headers", fields=fields)
    for query in ("a=1", "a=2", "a", "b", "b=", "b=1", "c=abc", "c=abd", "x&a=1", "a=2&b", "A=1", "a=1&a=2", "a=2&a=1", "", "ab=1", "c=a%62c"):
        add(f"/query?{query}")
    for path in ("/rewrite", "/rewrite/", "/rewrite/a?b", "/rewrite?b", "/rewrites", "/tohost", "/tohost/a?b"):
        add(path)
    for path in ("/moved/path", "/moved/path?a=b", "/moved/prefix", "/moved/prefix/a?b", "/moved/host/a?b", "/moved/scheme?a", "/moved/all/x?y"):
        for method in ("GET", "POST"):
            add(path, method)
    add("/moved/host", host="shop:8080")
    add("/moved/scheme", host="shop:8080")
    for path in ("/reply/empty", "/reply/text", "/reply/error"):
        add(path, compares_body=True)
        add(path, "HEAD")
        add(path, "POST", body="ignored", compares_body=True)
    for host in ("a.example", "A.Example", "a.example:80", "b.a.example", "x.wild.example", "y.x.wild.example", "wild.example", "deep.wild.example", "DEEP.wild.example:1"):
        add("/", host=host)
        add("/one", host=host)
    for path in ("/dead", "/dead/again"):
        add(path)
        add(path, "POST", body="body")
    add("/silent", fields=[("x-answer", "none")])
    for status in ("200", "404", "500", "503"):
        add("/again", fields=[("x-answer", status)])
        add("/other", fields=[("x-answer", status)])
    for origin in ("https://a.example", "https://b.example", "null", "https://x.a.example", "https://b1.example", "https://b1.example.evil"):
        for path in ("/cors/exact", "/cors/suffix"):
            add(path, fields=[("Origin", origin)])
            add(path, "OPTIONS", fields=[("Origin", origin), ("Access-Control-Request-Method", "PUT")])
    add("/cors/exact", "OPTIONS", fields=[("Origin", "https://a.example")])
    add("/cors/exact")
    for path in ("/deny", "/deny/a", "/deny/admin", "/deny/admin/x", "/deny/admins", "/deny/a/../admin", "/deny/%61dmin", "/deny//admin", "/deny/admin;a=b"):
        add(path)
    add("/deny", "DELETE")
    add("/deny", fields=[("x-bad", "1")])
    add("/deny", fields=[("x-bad", "2")])
    for method in ("GET", "POST"):
        add("/allow", method)
        add("/allow/a", method, fields=[("x-team", "shop-a")])
        add("/nobody", method)
    for at in range(5):
        add("/limited", name=f"limited {at}")
        add("/limited/other", name=f"limited other {at}")
    for path in ("/fail", "/fail/418"):
        add(path)
        add(path, "POST", body="body")
    add("/changed", fields=[("x-gone", "1"), ("x-set", "old"), ("x-added", "first")])
    add("/changed")
    add("/hidden")
    add("/nowhere", fields=[("x-nowhere", "1")])
    add("/forwarded", fields=[("x-forwarded-for", "1.2.3.4")])
    add("/forwarded", fields=[("x-forwarded-for", "1.2.3.4"), ("x-forwarded-for", "5.6.7.8")])
    return all_requests


ENCODED = "Envoy decodes letters in paths before it routes and passes them on; hone-mesh passes a path on as it was written"
READINGS = "rules of access hold for all ways in which servers read a path"
COMES_BACK = "hone-mesh says in Retry-After when a token will be there"
# Requests that are answered otherwise, each with its reason.
DIFFERENCES = {
    "GET /%65xact": ENCODED,
    "GET /%41": ENCODED,
    "GET /query?a=2&a=1": "Envoy looks at the first parameter of a name, hone-mesh at all of them",
    "GET /deny//admin": READINGS,
    "GET /deny/admin;a=b": READINGS,
    "limited 3": COMES_BACK,
    "limited 4": COMES_BACK,
    "limited other 2": COMES_BACK,
    "limited other 3": COMES_BACK,
    "limited other 4": COMES_BACK,
}

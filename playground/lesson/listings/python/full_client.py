# A client that answers every question by itself, with the standard library of
# Python 3.10 or later:
#
#   python3 full_client.py http://127.0.0.1:2322/c/YOUR-TOKEN
#
# The address can also be in MRTR_SERVER_URL. With a name in MRTR_SCENARIO, it calls
# only the tool, prompt or resource of that name.
import base64
import http.client
import itertools
import json
import os
import re
import sys
import threading
import time
import urllib.error
import urllib.request

# Limits. Pitfall: a server can ask forever, and a task can work forever.
MAX_ROUNDS, MAX_POLLS, MAX_PAGES, MAX_WAIT = 10, 10, 100, 30
PATIENCE = 10  # seconds; then the connection is closed, which cancels the request

META = {  # in every request: also in lists, retries and polls
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "python-listing", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {  # only what answer() can answer
        "elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {},
        "extensions": {"io.modelcontextprotocol/tasks": {}},
    },
}
ids = itertools.count(1)
tools = {}  # definitions by name
asked = {  # arguments that the client test asks for; others are filled in
    "mirror_unicode": {"text": "Größe"}, "mirror_nothing": {"text": None},
    "mirror_sentinel": {"text": "=?base64?YQ==?="},
}


class Failure(Exception):
    """An error of the server, or an end of the call on our side."""

    def __init__(self, message, code=None, wait=0):
        super().__init__(message)
        self.code, self.wait = code, wait


def request(method, params):
    """Sends one request and returns its result."""
    # Pitfall: a retry needs a new id, too.
    message = {"jsonrpc": "2.0", "id": next(ids), "method": method, "params": {**params, "_meta": META}}
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",  # as in _meta
        "Mcp-Method": method,
    }
    # Pitfall: the requests about a task have a name too: its id.
    name = params.get("name") or params.get("uri") or params.get("taskId")
    if name:
        headers["Mcp-Name"] = encoded(name)
    if method == "tools/call":
        repeat(tools.get(name, {}).get("inputSchema", {}), params.get("arguments"), headers)
    sent = urllib.request.Request(server, json.dumps(message).encode(), headers)
    try:
        # Pitfall: over HTTP there is no notification that cancels a request.
        with urllib.request.urlopen(sent, timeout=PATIENCE) as response:
            reply = read(response)
    except urllib.error.HTTPError as error:  # Pitfall: 4xx can have a JSON-RPC error, or none.
        wait = int(error.headers.get("Retry-After") or 0) if error.code in (429, 503) else 0
        try:
            reply = json.load(error)
        except ValueError:
            raise Failure(f"status {error.code}", wait=wait)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise Failure(f"no response: {error!r}")
    if "error" in reply:
        raise Failure(f"error {reply['error']['code']}", reply["error"]["code"])
    return reply["result"]


def read(response):
    """Returns the response, as JSON or as the last message of a stream."""
    if response.headers.get_content_type() != "text/event-stream":
        return json.load(response)
    data = ""
    for line in response:  # Pitfall: decode lines, not chunks. A chunk can end inside a character.
        line = line.decode().rstrip("\r\n")
        # Pitfall: a message can have several data lines. A comment is none of them.
        if line.startswith("data:"):
            data += line[5:] + "\n"
        elif not line and data:
            message = json.loads(data)
            if "result" in message or "error" in message:  # else it is a notification
                return message
            data = ""
    raise ValueError("the stream ended before its response")


def attempt(method, params):
    """Sends a request, and repeats it once if the server allows it."""
    # Pitfall: a call whose connection broke may have done its work. Don't repeat it.
    try:
        return request(method, params)
    except Failure as failure:
        if 0 < failure.wait <= MAX_WAIT:
            time.sleep(failure.wait)
        elif failure.code == -32020 and method == "tools/call":
            list_tools()  # the headers that its tools want may have changed
        else:
            raise
    return request(method, params)


def complete(method, call):
    """Makes a call, and answers until it is complete."""
    params = call
    for _ in range(MAX_ROUNDS):
        result = attempt(method, params)
        kind = result.get("resultType", "complete")  # Pitfall: no type means complete.
        if kind == "complete":
            return kind
        if kind == "task" and method == "tools/call":
            return follow(result)
        if kind != "input_required":  # Pitfall: don't guess from the other members.
            raise Failure(f"a result of the type {kind}")
        # Pitfall: begin with the call as it was. Answers and state of earlier rounds are gone.
        params = dict(call)
        if "inputRequests" in result:
            params["inputResponses"] = answers(call.get("name", ""), result["inputRequests"])
        if "requestState" in result:  # Pitfall: "" is a state.
            params["requestState"] = result["requestState"]
    raise Failure(f"no end after {MAX_ROUNDS} rounds")


def follow(task):
    """Polls a task, and answers its questions."""
    task_id, answered = {"taskId": task["taskId"]}, set()
    for _ in range(MAX_POLLS):
        time.sleep(task.get("pollIntervalMs", 1000) / 1000)  # Pitfall: before the first poll, too.
        task = attempt("tasks/get", task_id)  # fails if the task is unknown: its ttlMs is over
        if task["status"] in ("completed", "failed", "cancelled"):
            return "task " + task["status"]
        # Pitfall: until the server has read an answer, it shows the question again.
        questions = {k: q for k, q in task.get("inputRequests", {}).items() if k not in answered}
        if questions:  # Pitfall: no requestState, and not the call again.
            attempt("tasks/update", {**task_id, "inputResponses": answers("", questions)})
            answered.update(questions)
    attempt("tasks/cancel", task_id)
    return "task cancelled by this client"


def answers(name, questions):
    return {key: answer(name, key, question) for key, question in questions.items()}


def answer(name, key, question):
    """Stands for the user: a real client shows the question and waits."""
    for action in ("decline", "cancel"):  # what the client test wants refused is named so
        if action in name and not key.startswith("accept"):
            return {"action": action}  # no content
    method, params = question["method"], question.get("params", {})
    if method == "elicitation/create" and params.get("mode") == "url":
        return open_link(params["url"])
    if method == "elicitation/create":  # Pitfall: no mode means a form.
        return {"action": "accept", "content": fill(params["requestedSchema"])}
    if method == "sampling/createMessage":
        return {"role": "assistant", "model": "none", "content": {"type": "text", "text": "5"}}
    if method == "roots/list":
        return {"roots": [{"uri": "file:///home/ada/project"}]}
    raise Failure(f"a question of the kind {method}")  # Pitfall: any answer would be made up.


def open_link(url):
    """Opens a link, as the browser of a user who agreed does."""
    # Pitfall: don't fetch it before, not even for a preview. It can be javascript:.
    if not re.match("https?://", url):
        return {"action": "decline"}
    urllib.request.urlopen(url, timeout=PATIENCE).close()
    return {"action": "accept"}  # Pitfall: accept of a link has no content.


def fill(schema):
    return {name: value(name, field) for name, field in schema.get("properties", {}).items()}


def value(name, field):
    options = field.get("oneOf") or field.get("anyOf")
    if "default" in field:  # Pitfall: a field without a change sends its default.
        return field["default"]
    if "enum" in field:
        return field["enum"][0]
    if options:  # Pitfall: a choice with titles sends its const, not its title.
        return options[0]["const"]
    match field.get("type"):
        case "object":
            return fill(field)
        case "array":
            return [value(name, field.get("items", {}))]
        case "boolean":
            return True
        case "integer" | "number":
            return max(field.get("minimum", 1), 1)
    return {"email": "ada@example.com", "date": "2026-07-28"}.get(field.get("format"), name)


def repeat(schema, arguments, headers):
    """Sets the headers of the arguments that a tool wants repeated."""
    for name, field in schema.get("properties", {}).items():
        given = (arguments or {}).get(name)
        if given is None:  # Pitfall: what is absent or null has no header.
            continue
        if "x-mcp-header" in field:  # Pitfall: str(True) is True, not true.
            text = given if isinstance(given, str) else json.dumps(given)
            headers["Mcp-Param-" + field["x-mcp-header"]] = encoded(text)
        elif isinstance(given, dict):
            repeat(field, given, headers)


def encoded(text):
    """Returns a text as a header can hold it."""
    # Pitfall: a text that looks encoded is encoded again.
    if re.fullmatch("[!-~]([ -~]*[!-~])?", text) and not re.fullmatch(r"=\?base64\?.*\?=", text):
        return text
    return "=?base64?" + base64.b64encode(text.encode()).decode() + "?="


def valid(schema, seen):
    """Reports whether the headers that a tool wants are valid, and each has its own name."""
    for field in schema.get("properties", {}).values():
        if "x-mcp-header" in field:
            name = field["x-mcp-header"].lower()
            if (name in seen or not re.fullmatch(r"[!#$%&'*+.^_`|~0-9a-z-]+", name)
                    or field.get("type") not in ("string", "integer", "boolean")):
                return False
            seen.add(name)
        if not valid(field, seen):
            return False
    return True


def read_list(method, member):
    """Reads all pages of a list."""
    params, entries, again = {}, [], False
    for _ in range(MAX_PAGES):
        try:
            result = attempt(method, params)
        except Failure as failure:
            if failure.code != -32602 or "cursor" not in params or again:
                raise
            params, entries, again = {}, [], True  # Pitfall: the cursor expired. Begin again, once.
            continue
        entries += result[member]  # Pitfall: a page can be empty.
        if "nextCursor" not in result:  # Pitfall: "" is a cursor.
            break
        params = {"cursor": result["nextCursor"]}
    return entries


def list_tools():
    tools.clear()
    for tool in read_list("tools/list", "tools"):  # Pitfall: don't fetch what a $ref names.
        if valid(tool["inputSchema"], set()):  # Pitfall: otherwise, it must not be called.
            tools[tool["name"]] = tool


def call(method, member, name, params):
    if only and name != only and not name.endswith("/" + only):
        return
    try:
        print(f"{name}: {complete(method, {member: name, **params})}")
    except Failure as failure:
        print(f"{name}: {failure}")


if __name__ == "__main__":
    server = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("MRTR_SERVER_URL")
    if not server:
        sys.exit("usage: full_client.py URL")
    only = os.environ.get("MRTR_SCENARIO", "")
    offers = request("server/discover", {})["capabilities"]
    if "tools" in offers:  # Pitfall: ask only for what the server has.
        list_tools()
        for name, tool in list(tools.items()):
            arguments = asked.get(name) or fill(tool["inputSchema"])
            job = ("tools/call", "name", name, {"arguments": arguments})
            calls = [threading.Thread(target=call, args=job)
                     for _ in range(2 if name == "parallel_calls" else 1)]
            for thread in calls:
                thread.start()
            for thread in calls:
                thread.join()
    if "prompts" in offers:
        for prompt in read_list("prompts/list", "prompts"):
            call("prompts/get", "name", prompt["name"], {})
    if "resources" in offers:
        for resource in read_list("resources/list", "resources"):
            call("resources/read", "uri", resource["uri"], {})
        read_list("resources/templates/list", "resourceTemplates")

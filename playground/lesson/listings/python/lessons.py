# A server with one tool per lesson. The lines between # [slug] and # [/slug] are
# those that the lesson shows. Below them, it shows what they name.
#
#   uv init && uv add "mcp==2.3.0" cryptography
#   MCP_KEY=$(openssl rand -hex 32) uv run lessons.py
import json
import os
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from mcp import MCPError
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.extension import Extension, MethodBinding
from mcp.server.mcpserver import (
    Context, InvalidRequestState, MCPServer, RequestStateSecurity, require_client_extension,
)
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import (
    INVALID_PARAMS, MISSING_REQUIRED_CLIENT_CAPABILITY, CallToolRequestParams,
    ClientCapabilities, CreateMessageRequest, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequest, ElicitRequestFormParams, ElicitRequestURLParams, ElicitResult, InputRequest, InputRequiredResult,
    InputResponse, ListRootsRequest, ListRootsResult, RequestParams, SamplingMessage, TextContent,
)
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import JSONResponse

KEY = bytes.fromhex(os.environ["MCP_KEY"])  # 32 bytes, the same for all instances
SHARED = Path(os.environ.get("SHARED", gettempdir()))  # all instances share it


class Sealed:
    """A codec for RequestStateSecurity: AES-GCM, and strict Base64."""

    def __init__(self, key: bytes) -> None:
        self.aes = AESGCM(key)

    # [sealed-state]
    # A codec for RequestStateSecurity, which adds the expiry, the user and the call.
    def seal(self, payload: bytes) -> str:
        nonce = os.urandom(12)
        return urlsafe_b64encode(nonce + self.aes.encrypt(nonce, payload, None)).decode()

    def unseal(self, token: str) -> bytes:
        try:
            data = urlsafe_b64decode(token)
            if urlsafe_b64encode(data).decode() != token:  # the decoder is not strict
                raise ValueError("spare bits were changed")
            return self.aes.decrypt(data[:12], data[12:], None)
        except (ValueError, InvalidTag) as refused:
            raise InvalidRequestState("not ours") from refused
    # [/sealed-state]


# [who-are-you]
def user(ctx: ServerRequestContext[Any, Any]) -> str | None:
    token = get_access_token()  # verified; None is anonymous
    return token.subject if token else None


# The SDK binds each state to the user and to the call. The token is not in it,
# because a new token of the same user must be able to continue.
security = RequestStateSecurity(codec=Sealed(KEY), bind_principal=user)
# [/who-are-you]


def field(name: str, **schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {name: schema}, "required": [name]}


def elicit(message: str, schema: dict[str, Any]) -> ElicitRequest:
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def ask(key: str, message: str, schema: dict[str, Any], state: str | None = None) -> InputRequiredResult:
    return InputRequiredResult(input_requests={key: elicit(message, schema)}, request_state=state)


def form(answers: dict[str, InputResponse] | None, key: str) -> ElicitResult | None:
    answer = (answers or {}).get(key)
    return answer if isinstance(answer, ElicitResult) else None


# tasks holds the tone of each report by its handle, "" until it is answered. With
# several instances, it has to be a store that all of them share.
tasks: dict[str, str] = {}


class TaskParams(RequestParams):
    task_id: str
    input_responses: dict[str, ElicitResult] | None = None


def describe(task_id: str) -> dict[str, Any]:
    return {"taskId": task_id, "createdAt": CREATED, "lastUpdatedAt": CREATED, "ttlMs": 600000}


CREATED = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
TONE = {
    "method": "elicitation/create",
    "params": {"mode": "form", "message": "Which tone?", "requestedSchema": field("tone", type="string")},
}


class Tasks(Extension):
    """The tasks extension, by hand: the SDK read for this has none."""

    identifier = "io.modelcontextprotocol/tasks"

    def methods(self) -> Sequence[MethodBinding]:
        return [MethodBinding("tasks/get", TaskParams, get_task), MethodBinding("tasks/update", TaskParams, update_task)]

    async def intercept_tool_call(
        self, params: CallToolRequestParams, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        declared = ctx.session.client_capabilities
        if params.name != "report" or self.identifier not in ((declared and declared.extensions) or {}):
            return await call_next(ctx)
        task_id = secrets.token_urlsafe()
        tasks[task_id] = ""
        return {"resultType": "task", "status": "working", "pollIntervalMs": 200, **describe(task_id)}


async def get_task(ctx: ServerRequestContext[Any, Any], params: TaskParams) -> dict[str, Any]:
    require_client_extension(ctx, Tasks.identifier)
    # [tasks]
    # The SDK has no tasks. This is tasks/get, by hand, as a method of an Extension.
    if params.task_id not in tasks:
        raise MCPError(INVALID_PARAMS, "unknown taskId")
    result = {"resultType": "complete", **describe(params.task_id)}
    tone = tasks[params.task_id]  # tasks/update stores the answer
    if not tone:
        # The request is complete. The task is what needs input.
        return {**result, "status": "input_required", "inputRequests": {"tone-1": TONE}}
    content = [{"type": "text", "text": f"A {tone} report."}]
    return {**result, "status": "completed", "result": {"content": content}}
    # [/tasks]


async def update_task(ctx: ServerRequestContext[Any, Any], params: TaskParams) -> dict[str, Any]:
    require_client_extension(ctx, Tasks.identifier)
    if params.task_id not in tasks:
        raise MCPError(INVALID_PARAMS, "unknown taskId")
    answer = form(params.input_responses, "tone-1")
    if answer and answer.action == "accept":
        tasks[params.task_id] = str((answer.content or {}).get("tone", ""))
    return {"resultType": "complete"}


# TOKENS stands for your authorization server: token=user, token=user. A guest may not
# write. A real verifier checks the signature, the expiry and the audience.
TOKENS = dict(pair.split("=") for pair in os.environ.get("TOKENS", "").split(",") if pair)


class Verifier(TokenVerifier):
    async def verify_token(self, token: str) -> AccessToken | None:
        if token not in TOKENS:
            return None
        scopes = [] if TOKENS[token] == "guest" else ["bugs:write"]
        return AccessToken(token=token, client_id="any", scopes=scopes, subject=TOKENS[token])


# [signing-in]
# The SDK serves the metadata, and names its address in the challenge of a 401 or 403.
settings = AuthSettings(
    issuer_url=AnyHttpUrl("https://login.example.com"),  # your authorization server
    resource_server_url=AnyHttpUrl("http://127.0.0.1:8080/mcp"),  # as the audience
    required_scopes=["bugs:write"],  # a token without it gets 403
)
protection = {"auth": settings, "token_verifier": Verifier()} if TOKENS else {}
# [/signing-in]

# Without keys or a codec, the SDK seals with a key of this process alone.
mcp = MCPServer("lessons", request_state_security=security, extensions=[Tasks()], **protection)


@mcp.tool()
async def greet(ctx: Context) -> str | InputRequiredResult:
    # [why]
    answer = (ctx.input_responses or {}).get("name")
    if not isinstance(answer, ElicitResult):
        # The request ends with this result. No process waits for the answer.
        return ask("name", "What is your name?", field("name", type="string"))
    # The same call again, with the answer. Another instance may have asked.
    name = (answer.content or {}).get("name")
    if answer.action != "accept" or not isinstance(name, str):
        return "Hello!"
    return f"Hello, {name}!"
    # [/why]


@mcp.tool()
async def close_task(workItemId: int, ctx: Context) -> str | InputRequiredResult:
    # [one-round]
    answer = (ctx.input_responses or {}).get("completed_work")
    if not isinstance(answer, ElicitResult):
        form = ElicitRequestFormParams(
            message=f"Hours of work on task #{workItemId}?",
            requested_schema=field("hours", type="number"),
        )
        questions = {"completed_work": ElicitRequest(params=form)}  # your key
        return InputRequiredResult(input_requests=questions)
    hours = (answer.content or {}).get("hours")  # the SDK doesn't check answers
    if answer.action != "accept" or not isinstance(hours, int | float):
        return "The task stays open."
    return f"Task #{workItemId} closed after {hours} hours."
    # [/one-round]


@mcp.tool()
async def resolve_bug(workItemId: int, ctx: Context) -> str | InputRequiredResult:
    answers = ctx.input_responses
    either = field("resolution", type="string", enum=["Fixed", "Duplicate"])
    # [rounds]
    resolution = ctx.request_state  # decrypted; None in rounds 1 and 2
    if resolution is None:
        first = form(answers, "resolution")
        if first is None:
            return ask("resolution", "Which resolution?", either)
        resolution = str((first.content or {}).get("resolution"))
    original = form(answers, "duplicate_of")
    if resolution == "Duplicate" and original is None:
        # The client answers only the latest question, so the state has the first
        # answer. The SDK encrypts it.
        which = field("id", type="integer")
        return ask("duplicate_of", "Of which bug?", which, state=resolution)
    return resolved(resolution, original)
    # [/rounds]


def resolved(resolution: str, original: ElicitResult | None) -> str:
    """Both questions can be declined, and the SDK doesn't check answers."""
    if resolution == "Fixed":
        return "Resolved as fixed."
    number = (original.content or {}).get("id") if original else None
    return f"Resolved as a duplicate of bug {number}." if number else "The bug stays open."


@mcp.tool()
async def plan_trip(city: str, ctx: Context) -> str | InputRequiredResult:
    # [questions]
    say = SamplingMessage(role="user", content=TextContent(type="text", text="A sight?"))
    params = CreateMessageRequestParams(messages=[say], max_tokens=100)
    ideas = CreateMessageRequest(params=params)  # under the key "ideas"
    # [/questions]
    have, missing = collect(ctx, {
        "wishes": elicit("What do you like?", field("mood", type="string")),
        "ideas": ideas,
        "folders": ListRootsRequest(),
    })
    if missing:
        return missing
    # An answer doesn't say its kind. The key does, so check that they agree.
    kinds = (ElicitResult, CreateMessageResult, ListRootsResult)  # in the same order
    if any(not isinstance(have[key], kind) for key, kind in zip(have, kinds)):
        raise MCPError(INVALID_PARAMS, "an answer of another kind")
    # [questions]
    content = have["ideas"].content  # of a CreateMessageResult: text, an image or audio
    idea = content.text if content.type == "text" else ""
    # [/questions]
    return f"A trip to {city}. {idea}"


@mcp.tool()
async def delete_records(ctx: Context) -> str | InputRequiredResult:
    answer = form(ctx.input_responses, "confirm")
    # [saying-no]
    if answer is None:
        return ask("confirm", "Delete old orders?", field("confirm", type="boolean"))
    if answer.action == "decline":
        return "Nothing was deleted: the person said no. Do not try again."
    if answer.action == "cancel":
        return "Nothing was deleted: the form was closed. It may be asked again."
    if (answer.content or {}).get("confirm") is not True:
        # accept means submitted, not yes.
        return "Nothing was deleted: the box was not ticked."
    return "Deleted."
    # [/saying-no]


@mcp.tool()
async def connect(ctx: Context) -> str | InputRequiredResult:
    answer = form(ctx.input_responses, "connect")
    visit = ctx.request_state or secrets.token_hex()
    # [url-mode]
    # visit names this visit. It is in the link, and comes back in the state.
    url = f"http://127.0.0.1:8080/connect?visit={visit}"
    if answer and answer.action != "accept":
        return "Not connected."
    if is_finished(visit):  # in a record of the server: the page has the key
        return "Connected."
    # accept means "I agree to open it", so ask until the page is finished.
    page = ElicitRequestURLParams(message="Enter your key.", url=url)
    may_ask(ctx.client_capabilities, {"connect": ElicitRequest(params=page)})
    return InputRequiredResult(
        input_requests={"connect": ElicitRequest(params=page)}, request_state=visit)
    # [/url-mode]


def is_finished(visit: str) -> bool:
    return (SHARED / f"visit-{visit}").exists()


@mcp.custom_route("/connect", methods=["POST"])
async def finish(request: Request) -> JSONResponse:
    """The page that a visit opens. A real one asks for the key, and checks who its user is."""
    visit = request.query_params["visit"]
    if not visit.isalnum():
        return reply(400, status="refused")
    (SHARED / f"visit-{visit}").touch()
    return reply(200, status="finished")


@mcp.tool()
async def welcome(ctx: Context, name: str | None = None) -> str | InputRequiredResult:
    # [legacy]
    answer = form(ctx.input_responses, "name")
    if answer is not None:
        name = (answer.content or {}).get("name")
    if name:
        return f"Welcome, {name}!"
    if (ctx.protocol_version or "") < "2026-07-28":  # an older client can't be asked
        raise ToolError("welcome needs the argument name from this client")
    return ask("name", "What is your name?", field("name", type="string"))
    # [/legacy]


@mcp.tool()
async def count_primes(below: int, ctx: Context) -> str | InputRequiredResult:
    below = min(below, 1_000_000)
    # [nothing-to-ask]
    done, total = json.loads(ctx.request_state or "[0, 0]")
    for stage in range(done, 10):
        if stage == done + 6:  # Six stages are enough for one request.
            # Only a state. The SDK encrypts it.
            return InputRequiredResult(request_state=json.dumps([stage, total]))
        total += primes_in(below * stage // 10, below * (stage + 1) // 10)
    return f"{total} primes below {below}"
    # [/nothing-to-ask]


def primes_in(start: int, end: int) -> int:
    return sum(all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(max(start, 2), end))


def collect(ctx: Context, inputs: dict[str, InputRequest]) -> tuple[dict[str, Any], InputRequiredResult | None]:
    """The answers to all inputs, or a result that asks for those that are missing."""
    kept = {key: parse(value) for key, value in json.loads(ctx.request_state or "{}").items()}
    # [rolling-upgrade]
    have, missing = {}, {}
    for key, question in inputs.items():  # this version's; other keys are ignored
        # The state first, maybe of another version: a late answer changes nothing.
        answer = kept.get(key) or (ctx.input_responses or {}).get(key)
        if answer is None:
            missing[key] = question
        else:
            have[key] = answer
    if not missing:
        return have, None
    # [/rolling-upgrade]
    may_ask(ctx.client_capabilities, missing)
    state = json.dumps({key: answer.model_dump(mode="json", by_alias=True) for key, answer in have.items()})
    return have, InputRequiredResult(input_requests=missing, request_state=state if have else None)


def parse(value: dict[str, Any]) -> InputResponse:
    kind = ElicitResult if "action" in value else ListRootsResult if "roots" in value else CreateMessageResult
    return kind.model_validate(value)


def shows(can: ClientCapabilities, mode: str) -> bool:
    """Whether a client shows a question: a page to open, or a form."""
    asks = can.elicitation  # an empty object means forms only
    if mode == "url":
        return asks is not None and asks.url is not None
    return asks is not None and (asks.form is not None or asks.url is None)


def may_ask(declared: ClientCapabilities | None, questions: dict[str, InputRequest]) -> None:
    # [questions]
    can = declared or ClientCapabilities()  # of this request: ctx.client_capabilities
    need: dict[str, Any] = {}
    for question in questions.values():
        mode = getattr(question.params, "mode", "form")
        if question.method == "elicitation/create" and not shows(can, mode):
            need["elicitation"] = {mode: {}}
        if question.method == "sampling/createMessage" and can.sampling is None:
            need["sampling"] = {}
        if question.method == "roots/list" and can.roots is None:
            need["roots"] = {}
    if need:
        data = {"requiredCapabilities": need}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "undeclared", data)  # -32021
    # [/questions]


@mcp.tool()
async def link_accounts(ctx: Context) -> str | InputRequiredResult:
    services = ["github", "google" if os.environ.get("VERSION") == "1" else "microsoft"]
    inputs = {name: elicit(f"Your name at {name}?", field("name", type="string")) for name in services}
    have, missing = collect(ctx, inputs)
    return missing or "Linked " + " ".join(services)


@mcp.tool()
async def redeem(ctx: Context) -> str | InputRequiredResult:
    voucher, answer = ctx.request_state, form(ctx.input_responses, "redeem")
    # [attacks]
    if voucher is None or answer is None:
        state = secrets.token_hex()  # of this one voucher; the SDK seals it
        return ask("redeem", "Redeem it?", field("redeem", type="boolean"), state)
    if answer.action != "accept" or (answer.content or {}).get("redeem") is not True:
        return "The voucher was not redeemed."
    # The same retry can come twice. One of the two creates the record, as with a
    # unique key in a database. All instances share the records.
    try:
        (SHARED / voucher).touch(exist_ok=False)
    except FileExistsError:
        raise ToolError("This voucher was redeemed before; it counts once.")
    return "The voucher was redeemed for 25 euro."
    # [/attacks]


@mcp.tool()
async def report() -> str:
    return "A report without questions."


sealed = Sealed(KEY)


@mcp.custom_route("/orders", methods=["POST"])
async def order(request: Request) -> JSONResponse:
    """The checkout without MCP: a JSON API of one's own."""
    sent = await request.json()
    item, state, answer = sent.get("item"), sent.get("state"), sent.get("answer")
    # [without-mcp]
    if state is None:
        number = str(10 + secrets.randbelow(90))
        claims = ["order", item, number, time.time() + 600]  # the order, not the answer
        state = sealed.seal(json.dumps(claims).encode())  # it has the right number
        message = f"Your banking app shows {number}"
        return reply(200, status="input_required", message=message, state=state)
    try:
        what, ordered, number, expires = json.loads(sealed.unseal(state))
    except InvalidRequestState:
        return reply(400, status="refused")
    if (what, ordered, number) != ("order", item, answer) or expires < time.time():
        return reply(400, status="refused")  # of another order, wrong, or too old
    return reply(200, status="complete", message=f"Ordered {item}.")
    # [/without-mcp]


def reply(code: int, **body: str) -> JSONResponse:
    return JSONResponse(body, status_code=code)


if __name__ == "__main__":
    mcp.run(transport="streamable-http", port=8080)  # at http://127.0.0.1:8080/mcp

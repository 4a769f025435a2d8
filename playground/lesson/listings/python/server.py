# A server with one tool that asks two questions. Save it as server.py in an empty
# folder:
#
#   uv init --bare && uv add "mcp==2.3.0"
#   MCP_KEY=$(openssl rand -hex 32) uv run server.py
import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from mcp import MCPError
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import Context, InvalidRequestState, MCPServer, RequestStateSecurity
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY, ElicitRequest, ElicitRequestFormParams, ElicitResult,
    InputRequiredResult,
)

# Pitfall: without keys, the SDK generates one at startup, and every other instance
# rejects the retry, as does the same instance after a restart. All instances
# need the same keys of at least 32 bytes.
KEY = os.environ["MCP_KEY"].encode()


def user(ctx: ServerRequestContext[Any, Any]) -> str | None:
    # The user that your TokenVerifier verified (MCPServer(token_verifier=…, auth=…)).
    # Without sign-in there is no token, and the user is anonymous. Pitfall: don't bind
    # a state to the token. A new token of the same user must be able to continue.
    token = get_access_token()
    return token.subject if token else None


class Signed:
    """A codec that only signs. The client can read the state: no secrets."""

    def seal(self, payload: bytes) -> str:
        return urlsafe_b64encode(hmac.digest(KEY, payload, "sha256") + payload).decode()

    def unseal(self, token: str) -> bytes:
        try:
            data = urlsafe_b64decode(token)
        except ValueError as malformed:
            raise InvalidRequestState("not ours") from malformed
        # Pitfall: Python's Base64 is not strict. A change of unused bits goes undetected.
        if urlsafe_b64encode(data).decode() != token:
            raise InvalidRequestState("not ours")
        mac, payload = data[:32], data[32:]
        if not hmac.compare_digest(mac, hmac.digest(KEY, payload, "sha256")):
            raise InvalidRequestState("not ours")
        return payload


# The SDK adds the expiry (ten minutes), the call and the user, whatever the codec.
sealed = RequestStateSecurity(keys=[KEY], bind_principal=user)  # AES-256-GCM
signed = RequestStateSecurity(codec=Signed(), bind_principal=user)

mcp = MCPServer("deployer", request_state_security=sealed)

# Pitfall: forms are flat. They have no nested objects, patterns or references.
WHEN = {"type": "object", "properties": {"when": {"type": "string", "enum": ["now", "tonight"]}}, "required": ["when"]}
SURE = {"type": "object", "properties": {"sure": {"type": "boolean", "title": "Yes, deploy"}}, "required": ["sure"]}


def ask(
    ctx: Context, key: str, message: str, schema: dict[str, Any], state: str | None = None
) -> InputRequiredResult:
    # Pitfall: ask only for what the request declared. The SDK checks that for questions
    # of Resolve only. An empty elicitation means forms.
    can = ctx.client_capabilities and ctx.client_capabilities.elicitation
    if can is None or can.form is None and can.url is not None:
        needs = {"requiredCapabilities": {"elicitation": {"form": {}}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "deploy asks with a form", needs)  # -32021
    # Pitfall: derive the message only from the call and the answers. If the SDK
    # stores the answers (Resolve), a message with a time of day is asked forever.
    question = ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))
    return InputRequiredResult(input_requests={key: question}, request_state=state)


@mcp.tool()
async def deploy(app: str, ctx: Context) -> str | InputRequiredResult:
    """Deploys an app after two questions."""
    # Runs from the start in every round. Pitfall: have no side effects before the
    # last answer. A retry may never come, or may come twice.
    answers = ctx.input_responses or {}

    # The SDK has opened the state and checked its tool, arguments, user and
    # expiry. Here it is plain text. Pitfall: the low-level Server checks nothing.
    when = ctx.request_state
    if when is None:
        said = answers.get("when")
        if isinstance(said, ElicitResult) and said.action != "accept":
            return "Nothing was deployed: no time was chosen."
        when = (said.content or {}).get("when") if isinstance(said, ElicitResult) else None
        if when not in ("now", "tonight"):  # Pitfall: the SDK doesn't validate answers.
            return ask(ctx, "when", "When?", WHEN)  # No state: there is nothing to remember.

    sure = answers.get("sure")
    # Pitfall: without a state, this was not asked yet. Ignore an answer that came too
    # early. Pitfall: ctx.elicit() is for legacy clients.
    yes = (sure.content or {}).get("sure") if isinstance(sure, ElicitResult) else None
    missing = not isinstance(sure, ElicitResult) or sure.action == "accept" and not isinstance(yes, bool)
    if ctx.request_state is None or missing:
        return ask(ctx, "sure", f"Deploy {app} {when}?", SURE, state=when)
    if sure.action != "accept":
        return "Nothing was deployed: it was not confirmed."
    if not yes:  # Pitfall: accept is not yes. The box can be cleared.
        return "Nothing was deployed: the box was not ticked."
    return f"Deployed {app} {when}."


# Pitfall: a client of 2025-11-25 can't be asked like this and gets an error. To
# serve both eras, check ctx.protocol_version first.
if __name__ == "__main__":
    mcp.run(transport="streamable-http", port=8080)  # at http://127.0.0.1:8080/mcp

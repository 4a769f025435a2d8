# A server with one tool that asks two questions.
#
#   uv init && uv add "mcp==2.3.0"
#   MCP_KEY=$(openssl rand -hex 32) uv run server.py
import os

from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult

# Pitfall: without keys, the SDK generates one at startup, and every other instance
# rejects the retry, as does the same instance after a restart. All instances
# need the same keys of at least 32 bytes.
security = RequestStateSecurity(keys=[os.environ["MCP_KEY"].encode()])

mcp = MCPServer("deployer", request_state_security=security)

# Pitfall: forms are flat. They have no nested objects, patterns or references.
WHEN = {"type": "object", "properties": {"when": {"type": "string", "enum": ["now", "tonight"]}}, "required": ["when"]}
SURE = {"type": "object", "properties": {"sure": {"type": "boolean", "title": "Yes, deploy"}}, "required": ["sure"]}


def ask(key: str, message: str, schema: dict, state: str | None = None) -> InputRequiredResult:
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

    # The SDK has decrypted the state and checked its tool, arguments, user and
    # expiry. Here it is plain text. Pitfall: the low-level Server checks nothing.
    when = ctx.request_state
    if when is None:
        said = answers.get("when")
        if isinstance(said, ElicitResult) and said.action != "accept":
            return "Nothing was deployed: no time was chosen."
        when = (said.content or {}).get("when") if isinstance(said, ElicitResult) else None
        if when not in ("now", "tonight"):  # Pitfall: the SDK doesn't validate answers.
            return ask("when", "When?", WHEN)

    sure = answers.get("sure")
    if not isinstance(sure, ElicitResult):
        return ask("sure", f"Deploy {app} {when}?", SURE, state=when)
    if sure.action != "accept":
        return "Nothing was deployed: it was not confirmed."
    if (sure.content or {}).get("sure") is not True:  # Pitfall: accept is not yes. The box can be cleared.
        return "Nothing was deployed: the box was not ticked."
    return f"Deployed {app} {when}."


# Pitfall: a client of 2025-11-25 can't be asked like this and gets an error. To
# serve both eras, check ctx.protocol_version first.
if __name__ == "__main__":
    mcp.run(transport="streamable-http", port=8080)  # at http://127.0.0.1:8080/mcp

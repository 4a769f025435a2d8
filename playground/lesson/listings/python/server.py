# A server with one tool that asks two questions.
# uv add "mcp==2.3.0", then: MCP_KEY=SECRET uv run server.py
import os

from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult

# Trap: without keys the SDK seals the state with one that it makes at start.
# That fits one process only: a retry that reaches another instance, or comes after
# a restart, is refused. All instances need the same keys, 32 bytes or more each.
security = RequestStateSecurity(keys=[os.environ["MCP_KEY"].encode()])

mcp = MCPServer("deployer", request_state_security=security)

# Trap: forms are flat. No objects in objects, no patterns, no references.
WHEN = {"type": "object", "properties": {"when": {"type": "string", "enum": ["now", "tonight"]}}, "required": ["when"]}
SURE = {"type": "object", "properties": {"sure": {"type": "boolean", "title": "Yes, deploy"}}, "required": ["sure"]}


def ask(key: str, message: str, schema: dict, state: str | None = None) -> InputRequiredResult:
    # Trap: derive the message from the call and the answers alone. Where the
    # SDK itself keeps the answers (Resolve), a time of day in it asks for ever.
    question = ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))
    return InputRequiredResult(input_requests={key: question}, request_state=state)


@mcp.tool()
async def deploy(app: str, ctx: Context) -> str | InputRequiredResult:
    """Deploys an app after two questions."""
    # Runs from the top in every round. Trap: no side effect before the last
    # answer is there, because nobody promises that a retry comes, or comes once.
    answers = ctx.input_responses or {}

    # What came back was opened and checked by the SDK: tool, arguments, person,
    # age. Here it is plain text again. Trap: the low-level Server checks nothing.
    when = ctx.request_state
    if when is None:
        said = answers.get("when")
        if isinstance(said, ElicitResult) and said.action != "accept":
            return "Nothing was deployed: no time was chosen."
        when = (said.content or {}).get("when") if isinstance(said, ElicitResult) else None
        if when not in ("now", "tonight"):  # Trap: nobody checked the answer before you.
            return ask("when", "When?", WHEN)

    sure = answers.get("sure")
    if not isinstance(sure, ElicitResult):
        return ask("sure", f"Deploy {app} {when}?", SURE, state=when)
    if sure.action != "accept":
        return "Nothing was deployed: it was not confirmed."
    if (sure.content or {}).get("sure") is not True:  # Trap: accept is not yes. The box may be empty.
        return "Nothing was deployed: the box was not ticked."
    return f"Deployed {app} {when}."


# Trap: a client of 2025-11-25 cannot be asked like this and gets an error.
# If you serve both, look at ctx.protocol_version first.
if __name__ == "__main__":
    mcp.run(transport="streamable-http", port=8080)  # at http://127.0.0.1:8080/mcp

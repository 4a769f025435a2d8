# One round by hand, with the standard library. Calls the tool greet of a server,
# answers its question, and prints both results:
#
#   python3 client.py http://127.0.0.1:8080
import json
import sys
import urllib.request


def post(url: str, id: int, params: dict) -> str:
    # [http]
    params["_meta"] = {  # in every request
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    }
    # A retry is a POST like the first: a new id, the whole call, and the answers.
    call = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",  # as in _meta
        "Mcp-Method": "tools/call",  # as method
        "Mcp-Name": "greet",  # as params.name
    }
    request = urllib.request.Request(url, json.dumps(call).encode(), headers)
    # [/http]
    with urllib.request.urlopen(request) as response:
        return f"{response.status} {response.read().decode().strip()}"


if __name__ == "__main__":
    params = {"name": "greet", "arguments": {}}
    print(post(sys.argv[1], 1, params))
    params["inputResponses"] = {"name": {"action": "accept", "content": {"name": "Ada"}}}
    print(post(sys.argv[1], 2, params))

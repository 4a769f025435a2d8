// A server with one tool that asks two questions.
// dotnet add package ModelContextProtocol.AspNetCore --version 2.4.0
using System.ComponentModel;
using System.Text.Json;
using Microsoft.AspNetCore.DataProtection;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

var builder = WebApplication.CreateBuilder(args);

// Trap: the SDK sends requestState as you wrote it. Data Protection seals it
// and lets it expire. All instances must share its keys: keep them in one place.
builder.Services.AddDataProtection()
    .SetApplicationName("deployer")
    .PersistKeysToFileSystem(new DirectoryInfo("/var/lib/deployer/keys"));

// Stateless is the default since 2.0. With Stateless = false this revision is refused.
builder.Services.AddMcpServer().WithHttpTransport().WithTools<Deployer>();

var app = builder.Build();
app.MapMcp("/mcp");
app.Run("http://127.0.0.1:8080");

[McpServerToolType]
public class Deployer(IDataProtectionProvider protection)
{
    // What round 2 must not forget. Trap: only what nobody sends again.
    private sealed record State(string When);

    // Runs from the top in every round. Trap: no side effect before the last
    // answer is there, because nobody promises that a retry comes, or comes once.
    [McpServerTool(Name = "deploy"), Description("Deploys an app after two questions.")]
    public string Deploy(McpServer server, RequestContext<CallToolRequestParams> context, string app)
    {
        // Trap: the purpose binds the state to this tool and these arguments.
        // With users, put their verified identity into it too.
        var box = protection.CreateProtector("requestState", "deploy", app).ToTimeLimitedDataProtector();
        var kept = Open(box, context.Params!.RequestState);
        var answers = context.Params!.InputResponses;

        var when = kept?.When;
        if (when is null)
        {
            var said = Answer(answers, "when");
            if (said is { Action: not "accept" }) return "Nothing was deployed: no time was chosen.";
            when = Field(said, "when")?.ToString();
            // Trap: nobody checked the answer before you.
            if (when is not ("now" or "tonight")) throw Ask(server, "when", "When?", Choice("now", "tonight"), state: null);
        }

        var sure = Answer(answers, "sure");
        if (sure is null)
        {
            var state = box.Protect(JsonSerializer.Serialize(new State(when)), TimeSpan.FromMinutes(10));
            throw Ask(server, "sure", $"Deploy {app} {when}?", new ElicitRequestParams.BooleanSchema { Title = "Yes, deploy" }, state);
        }
        if (sure.Action != "accept") return "Nothing was deployed: it was not confirmed.";
        // Trap: accept means submitted, not yes. The box may be empty.
        if (Field(sure, "sure")?.ValueKind != JsonValueKind.True) return "Nothing was deployed: the box was not ticked.";
        return $"Deployed {app} {when}.";
    }

    // Trap: a state that comes back is an attacker's until it opens. Anything
    // wrong with it throws, and the call ends.
    private static State? Open(ITimeLimitedDataProtector box, string? text) =>
        text is null ? null : JsonSerializer.Deserialize<State>(box.Unprotect(text));

    // Trap: nothing on the wire says what kind an answer is; the key does.
    private static ElicitResult? Answer(IDictionary<string, InputResponse>? answers, string key) =>
        answers is not null && answers.TryGetValue(key, out var answer)
            ? answer.Deserialize(InputResponse.ElicitResultJsonTypeInfo)
            : null;

    private static JsonElement? Field(ElicitResult? said, string name) =>
        said?.Content is { } content && content.TryGetValue(name, out var value) ? value : null;

    // Asking is an exception, so that the method ends where it stands.
    private static Exception Ask(McpServer server, string key, string message, ElicitRequestParams.PrimitiveSchemaDefinition field, string? state)
    {
        // Trap: a stateless client of 2025-11-25 cannot be asked at all.
        if (!server.IsMrtrSupported) return new InvalidOperationException("This tool asks back; it needs MCP 2026-07-28.");
        // Trap: forms are flat. No objects in objects.
        var form = new ElicitRequestParams
        {
            Message = message,
            RequestedSchema = new() { Properties = new Dictionary<string, ElicitRequestParams.PrimitiveSchemaDefinition> { [key] = field } },
        };
        var questions = new Dictionary<string, InputRequest> { [key] = InputRequest.ForElicitation(form) };
        return new InputRequiredException(inputRequests: questions, requestState: state);
    }

    private static ElicitRequestParams.UntitledSingleSelectEnumSchema Choice(params string[] values) => new() { Enum = values };
}

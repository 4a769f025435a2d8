// A server with one tool that asks two questions.
//
//   dotnet new web && dotnet add package ModelContextProtocol.AspNetCore --version 2.4.0
using System.ComponentModel;
using System.Text.Json;
using Microsoft.AspNetCore.DataProtection;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

var builder = WebApplication.CreateBuilder(args);

// Pitfall: the SDK sends requestState unprotected. Data Protection seals it and
// sets an expiry. All instances must share its keys: store them in one place.
builder.Services.AddDataProtection()
    .SetApplicationName("deployer")
    .PersistKeysToFileSystem(new DirectoryInfo("/var/lib/deployer/keys"));

// Stateless is the default since 2.0. With Stateless = false, the SDK rejects this revision.
builder.Services.AddMcpServer().WithHttpTransport().WithTools<Deployer>();

var app = builder.Build();
app.MapMcp("/mcp");
app.Run("http://127.0.0.1:8080");

[McpServerToolType]
public class Deployer(IDataProtectionProvider protection)
{
    // What the server has to remember after round 2. Pitfall: store only what the
    // retry doesn't contain.
    private sealed record State(string When);

    // Runs from the start in every round. Pitfall: have no side effects before the
    // last answer. A retry may never come, or may come twice.
    [McpServerTool(Name = "deploy"), Description("Deploys an app after two questions.")]
    public string Deploy(McpServer server, RequestContext<CallToolRequestParams> context, string app)
    {
        // Pitfall: without this purpose, the state is valid for any tool and
        // arguments. If the server has users, add their verified identity.
        var box = protection.CreateProtector("requestState", "deploy", app).ToTimeLimitedDataProtector();
        var kept = Open(box, context.Params!.RequestState);
        var answers = context.Params!.InputResponses;

        var when = kept?.When;
        if (when is null)
        {
            var said = Answer(answers, "when");
            if (said is { Action: not "accept" }) return "Nothing was deployed: no time was chosen.";
            when = Field(said, "when")?.ToString();
            // Pitfall: the SDK doesn't validate answers.
            if (when is not ("now" or "tonight")) throw Ask(server, "when", "When?", Choice("now", "tonight"), state: null);
        }

        var sure = Answer(answers, "sure");
        if (sure is null)
        {
            var state = box.Protect(JsonSerializer.Serialize(new State(when)), TimeSpan.FromMinutes(10));
            throw Ask(server, "sure", $"Deploy {app} {when}?", new ElicitRequestParams.BooleanSchema { Title = "Yes, deploy" }, state);
        }
        if (sure.Action != "accept") return "Nothing was deployed: it was not confirmed.";
        // Pitfall: accept means submitted, not yes. The box can be cleared.
        if (Field(sure, "sure")?.ValueKind != JsonValueKind.True) return "Nothing was deployed: the box was not ticked.";
        return $"Deployed {app} {when}.";
    }

    // Pitfall: trust nothing in a state before Unprotect succeeds. An invalid
    // state throws, and the call ends.
    private static State? Open(ITimeLimitedDataProtector box, string? text) =>
        text is null ? null : JsonSerializer.Deserialize<State>(box.Unprotect(text));

    // Pitfall: an answer doesn't state its kind; you know it from the key.
    private static ElicitResult? Answer(IDictionary<string, InputResponse>? answers, string key) =>
        answers is not null && answers.TryGetValue(key, out var answer)
            ? answer.Deserialize(InputResponse.ElicitResultJsonTypeInfo)
            : null;

    private static JsonElement? Field(ElicitResult? said, string name) =>
        said?.Content is { } content && content.TryGetValue(name, out var value) ? value : null;

    // Ask returns an exception, so that the method ends at the question.
    private static Exception Ask(McpServer server, string key, string message, ElicitRequestParams.PrimitiveSchemaDefinition field, string? state)
    {
        // Pitfall: a stateless client of 2025-11-25 can't be asked at all.
        if (!server.IsMrtrSupported) return new InvalidOperationException("This tool asks back; it needs MCP 2026-07-28.");
        // Pitfall: forms are flat. They have no nested objects.
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

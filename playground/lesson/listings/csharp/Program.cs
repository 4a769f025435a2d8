// A server with one tool that asks two questions. In an empty folder:
//
//   dotnet new web
//   dotnet add package ModelContextProtocol.AspNetCore --version 2.4.0
//   (save this as Program.cs, over the one that is there)
//   MCP_KEY=$(openssl rand -hex 32) dotnet run
using System.Buffers.Text;
using System.ComponentModel;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.DataProtection;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

var builder = WebApplication.CreateBuilder(args);

// Pitfall: the SDK sends requestState unprotected. Sealed encrypts it, Signed only
// signs. Pitfall: all instances need the same keys, also after a restart: those of
// Data Protection in a folder or store that they share, and the same MCP_KEY.
builder.Services.AddDataProtection().SetApplicationName("deployer")
    .PersistKeysToFileSystem(new DirectoryInfo(builder.Configuration["KEYS"] ?? "keys"));
builder.Services.AddSingleton<IProtection, Sealed>(); // or Signed

// Stateless is the default since 2.0. Pitfall: with a stateful session, the SDK
// rejects this revision.
builder.Services.AddMcpServer().WithHttpTransport().WithTools<Deployer>();

var app = builder.Build();
app.MapMcp("/mcp"); // with sign-in: AddAuthentication, AddAuthorization, RequireAuthorization
app.Run("http://127.0.0.1:8080");

/// <summary>What protects the claims of a state, and binds them to a call and a user.</summary>
public interface IProtection
{
    string Seal(string about, string claims);
    string Open(string about, string text); // throws CryptographicException
}

/// <summary>Encrypts, and sets an expiry. The client can't read the state.</summary>
public sealed class Sealed(IDataProtectionProvider provider) : IProtection
{
    private ITimeLimitedDataProtector For(string about) =>
        provider.CreateProtector("requestState", about).ToTimeLimitedDataProtector();

    public string Seal(string about, string claims) => For(about).Protect(claims, TimeSpan.FromMinutes(10));
    public string Open(string about, string text) => For(about).Unprotect(text);
}

/// <summary>Only signs. The client can read the claims: no secrets.</summary>
public sealed class Signed(IConfiguration configuration) : IProtection
{
    private readonly byte[] key = SHA256.HashData(Encoding.UTF8.GetBytes(configuration["MCP_KEY"]!));

    public string Seal(string about, string claims)
    {
        var dated = Encoding.UTF8.GetBytes($"{DateTimeOffset.UtcNow.AddMinutes(10).ToUnixTimeSeconds()} {claims}");
        return Base64Url.EncodeToString([.. Mac(about, dated), .. dated]);
    }

    public string Open(string about, string text)
    {
        byte[] data;
        try { data = Base64Url.DecodeFromChars(text); }
        catch (FormatException) { throw new CryptographicException(); }
        // Pitfall: not every Base64 decoder is strict. A change of unused bits goes undetected.
        if (data.Length < 32 || Base64Url.EncodeToString(data) != text) throw new CryptographicException();
        var dated = data[32..];
        if (!CryptographicOperations.FixedTimeEquals(data.AsSpan(0, 32), Mac(about, dated))) throw new CryptographicException();
        var parts = Encoding.UTF8.GetString(dated).Split(' ', 2);
        if (long.Parse(parts[0]) <= DateTimeOffset.UtcNow.ToUnixTimeSeconds()) throw new CryptographicException();
        return parts[1];
    }

    // The digest has always 32 bytes, so no claims can pass for a part of it.
    private byte[] Mac(string about, byte[] dated)
    {
        byte[] text = [.. SHA256.HashData(Encoding.UTF8.GetBytes(about)), .. dated];
        return HMACSHA256.HashData(key, text);
    }
}

[McpServerToolType]
public class Deployer(IProtection protection)
{
    // What the server has to remember after round 2. Pitfall: store only what the
    // retry doesn't contain.
    private sealed record State(string When);

    // Runs from the start in every round. Pitfall: have no side effects before the
    // last answer. A retry may never come, or may come twice.
    [McpServerTool(Name = "deploy"), Description("Deploys an app after two questions.")]
    public string Deploy(RequestContext<CallToolRequestParams> context, string app)
    {
        // The user that ASP.NET Core verified. Without sign-in, it is anonymous. Pitfall:
        // don't bind a state to the token. A new token of the same user must be able to continue.
        var user = context.User?.FindFirstValue(ClaimTypes.NameIdentifier) ?? "";
        // Pitfall: without this, the state is valid for any tool, arguments and user.
        var about = JsonSerializer.Serialize(new[] { "deploy", app, user });
        var kept = Open(about, context.Params!.RequestState);
        var answers = context.Params!.InputResponses;

        var when = kept?.When;
        if (when is null)
        {
            var said = Answer(answers, "when");
            if (said is { Action: not "accept" }) return "Nothing was deployed: no time was chosen.";
            when = Field(said, "when")?.ToString();
            // Pitfall: the SDK doesn't validate answers.
            if (when is not ("now" or "tonight")) throw Ask(context, "when", "When?", Choice("now", "tonight"), state: null);
        }

        var sure = Answer(answers, "sure");
        // Pitfall: without a state, this was not asked yet. Ignore an answer that came too
        // early. Pitfall: ElicitAsync throws on a stateless server.
        var yes = Field(sure, "sure")?.ValueKind;
        if (kept is null || sure is null || sure.IsAccepted && yes is not (JsonValueKind.True or JsonValueKind.False))
        {
            var state = protection.Seal(about, JsonSerializer.Serialize(new State(when)));
            throw Ask(context, "sure", $"Deploy {app} {when}?", new ElicitRequestParams.BooleanSchema { Title = "Yes, deploy" }, state);
        }
        if (sure.Action != "accept") return "Nothing was deployed: it was not confirmed.";
        // Pitfall: accept means submitted, not yes. The box can be cleared.
        if (yes != JsonValueKind.True) return "Nothing was deployed: the box was not ticked.";
        return $"Deployed {app} {when}.";
    }

    // Pitfall: trust nothing in a state before it is opened.
    private State? Open(string about, string? text)
    {
        try
        {
            return text is null ? null : JsonSerializer.Deserialize<State>(protection.Open(about, text));
        }
        catch (CryptographicException)
        {
            throw new McpProtocolException("requestState was not accepted", McpErrorCode.InvalidParams);
        }
    }

    // Pitfall: an answer doesn't state its kind; you know it from the key.
    private static ElicitResult? Answer(IDictionary<string, InputResponse>? answers, string key)
    {
        if (answers is null || !answers.TryGetValue(key, out var answer)) return null;
        try
        {
            return answer.Deserialize(InputResponse.ElicitResultJsonTypeInfo);
        }
        catch (JsonException) // Pitfall: the SDK would make a tool error of it, with isError.
        {
            throw new McpProtocolException($"the answer to {key} is malformed", McpErrorCode.InvalidParams);
        }
    }

    private static JsonElement? Field(ElicitResult? said, string name) =>
        said?.Content is { } content && content.TryGetValue(name, out var value) ? value : null;

    // Ask returns an exception, so that the method ends at the question.
    private static Exception Ask(RequestContext<CallToolRequestParams> context, string key, string message, ElicitRequestParams.PrimitiveSchemaDefinition field, string? state)
    {
        // Pitfall: a stateless client of 2025-11-25 can't be asked at all.
        if (!context.Server.IsMrtrSupported) return new InvalidOperationException("This tool asks back; it needs MCP 2026-07-28.");
        // Pitfall: ask only for what the request declared. The SDK doesn't check that. Without
        // sessions, Server.ClientCapabilities is null.
        var declared = context.JsonRpcMessage.Context?.ClientCapabilities?.Elicitation;
        if (declared?.Form is null) // error -32021
        {
            return new MissingRequiredClientCapabilityException(new() { Elicitation = new() { Form = new() } });
        }
        // Pitfall: forms are flat. They have no nested objects.
        var form = new ElicitRequestParams
        {
            Message = message,
            RequestedSchema = new() { Properties = { [key] = field }, Required = [key] },
        };
        var questions = new Dictionary<string, InputRequest> { [key] = InputRequest.ForElicitation(form) };
        return new InputRequiredException(inputRequests: questions, requestState: state);
    }

    private static ElicitRequestParams.UntitledSingleSelectEnumSchema Choice(params string[] values) => new() { Enum = values };
}

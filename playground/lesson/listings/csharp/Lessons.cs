// A server with one tool per lesson. The lines between // [slug] and // [/slug]
// are those that the lesson shows. Below them, it shows what they name.
//
//   dotnet new web
//   dotnet add package ModelContextProtocol.AspNetCore --version 2.4.0
//   dotnet add package ModelContextProtocol.Extensions.Tasks --version 2.4.0
//   dotnet add package Microsoft.AspNetCore.Authentication.JwtBearer
//   rm Program.cs && MCP_KEY=$(openssl rand -hex 32) dotnet run
#pragma warning disable MCPEXP001, MCPEXP002, MCPEXP004 // tasks are experimental in the SDK
using System.Buffers.Text;
using System.Net.Http.Json;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Authentication.JwtBearer;
using ModelContextProtocol;
using ModelContextProtocol.AspNetCore.Authentication;
using ModelContextProtocol.Extensions.Tasks;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Answers = System.Collections.Generic.IDictionary<string, ModelContextProtocol.Protocol.InputResponse>;
using Call = ModelContextProtocol.Server.RequestContext<ModelContextProtocol.Protocol.CallToolRequestParams>;
using Field = ModelContextProtocol.Protocol.ElicitRequestParams.PrimitiveSchemaDefinition;
using Questions = System.Collections.Generic.Dictionary<string, ModelContextProtocol.Protocol.InputRequest>;

if (args is ["call", var url])
{
    await Client.Run(url);
    return;
}
var builder = WebApplication.CreateBuilder(args);
var login = builder.Configuration["LOGIN"]; // URL of your authorization server; null: callers are anonymous
if (login != null) Protection.Add(builder, login);
builder.Services.AddMcpServer()
    .WithHttpTransport() // stateless
    .WithTools<Lessons>()
    // The store of the tasks. This one is in the memory of one process: with several
    // instances, implement IMcpTaskStore over a store that all of them share.
    .WithTasks(new InMemoryMcpTaskStore());
var app = builder.Build();
var endpoint = app.MapMcp("/mcp");
if (login != null) endpoint.RequireAuthorization();
app.MapPost("/orders", Orders.Order);
app.MapPost("/connect", (string visit) => Visits.Finish(visit));
app.Run("http://127.0.0.1:8080");

public static class Protection
{
    public static void Add(WebApplicationBuilder builder, string login)
    {
        // [signing-in]
        const string resource = "http://127.0.0.1:8080/mcp";
        builder.Services.AddAuthentication(options =>
        {
            options.DefaultAuthenticateScheme = JwtBearerDefaults.AuthenticationScheme;
            options.DefaultChallengeScheme = McpAuthenticationDefaults.AuthenticationScheme;
        })
        // Checks the signature, the issuer, the expiry and the audience of a token.
        .AddJwtBearer(options => (options.Authority, options.Audience) = (login, resource))
        // Serves the metadata, and names its address in the challenge of a 401.
        .AddMcp(options => options.ResourceMetadata = new()
        {
            AuthorizationServers = { login }, ScopesSupported = ["bugs:write"],
        });
        builder.Services.AddAuthorization();
        // [/signing-in]
    }
}

/// <summary>What the server has to remember between two rounds.</summary>
public sealed record Memory(Dictionary<string, JsonElement>? Answers = null, int Done = 0, int Sum = 0, string? Id = null)
{
    public DateTimeOffset Expires { get; init; } = DateTimeOffset.UtcNow.AddMinutes(10);
}

public static class Box
{
    // MCP_KEY is the same for all instances.
    private static AesGcm Aes =>
        new(SHA256.HashData(Encoding.UTF8.GetBytes(Environment.GetEnvironmentVariable("MCP_KEY")!)), 16);

    // [sealed-state]
    public static string Seal(byte[] about, Memory memory)
    {
        byte[] text = JsonSerializer.SerializeToUtf8Bytes(memory), tag = new byte[16];
        byte[] hidden = new byte[text.Length], nonce = RandomNumberGenerator.GetBytes(12);
        Aes.Encrypt(nonce, text, hidden, tag, about);
        return Base64Url.EncodeToString([.. nonce, .. tag, .. hidden]);
    }
    public static Memory? Open(byte[] about, string state)
    {
        var data = Decode(state); // strict: decoded and encoded again, it is the same
        var text = new byte[data.Length - 28];
        Aes.Decrypt(data.AsSpan(0, 12), data.AsSpan(28), data.AsSpan(12, 16), text, about);
        return Fresh(JsonSerializer.Deserialize<Memory>(text)); // null: expired
    }
    // [/sealed-state]

    /// <summary>Opened returns null for a state that is not ours, was changed, is too old or of another call.</summary>
    public static Memory? Opened(byte[] about, string state)
    {
        try
        {
            return Open(about, state);
        }
        catch (Exception e) when (e is FormatException or CryptographicException or JsonException)
        {
            return null;
        }
    }

    private static Memory? Fresh(Memory? memory) => memory?.Expires > DateTimeOffset.UtcNow ? memory : null;

    private static byte[] Decode(string state)
    {
        var data = Base64Url.DecodeFromChars(state);
        if (data.Length < 28 || Base64Url.EncodeToString(data) != state) throw new FormatException();
        return data;
    }
}

[McpServerToolType]
public class Lessons
{
    [McpServerTool(Name = "greet")]
    public string Greet(Call call)
    {
        var answers = call.Params!.InputResponses;
        // [why]
        var answer = Form(answers, "name");
        if (answer is null)
        {
            // The request ends with this exception. No process waits for the answer.
            throw Ask("name", "What is your name?", new ElicitRequestParams.StringSchema());
        }
        // The same call again, with the answer. Another instance may have asked.
        return answer.IsAccepted ? $"Hello, {Value(answer, "name")}!" : "Hello!";
        // [/why]
    }

    [McpServerTool(Name = "close_task")]
    public string CloseTask(Call call, int workItemId)
    {
        var answers = call.Params!.InputResponses;
        // [one-round]
        if (Form(answers, "completed_work") is not { } answer)
        {
            var hours = new ElicitRequestParams.NumberSchema();
            throw new InputRequiredException(new Questions
            {
                ["completed_work"] = InputRequest.ForElicitation(new() // your key
                {
                    Message = $"Hours of work on task #{workItemId}?",
                    RequestedSchema = new() { Properties = { ["hours"] = hours } },
                }),
            });
        }
        return Closed(workItemId, answer); // checks the action and the number
        // [/one-round]
    }

    private static string Closed(int workItemId, ElicitResult answer) =>
        answer.IsAccepted && Value(answer, "hours") is { ValueKind: JsonValueKind.Number } hours
            ? $"Task #{workItemId} closed after {hours} hours."
            : "The task stays open.";

    [McpServerTool(Name = "resolve_bug")]
    public string ResolveBug(Call call, int workItemId)
    {
        var answers = call.Params!.InputResponses;
        // [rounds]
        var kept = Kept(call); // what the state remembers: nothing in rounds 1 and 2
        var resolution = kept.Id ?? Text(Form(answers, "resolution"), "resolution");
        var original = Form(answers, "duplicate_of");
        if (resolution is null) throw Ask("resolution", "Which resolution?", Either);
        if (resolution == "Duplicate" && original is null)
        {
            // The client answers only the latest question, so the state has the first answer.
            var state = Box.Seal(About(call), new Memory(Id: resolution));
            throw Ask("duplicate_of", "Of which bug?", Integer, state);
        }
        return Resolved(resolution, original);
        // [/rounds]
    }

    // Both questions can be declined, and the SDK doesn't check answers.
    private static string Resolved(string resolution, ElicitResult? original) => resolution switch
    {
        "Fixed" => "Resolved as fixed.",
        "Duplicate" when Value(original, "id") is { ValueKind: JsonValueKind.Number } id => $"Resolved as a duplicate of bug {id}.",
        _ => "The bug stays open.",
    };

    private static Questions TripInputs() => new()
    {
        ["wishes"] = InputRequest.ForElicitation(Question("What do you like?", "mood")),
        // [questions]
        ["ideas"] = InputRequest.ForSampling(new() { MaxTokens = 99, Messages = [Prompt] }),
        // [/questions]
        ["folders"] = InputRequest.ForRootsList(new()),
    };

    [McpServerTool(Name = "plan_trip")]
    public string PlanTrip(Call call, string city)
    {
        var have = Collect(call, TripInputs());
        // An answer doesn't say its kind. You know it from the key.
        var wishes = have["wishes"].Deserialize(InputResponse.ElicitResultJsonTypeInfo);
        var folders = have["folders"].Deserialize(InputResponse.ListRootsResultJsonTypeInfo);
        // [questions]
        var ideas = have["ideas"].Deserialize(InputResponse.CreateMessageResultJsonTypeInfo);
        var idea = ideas!.Content.OfType<TextContentBlock>().FirstOrDefault()?.Text;
        // [/questions]
        if (wishes is not { IsAccepted: true }) return "No trip.";
        return $"{Value(wishes, "mood")} in {city}, {folders!.Roots.Count} folders. {idea}";
    }

    [McpServerTool(Name = "delete_records")]
    public string DeleteRecords(Call call)
    {
        var answers = call.Params!.InputResponses;
        // [saying-no]
        var answer = Form(answers, "confirm");
        if (answer is null) throw Ask("confirm", "Delete old orders?", Yes);
        return answer.Action switch
        {
            "decline" => "Nothing was deleted: the person said no. Do not try again.",
            "cancel" => "Nothing was deleted: the form was closed. It may be asked again.",
            // accept means submitted, not yes.
            "accept" when IsYes(answer, "confirm") => "Deleted.",
            _ => "Nothing was deleted: the box was not ticked.",
        };
        // [/saying-no]
    }

    [McpServerTool(Name = "connect")]
    public string Connect(Call call)
    {
        var answer = Form(call.Params!.InputResponses, "connect");
        var visit = Kept(call).Id ?? Guid.NewGuid().ToString("N");
        var state = Box.Seal(About(call), new Memory(Id: visit));
        // [url-mode]
        // visit names this visit. It is in the link, and comes back in the state.
        var url = $"http://127.0.0.1:8080/connect?visit={visit}";
        if (answer is { IsAccepted: false }) return "Not connected.";
        // Whether it is finished is in a record of the server: the page has the key.
        if (Visits.IsFinished(visit)) return "Connected.";
        // accept means "I agree to open it", so ask until the page is finished.
        var page = InputRequest.ForElicitation(
            new() { Mode = "url", Message = "Enter your key.", Url = url });
        MayAsk(call, new() { ["connect"] = page });
        throw new InputRequiredException(new Questions { ["connect"] = page }, state);
        // [/url-mode]
    }

    [McpServerTool(Name = "welcome")]
    public string Welcome(Call call, McpServer server, string? name = null)
    {
        var answers = call.Params!.InputResponses;
        // [legacy]
        if (Form(answers, "name") is { } answer) name = Text(answer, "name");
        if (!string.IsNullOrEmpty(name)) return $"Welcome, {name}!";
        // An older client without a session can't be asked.
        if (!server.IsMrtrSupported)
        {
            throw new McpException("welcome needs the argument name from this client");
        }
        throw Ask("name", "What is your name?", new ElicitRequestParams.StringSchema());
        // [/legacy]
    }

    [McpServerTool(Name = "count_primes")]
    public string CountPrimes(Call call, int below)
    {
        below = Math.Min(below, 1_000_000);
        // [nothing-to-ask]
        var kept = Kept(call);
        var sum = kept.Sum;
        for (var stage = kept.Done; stage < 10; stage++)
        {
            if (stage == kept.Done + 6) // Six stages are enough for one request.
            {
                var state = Box.Seal(About(call), new Memory(Done: stage, Sum: sum));
                throw new InputRequiredException(requestState: state); // only a state
            }
            sum += PrimesIn(below * stage / 10, below * (stage + 1) / 10);
        }
        return $"{sum} primes below {below}";
        // [/nothing-to-ask]
    }

    private static int PrimesIn(int from, int to) => Enumerable.Range(from, to - from)
        .Count(n => n > 1 && Enumerable.Range(2, (int)Math.Sqrt(n)).All(d => d >= n || n % d != 0));

    /// <summary>Collect returns the answers to all inputs, or throws a result that asks for those that are missing.</summary>
    private static Dictionary<string, InputResponse> Collect(Call call, Questions inputs)
    {
        var kept = (Kept(call).Answers ?? new()).ToDictionary(p => p.Key, p => p.Value.Deserialize<InputResponse>()!);
        var answers = call.Params!.InputResponses ?? new Dictionary<string, InputResponse>();
        // [rolling-upgrade]
        Dictionary<string, InputResponse> have = new();
        Questions missing = new();
        foreach (var (key, question) in inputs) // this version's; other keys are ignored
        {
            // maybe of another version; a late answer changes nothing
            if (kept.TryGetValue(key, out var old)) have[key] = old;
            else if (answers.TryGetValue(key, out var answer)) have[key] = answer;
            else missing[key] = question;
        }
        if (missing.Count == 0) return have;
        // [/rolling-upgrade]
        MayAsk(call, missing);
        var memory = new Memory(have.ToDictionary(p => p.Key, p => JsonSerializer.SerializeToElement(p.Value)));
        throw new InputRequiredException(missing, have.Count > 0 ? Box.Seal(About(call), memory) : null);
    }

    [McpServerTool(Name = "link_accounts")]
    public string LinkAccounts(Call call)
    {
        string[] services = ["github", Environment.GetEnvironmentVariable("VERSION") == "1" ? "google" : "microsoft"];
        var inputs = services.ToDictionary(s => s, s => InputRequest.ForElicitation(Question($"Your name at {s}?", "name")));
        var have = Collect(call, new Questions(inputs));
        return "Linked" + string.Concat(services.Select(s => $" {s}={Value(Form(have, s), "name")}"));
    }

    [McpServerTool(Name = "redeem")]
    public string Redeem(Call call)
    {
        var shared = Environment.GetEnvironmentVariable("SHARED") ?? Path.GetTempPath(); // of all instances
        var answer = Form(call.Params!.InputResponses, "redeem");
        var kept = Kept(call);
        // [attacks]
        if (kept.Id is null || answer is null)
        {
            var id = Guid.NewGuid().ToString("N"); // of this one voucher
            throw Ask("redeem", "Redeem it?", Yes, Box.Seal(About(call), new Memory(Id: id)));
        }
        if (!IsYes(answer, "redeem")) return "The voucher was not redeemed.";
        // The same retry can come twice. One of the two creates the record, as with a
        // unique key in a database. All instances share the records.
        var record = Path.Combine(shared, kept.Id);
        try { File.Open(record, FileMode.CreateNew).Dispose(); }
        catch (IOException) when (File.Exists(record))
        { throw new McpException("This voucher was redeemed before; it counts once."); }
        // [/attacks]
        return "The voucher was redeemed for 25 euro.";
    }

    // [who-are-you]
    // What a state is bound to: the user and the call. The token is not in it, because
    // a new token of the same user must be able to continue.
    private static byte[] About(Call call)
    {
        // The user that AddAuthentication of ASP.NET Core verified; null is anonymous.
        var user = call.User?.FindFirstValue(ClaimTypes.NameIdentifier);
        var arguments = new SortedDictionary<string, JsonElement>(
            call.Params!.Arguments ?? NoArguments, StringComparer.Ordinal);
        object?[] about = [user, call.Params.Name, arguments];
        return JsonSerializer.SerializeToUtf8Bytes(about);
    }
    // [/who-are-you]

    private static readonly Dictionary<string, JsonElement> NoArguments = new();

    private static Memory Kept(Call call)
    {
        if (call.Params!.RequestState is not { } state) return new Memory();
        return Box.Opened(About(call), state) ?? throw new McpProtocolException(
            "requestState was not accepted; start the call again without it", McpErrorCode.InvalidParams);
    }

    // Shows says whether a client shows the questions: pages to open, or forms. An empty
    // object means forms only.
    private static bool Shows(ElicitationCapability? can, Questions questions) =>
        questions.Values.All(q => q.ElicitationParams is not { } asked ||
            (asked.Mode == "url" ? can is { Url: not null } : can is { Form: not null } or { Url: null }));

    // Modes is what a client has to declare for the questions.
    private static ElicitationCapability Modes(Questions questions) =>
        questions.Values.Any(q => q.ElicitationParams?.Mode == "url") ? new() { Url = new() } : new() { Form = new() };

    private static void MayAsk(Call call, Questions questions)
    {
        // [questions]
        var can = call.JsonRpcMessage.Context?.ClientCapabilities ?? new(); // of this request
        var asks = questions.Values.Select(question => question.Method).ToHashSet();
        var need = new ClientCapabilities();
        if (!Shows(can.Elicitation, questions)) need.Elicitation = Modes(questions);
        if (can.Sampling is null && asks.Contains("sampling/createMessage"))
            need.Sampling = new();
        if (can.Roots is null && asks.Contains("roots/list"))
            need.Roots = new();
        if (need is not { Elicitation: null, Sampling: null, Roots: null }) // error -32021
        {
            throw new MissingRequiredClientCapabilityException(need);
        }
        // [/questions]
    }

    // [tasks]
    // WithTasks(store) makes a task of this call if the request declared the extension.
    // The SDK keeps the task, and answers tasks/get and tasks/update.
    [McpServerTool(Name = "report")]
    public async Task<string> Report(McpServer server, CancellationToken cancelled)
    {
        // In a task, ElicitAsync is a question of the task: the status is input_required,
        // the code waits here, and tasks/update brings the answer.
        var answer = await server.ElicitAsync(Question("Which tone?", "tone"), cancelled);
        return answer.IsAccepted ? $"A {Value(answer, "tone")} report." : "No report.";
    }
    // [/tasks]

    private static SamplingMessage Prompt => new()
    {
        Role = Role.User,
        Content = [new TextContentBlock { Text = "One sight, please." }],
    };

    private static Field Yes => new ElicitRequestParams.BooleanSchema();

    private static Field Integer => new ElicitRequestParams.NumberSchema { Type = "integer" };

    private static Field Either => new ElicitRequestParams.UntitledSingleSelectEnumSchema { Enum = ["Fixed", "Duplicate"] };

    private static ElicitRequestParams Question(string message, string name) => new()
    {
        Message = message,
        RequestedSchema = new() { Properties = { [name] = new ElicitRequestParams.StringSchema() }, Required = [name] },
    };

    private static InputRequiredException Ask(string key, string message, Field field, string? state = null)
    {
        var name = key == "duplicate_of" ? "id" : key;
        var form = new ElicitRequestParams
        {
            Message = message,
            RequestedSchema = new() { Properties = { [name] = field }, Required = [name] },
        };
        return new InputRequiredException(new Questions { [key] = InputRequest.ForElicitation(form) }, state);
    }

    private static ElicitResult? Form(Answers? answers, string key) =>
        answers is not null && answers.TryGetValue(key, out var answer)
            ? answer.Deserialize(InputResponse.ElicitResultJsonTypeInfo)
            : null;

    private static JsonElement? Value(ElicitResult? answer, string name) =>
        answer?.Content is { } content && content.TryGetValue(name, out var value) ? value : null;

    // A decline counts as an answer without a value.
    private static string? Text(ElicitResult? answer, string name) =>
        answer is null ? null : Value(answer, name)?.ToString() ?? "";

    private static bool IsYes(ElicitResult answer, string name) =>
        answer.IsAccepted && Value(answer, name)?.ValueKind == JsonValueKind.True;
}

/// <summary>The pages that visits open. Real ones ask for the key, and check who their user is.</summary>
public static class Visits
{
    private static string RecordOf(string visit) => Path.Combine(
        Environment.GetEnvironmentVariable("SHARED") ?? Path.GetTempPath(), $"visit-{Path.GetFileName(visit)}");

    public static bool IsFinished(string visit) => File.Exists(RecordOf(visit));

    public static void Finish(string visit) => File.Create(RecordOf(visit)).Dispose();
}

/// <summary>The checkout without MCP: a JSON API of one's own.</summary>
public static class Orders
{
    public sealed record Sent(string Item, string? State, string? Answer);

    public static IResult Order(Sent order)
    {
        // [without-mcp]
        var about = JsonSerializer.SerializeToUtf8Bytes(new[] { "order", order.Item });
        if (order.State is null)
        {
            var number = RandomNumberGenerator.GetInt32(10, 100).ToString();
            var state = Box.Seal(about, new Memory(Id: number)); // it has the right number
            var message = $"Your banking app shows {number}";
            return Results.Ok(new { status = "input_required", message, state });
        }
        var kept = Box.Opened(about, order.State); // null: of another order, or too old
        if (kept is null || kept.Id != order.Answer) return Results.BadRequest();
        return Results.Ok(new { status = "complete", message = $"Ordered {order.Item}." });
        // [/without-mcp]
    }
}

/// <summary>One round by hand. Calls the tool greet, answers its question, and prints both results.</summary>
public static class Client
{
    private static readonly HttpClient Http = new();

    private static Task<HttpResponseMessage> Post(string url, int id, Dictionary<string, object> parameters)
    {
        // [http]
        parameters["_meta"] = new Dictionary<string, object> // in every request
        {
            ["io.modelcontextprotocol/protocolVersion"] = "2026-07-28",
            ["io.modelcontextprotocol/clientCapabilities"] = new { elicitation = new { } },
        };
        var call = new { jsonrpc = "2.0", id, method = "tools/call", @params = parameters };
        var request = new HttpRequestMessage(HttpMethod.Post, url);
        request.Content = JsonContent.Create(call);
        request.Headers.Add("Accept", "application/json, text/event-stream");
        request.Headers.Add("MCP-Protocol-Version", "2026-07-28"); // as in _meta
        request.Headers.Add("Mcp-Method", "tools/call"); // as method
        request.Headers.Add("Mcp-Name", "greet"); // as params.name
        return Http.SendAsync(request);
        // [/http]
    }

    public static async Task Run(string url)
    {
        var parameters = new Dictionary<string, object> { ["name"] = "greet", ["arguments"] = new { } };
        Console.WriteLine(await (await Post(url, 1, parameters)).Content.ReadAsStringAsync());
        parameters["inputResponses"] = new { name = new { action = "accept", content = new { name = "Ada" } } };
        Console.WriteLine(await (await Post(url, 2, parameters)).Content.ReadAsStringAsync());
    }
}

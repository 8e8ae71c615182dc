using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading.Tasks;
using Einvoice.Types;

namespace Einvoice
{
    /// <summary>Why a call has no result.</summary>
    public sealed class EinvoiceException : Exception
    {
        internal EinvoiceException(Problem problem, Exception cause) : base(problem.Detail, cause) { Problem = problem; }
        internal EinvoiceException(string code, string detail, Exception cause = null) : this(new Problem { ErrorCode = code, Detail = detail }, cause) { }

        /// <summary>All that is known of it; ErrorCode is a stable code.</summary>
        public Problem Problem { get; private set; }
    }

    /// <summary>What a call can be asked beside its document; null for what is usual.</summary>
    [DataContract]
    public class CallOptions
    {
        [DataMember(Name = "language", EmitDefaultValue = false)] public string Language { get; set; }
        [DataMember(Name = "format", EmitDefaultValue = false)] public string Format { get; set; }
        [DataMember(Name = "at", EmitDefaultValue = false)] public string At { get; set; }
        [DataMember(Name = "overlays", EmitDefaultValue = false)] public List<string> Overlays { get; set; }
        [DataMember(Name = "strict", EmitDefaultValue = false)] public bool? Strict { get; set; }
    }

    /// <summary>
    /// Asks the module in a process of a runtime of WebAssembly, one call after the other. A process
    /// that takes longer than a call may, or dies, is ended, and the next call begins another one.
    /// </summary>
    public sealed class Validator : IDisposable
    {
        private const int MostAnswer = 64 << 20; // bytes

        private readonly object turn = new object();
        private readonly string program, arguments;
        private readonly int milliseconds;
        private Process process;

        /// <summary>A validator by the first of wasmtime and wazero that is on the PATH.</summary>
        public Validator(int milliseconds = 60000) : this(null, null, milliseconds) { }

        /// <summary>A validator by a command that answers lines of requests by lines of answers.</summary>
        public Validator(string program, string arguments, int milliseconds = 60000)
        {
            this.program = program;
            this.arguments = arguments;
            this.milliseconds = milliseconds;
            if (program != null) return;
            var module = "\"" + Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "einvoice.wasm") + "\"";
            foreach (var folder in (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator))
            {
                foreach (var ending in new[] { "", ".exe" })
                {
                    if (File.Exists(Path.Combine(folder, "wasmtime" + ending)))
                    {
                        this.program = Path.Combine(folder, "wasmtime" + ending);
                        this.arguments = "run -C cache=y " + module;
                        return;
                    }
                    if (File.Exists(Path.Combine(folder, "wazero" + ending)))
                    {
                        this.program = Path.Combine(folder, "wazero" + ending);
                        this.arguments = "run -cachedir \"" + Path.Combine(Path.GetTempPath(), "einvoice-" + Environment.UserName) + "\" " + module;
                        return;
                    }
                }
            }
            throw new EinvoiceException("RUNTIME-MISSING", "There is no wasmtime and no wazero on the PATH. Install one, or name a command.");
        }

        /// <summary>Validates an invoice in XML.</summary>
        public ValidationResult Validate(byte[] document, CallOptions options = null)
        {
            return Call<ValidationResult>("validate", "\"document\":\"" + Convert.ToBase64String(document) + "\"", options);
        }

        /// <summary>Converts an invoice into "ubl" or "cii".</summary>
        public ConvertedDocument ConvertTo(byte[] document, string to, CallOptions options = null)
        {
            return Call<ConvertedDocument>("convert", "\"document\":\"" + Convert.ToBase64String(document) + "\",\"to\":" + Json(to), options);
        }

        /// <summary>Creates a document ("ubl", "cii", "xrechnung") of a request.</summary>
        public MadeDocument Create(CreateInvoiceRequest request, string to, CallOptions options = null)
        {
            return CreateFromJson(Json(request), to, options);
        }

        /// <summary>Creates a document of a request that is JSON.</summary>
        public MadeDocument CreateFromJson(string request, string to, CallOptions options = null)
        {
            return Call<MadeDocument>("create", "\"request\":" + request.Replace("\n", " ").Replace("\r", " ") + ",\"to\":" + Json(to), options);
        }

        /// <summary>Ends the process.</summary>
        public void Dispose()
        {
            lock (turn) End();
        }

        [DataContract]
        private class Answer<T>
        {
            [DataMember(Name = "result")] public T Result { get; set; }
            [DataMember(Name = "problem")] public Problem Problem { get; set; }
        }

        private static string Json<T>(T value)
        {
            using (var text = new MemoryStream())
            {
                new DataContractJsonSerializer(typeof(T)).WriteObject(text, value);
                return Encoding.UTF8.GetString(text.ToArray());
            }
        }

        private T Call<T>(string operation, string members, CallOptions options)
        {
            var more = Json(options ?? new CallOptions());
            more = more == "{}" ? "" : "," + more.Substring(1, more.Length - 2);
            var line = "{\"operation\":\"" + operation + "\",\"milliseconds\":" + milliseconds.ToString(CultureInfo.InvariantCulture) + "," + members + more + "}\n";
            byte[] reply;
            lock (turn) reply = Ask(line);
            Answer<T> answer;
            using (var text = new MemoryStream(reply))
            {
                answer = (Answer<T>)new DataContractJsonSerializer(typeof(Answer<T>)).ReadObject(text);
            }
            if (answer.Problem != null) throw new EinvoiceException(answer.Problem, null);
            return answer.Result;
        }

        private byte[] Ask(string line)
        {
            try
            {
                if (process == null) Start();
                var bytes = Encoding.UTF8.GetBytes(line);
                var asked = Task.Run(() =>
                {
                    process.StandardInput.BaseStream.Write(bytes, 0, bytes.Length);
                    process.StandardInput.BaseStream.Flush();
                    return ReadLine(process.StandardOutput.BaseStream);
                });
                // The module looks at the clock itself, and is ended where it does not.
                if (asked.Wait(milliseconds + 5000) && asked.Result != null) return asked.Result;
                var code = asked.IsCompleted ? "INTERNAL" : "VALIDATION-TIMEOUT";
                End();
                throw new EinvoiceException(code, code == "INTERNAL" ? "The process ended, or its answer is too long. Its command is: " + program + " " + arguments : "The call took longer than it may and was ended.");
            }
            catch (Exception e) when (!(e is EinvoiceException))
            {
                End();
                throw new EinvoiceException("INTERNAL", "The process cannot be asked: " + e.Message + " Its command is: " + program + " " + arguments, e);
            }
        }

        // A StreamReader would wait for more where an answer ends with its buffer.
        private static byte[] ReadLine(Stream from)
        {
            var line = new MemoryStream();
            var part = new byte[1 << 16];
            while (line.Length <= MostAnswer)
            {
                var n = from.Read(part, 0, part.Length);
                if (n == 0) return null;
                line.Write(part, 0, n);
                if (part[n - 1] == '\n') return line.ToArray(); // an answer is one line, and nothing follows it
            }
            return null;
        }

        private void Start()
        {
            process = Process.Start(new ProcessStartInfo(program, arguments)
            {
                UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true, CreateNoWindow = true
            });
        }

        private void End()
        {
            if (process == null) return;
            try { process.Kill(); } catch (InvalidOperationException) { } // it has ended
            process.Dispose();
            process = null;
        }
    }
}

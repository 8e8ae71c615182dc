using System;
using System.IO;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using Einvoice;

/// <summary>Answers each line of requests by the package.</summary>
public static class Run
{
    [DataContract]
    private class Request
    {
        [DataMember(Name = "operation")] public string Operation { get; set; }
        [DataMember(Name = "path")] public string Path { get; set; }
        [DataMember(Name = "text")] public string Text { get; set; }
        [DataMember(Name = "to")] public string To { get; set; }
    }

    private static string Json(object value)
    {
        using (var text = new MemoryStream())
        {
            new DataContractJsonSerializer(value.GetType()).WriteObject(text, value);
            return Encoding.UTF8.GetString(text.ToArray());
        }
    }

    public static void Main()
    {
        var requests = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        var answers = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
        using (var validator = new Validator(600000))
        {
            for (var line = requests.ReadLine(); line != null; line = requests.ReadLine())
            {
                Request r;
                using (var text = new MemoryStream(Encoding.UTF8.GetBytes(line))) r = (Request)new DataContractJsonSerializer(typeof(Request)).ReadObject(text);
                try
                {
                    var document = r.Path != null ? File.ReadAllBytes(r.Path) : Encoding.UTF8.GetBytes(r.Text ?? "");
                    object result;
                    if (r.Operation == "validate") result = validator.Validate(document);
                    else if (r.Operation == "convert") result = validator.ConvertTo(document, r.To);
                    else result = validator.CreateFromJson(Member(line, "request"), r.To);
                    answers.Write("{\"result\":" + Json(result) + "}\n");
                }
                catch (EinvoiceException e)
                {
                    answers.Write("{\"problem\":" + Json(e.Problem) + "}\n");
                }
            }
        }
    }

    // The member is the last one of its line.
    private static string Member(string line, string name)
    {
        var at = line.IndexOf("\"" + name + "\":", StringComparison.Ordinal);
        return line.Substring(at + name.Length + 3, line.Length - at - name.Length - 4);
    }
}

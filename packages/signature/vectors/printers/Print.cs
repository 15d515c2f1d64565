using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;
using System.Web;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Prints how C# and Json.NET print the values of values.json, which is read from standard input.</summary>
static class Print
{
    static object Read(string json) => JsonConvert.DeserializeObject<object>(json);

    static bool IsNumber(string json) => Read(json) is double || Read(json) is long || Read(json) is System.Numerics.BigInteger;

    static string Invariant(object value) => Convert.ToString(value, CultureInfo.InvariantCulture);

    static void Main()
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        var printers = new Dictionary<string, Func<string, string>>
        {
            ["Convert.ToString(JsonConvert.DeserializeObject(json))"] = json => Invariant(Read(json)),
            ["JToken.ToString(Formatting.None)"] = json => Read(json) is JToken token ? token.ToString(Formatting.None) : null,
            ["JsonConvert.SerializeObject(value)"] = json => JsonConvert.SerializeObject(Read(json)),
            ["double.ToString()"] = json => IsNumber(json) ? double.Parse(json, CultureInfo.InvariantCulture).ToString(CultureInfo.InvariantCulture) : null,
            ["decimal.ToString()"] = json => IsNumber(json) && json.IndexOf('-') < 0
                ? decimal.Parse(json, NumberStyles.Float, CultureInfo.InvariantCulture).ToString(CultureInfo.InvariantCulture)
                : null,
            ["HttpUtility.HtmlEncode(value)"] = json => Read(json) is string text ? HttpUtility.HtmlEncode(text) : null,
        };
        var values = JsonConvert.DeserializeObject<Dictionary<string, string>>(Console.In.ReadToEnd());
        var printed = new Dictionary<string, Dictionary<string, string>>();
        foreach (var printer in printers)
        {
            printed[printer.Key] = new Dictionary<string, string>();
            foreach (var value in values)
            {
                string print;
                try { print = printer.Value(value.Value); }
                catch (OverflowException) { continue; }
                if (print != null) printed[printer.Key][value.Key] = print;
            }
        }
        var runtime = (string)Type.GetType("Mono.Runtime").GetMethod("GetDisplayName", System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static).Invoke(null, null);
        var version = $"Mono {runtime.Split(' ')[0]}, Json.NET {typeof(JsonConvert).Assembly.GetName().Version}";
        var all = new { language = "C#", version, printers = printed };
        var bytes = new UTF8Encoding(false).GetBytes(JsonConvert.SerializeObject(all, Formatting.Indented) + "\n");
        Console.OpenStandardOutput().Write(bytes, 0, bytes.Length);
    }
}

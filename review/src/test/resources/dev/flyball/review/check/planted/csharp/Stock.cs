using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis.CSharp.Scripting;
using Microsoft.Extensions.Logging;

namespace Shop.Stock;

public sealed record Part(string Name, double Weight, object? Tag = null);

public sealed class Stock
{
    public static readonly List<string> Listeners = new();

    private readonly ILogger<Stock> log;
    private readonly List<Part> parts = new();

    public Stock(ILogger<Stock> log) => this.log = log;

    public void Load(string path)
    {
        try
        {
            parts.AddRange(File.ReadLines(path).Select(line => new Part(line, double.NaN)));
        }
        catch (Exception)
        {
        }
    }

    public bool TryLoad(string path)
    {
        try
        {
            Load(path);
            return true;
        }
        catch (IOException e)
        {
            log.LogWarning(e, "not loaded");
            return false;
        }
    }

    public void Refresh(string path)
    {
        try
        {
            Load(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return;
        }
    }

    public int CountLines(string path)
    {
        var reader = new StreamReader(path);
        int count = 0;
        while (reader.ReadLine() is not null)
        {
            count++;
        }
        return count;
    }

    public string Ask(string host)
    {
        var client = new TcpClient(host, 7000);
        return new StreamReader(client.GetStream()).ReadLine() ?? "";
    }

    public string FirstLine(string path)
    {
        using var reader = new StreamReader(path);
        return reader.ReadLine() ?? "";
    }

    public FileStream Open(string path) => new(path, FileMode.Open);

    public Task<object> Evaluate(string formula) => CSharpScript.EvaluateAsync("return " + formula + ";");

    public object? Call(string type, string method)
    {
        return Type.GetType(type)?.GetMethod(method)?.Invoke(null, null);
    }

    public bool IsUnknown(Part part) => part.Weight == double.NaN;

    public bool HasUnknown() => parts.Exists(part => part.Weight.Equals(0) || float.NaN == part.Weight);

    public bool IsKnown(Part part) => !double.IsNaN(part.Weight);

    public bool IsSpare(Part part) => part.Tag == "spare";

    public bool IsNamed(Part part) => part.Name == "bolt";

    public bool Same(Part a, Part b) => ReferenceEquals(a.Weight, b.Weight);

    public bool SamePart(Part a, Part b) => ReferenceEquals(a, b) || a == b;

    public bool IsItself(Part part) => part.Name == part.Name;

    public List<string> Names()
    {
        var names = parts.Select(part => part.Name).ToList();
        foreach (var name in names)
        {
            name.Trim();
        }
        names.OrderBy(name => name.Length);
        names.Sort(StringComparer.Ordinal);
        return names;
    }

    public byte[] Header(Stream stream)
    {
        var bytes = new byte[16];
        stream.Read(bytes, 0, bytes.Length);
        return bytes;
    }

    public byte[] WholeHeader(Stream stream)
    {
        var bytes = new byte[16];
        stream.ReadExactly(bytes);
        return bytes;
    }

    public Part? First()
    {
        foreach (var part in parts)
        {
            return part;
        }
        return null;
    }

    public Part? Next(Queue<Part> queue)
    {
        while (queue.TryDequeue(out var part))
        {
            switch (part.Weight)
            {
                case > 0:
                    return part;
                default:
                    throw new InvalidOperationException(part.Name);
            }
        }
        return null;
    }

    public Part? Heaviest(double least)
    {
        foreach (var part in parts)
        {
            if (part.Weight >= least)
            {
                return part;
            }
        }
        return null;
    }

    public List<Part>[] Shelves(int number) => Enumerable.Repeat(new List<Part>(), number).ToArray();

    public List<Part>[] OwnShelves(int number) => Enumerable.Range(0, number).Select(_ => new List<Part>()).ToArray();

    public async void Save(string path)
    {
        await File.WriteAllLinesAsync(path, Names());
    }

    public async Task SaveAsync(string path, CancellationToken stop)
    {
        await File.WriteAllLinesAsync(path, Names(), stop);
    }
}

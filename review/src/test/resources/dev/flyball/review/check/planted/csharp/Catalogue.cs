using System;
using System.Collections.Generic;
using System.Data;
using System.Data.SqlClient;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Security;
using System.Runtime.Serialization.Formatters.Binary;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using System.Xml;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Html;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;
using Newtonsoft.Json;
using Rng = System.Random;

namespace Shop.Catalogue
{
    [ApiController]
    [Route("catalogue")]
    public sealed class CatalogueController : ControllerBase
    {
        private const string Root = "/srv/catalogue";
        private const string AllProducts = "SELECT * FROM Products";
        private readonly SqlConnection connection;
        private readonly ShopContext context;

        public CatalogueController(SqlConnection connection, ShopContext context)
        {
            this.connection = connection;
            this.context = context;
        }

        [HttpGet("by-name")]
        public IActionResult ByName(string name)
        {
            using var command = new SqlCommand("SELECT * FROM Products WHERE Name = '" + name + "'", connection);
            using var reader = command.ExecuteReader();
            return Ok(reader.HasRows);
        }

        [HttpGet("by-id")]
        public IActionResult ById(int id)
        {
            using var command = new SqlCommand(AllProducts + " WHERE Id = @id", connection);
            command.Parameters.AddWithValue("@id", id);
            return Ok(command.ExecuteScalar());
        }

        [HttpGet("search")]
        public IActionResult Search([FromQuery] string term, [FromQuery] string order)
        {
            var sql = new StringBuilder(AllProducts);
            sql.AppendFormat(" WHERE Name LIKE '%{0}%'", term);
            sql.Append(" ORDER BY ").Append(order);
            using var command = connection.CreateCommand();
            command.CommandText = sql.ToString();
            return Ok(command.ExecuteScalar());
        }

        [HttpGet("raw")]
        public IActionResult Raw(string category)
        {
            var products = context.Products.FromSqlRaw($"SELECT * FROM Products WHERE Category = '{category}'");
            return Ok(products.Count());
        }

        [HttpGet("interpolated")]
        public IActionResult Interpolated(string category)
        {
            var products = context.Products.FromSqlInterpolated($"SELECT * FROM Products WHERE Category = {category}");
            return Ok(products.Count());
        }

        [HttpGet("file")]
        public IActionResult Download([FromQuery] string name)
        {
            return PhysicalFile(Path.Combine(Root, name), "application/pdf");
        }

        [HttpGet("image")]
        public IActionResult Image([FromQuery] string name)
        {
            var image = Path.Combine(Root, "images", Path.GetFileName(name));
            return PhysicalFile(image, "image/png");
        }

        [HttpGet("note")]
        public async Task<IActionResult> Note()
        {
            string file = $"{Root}/notes/{Request.Query["note"]}";
            return Content(await System.IO.File.ReadAllTextAsync(file));
        }

        [HttpPost("convert")]
        public IActionResult Convert(string file)
        {
            Process.Start("/bin/sh", "-c \"convert " + file + " out.png\"");
            return NoContent();
        }

        [HttpPost("archive")]
        public IActionResult Archive(string folder)
        {
            var info = new ProcessStartInfo { FileName = "cmd.exe", UseShellExecute = false };
            info.Arguments = string.Format("/c tar czf out.tgz {0}", folder);
            using var process = Process.Start(info);
            process?.WaitForExit();
            return NoContent();
        }

        [HttpPost("list")]
        public IActionResult List(string folder)
        {
            var info = new ProcessStartInfo("ls") { ArgumentList = { "-l", folder } };
            using var process = Process.Start(info);
            return NoContent();
        }

        [HttpPost("restore")]
        public IActionResult Restore()
        {
            var formatter = new BinaryFormatter();
            return Ok(formatter.Deserialize(Request.Body));
        }

        [HttpPost("import")]
        public IActionResult Import([FromBody] string json)
        {
            var settings = new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.All };
            return Ok(JsonConvert.DeserializeObject<Product>(json, settings));
        }

        [HttpPost("import-plain")]
        public IActionResult ImportPlain([FromBody] string json)
        {
            return Ok(JsonConvert.DeserializeObject<Product>(json));
        }

        [HttpGet("title")]
        public IHtmlContent Title(string title) => new HtmlString($"<h1>{title}</h1>");

        [HttpPost("feed")]
        public IActionResult Feed()
        {
            var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Parse, XmlResolver = new XmlUrlResolver() };
            using var reader = XmlReader.Create(Request.Body, settings);
            return Ok(reader.Read());
        }

        [HttpPost("feed-safe")]
        public IActionResult FeedSafe()
        {
            var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit };
            using var reader = XmlReader.Create(Request.Body, settings);
            return Ok(reader.Read());
        }
    }

    public static class Secrets
    {
        public static string Token()
        {
            var random = new Random();
            return string.Concat(Enumerable.Range(0, 32).Select(_ => (char)('a' + random.Next(26))));
        }

        public static string ResetCode() => new Rng(Environment.TickCount).Next(1_000_000).ToString("D6");

        public static string ApiKey() => Convert.ToHexString(RandomNumberGenerator.GetBytes(32));

        public static TimeSpan Pause(int attempt) => TimeSpan.FromSeconds(Random.Shared.Next(1 << attempt));

        public static byte[] PasswordHash(string password)
        {
            using var md5 = MD5.Create();
            return md5.ComputeHash(Encoding.UTF8.GetBytes(password));
        }

        public static string PasswordDigest(string password) =>
            Convert.ToBase64String(((HashAlgorithm)CryptoConfig.CreateFromName("SHA1")!).ComputeHash(Encoding.UTF8.GetBytes(password)));

        public static byte[] Fingerprint(byte[] bytes) => SHA256.HashData(bytes);

        public static ICryptoTransform Sealer(byte[] key)
        {
            var aes = Aes.Create();
            aes.Key = key;
            aes.Mode = CipherMode.ECB;
            return aes.CreateEncryptor();
        }

        public static HttpClient Trusting()
        {
            var handler = new HttpClientHandler
            {
                ServerCertificateCustomValidationCallback = HttpClientHandler.DangerousAcceptAnyServerCertificateValidator,
            };
            return new HttpClient(handler);
        }

        public static SocketsHttpHandler Handler(bool lenient)
        {
            var handler = new SocketsHttpHandler();
            handler.SslOptions.RemoteCertificateValidationCallback += (_, _, _, errors) => true;
            return handler;
        }

        public static SslClientAuthenticationOptions Checked() =>
            new() { RemoteCertificateValidationCallback = (_, _, _, errors) => errors == SslPolicyErrors.None };
    }

    public static class Setup
    {
        public static void Configure(WebApplication app)
        {
            app.UseDeveloperExceptionPage();
            app.UseCors(policy => policy.SetIsOriginAllowed(_ => true).AllowCredentials());
            app.UseCors(policy => policy.WithOrigins("https://shop.example").AllowCredentials());
        }
    }
}

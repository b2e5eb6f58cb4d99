package desk.tickets

import java.io.File
import java.io.FileInputStream
import java.io.IOException
import java.io.ObjectInputStream
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.Paths
import java.security.MessageDigest
import java.security.SecureRandom
import java.security.cert.X509Certificate
import java.sql.Connection
import java.sql.ResultSet
import javax.crypto.Cipher
import javax.net.ssl.HostnameVerifier
import javax.net.ssl.X509TrustManager
import javax.script.ScriptEngineManager
import javax.xml.parsers.DocumentBuilderFactory
import javax.xml.parsers.SAXParserFactory
import kotlin.random.Random
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.call
import io.ktor.server.plugins.cors.routing.CORS
import io.ktor.server.request.receiveText
import io.ktor.server.response.respondFile
import io.ktor.server.response.respondText
import okhttp3.OkHttpClient
import org.slf4j.LoggerFactory
import java.lang.ProcessBuilder as Launcher

private const val ROOT = "/srv/tickets"
private const val ALL = "SELECT * FROM tickets"
private val log = LoggerFactory.getLogger("tickets")

class Tickets(private val connection: Connection) {
    fun byOwner(owner: String): List<String> =
        connection.createStatement().use { statement ->
            statement.executeQuery("SELECT * FROM tickets WHERE owner = '$owner'").titles()
        }

    fun byId(id: Long): List<String> =
        connection.prepareStatement("$ALL WHERE id = ?").use { statement ->
            statement.setLong(1, id)
            statement.executeQuery().titles()
        }

    fun search(words: List<String>, order: String?): List<String> {
        val sql = buildString {
            append(ALL).append(" WHERE 1 = 1")
            words.forEach { append(" AND title LIKE '%").append(it).append("%'") }
            order?.let { append(" ORDER BY $it") }
        }
        return connection.prepareStatement(sql).use { it.executeQuery().titles() }
    }

    fun close(ids: List<Long>): Int {
        val marks = ids.joinToString { "?" }
        return connection.prepareStatement("UPDATE tickets SET open = 0 WHERE id IN ($marks)").use {
            ids.forEachIndexed { i, id -> it.setLong(i + 1, id) }
            it.executeUpdate()
        }
    }

    fun rename(old: String, new: String): Int {
        var update = "UPDATE tickets SET title = '"
        update += new
        update += "' WHERE title = '" + old + "'"
        return connection.createStatement().executeUpdate(update)
    }

    fun purge(zone: String): Boolean = connection.createStatement().run {
        execute(
            """
            DELETE FROM tickets
            WHERE zone = '%s'
            """.trimIndent().format(zone),
        )
    }

    private fun ResultSet.titles(): List<String> = generateSequence { if (next()) getString("title") else null }.toList()
}

suspend fun download(call: ApplicationCall) {
    call.respondFile(File(ROOT, call.request.queryParameters["name"]!!))
}

suspend fun attachment(call: ApplicationCall) {
    val name = call.parameters["name"] ?: return
    val path = Paths.get("$ROOT/attachments/$name")
    call.respondText(Files.readString(path))
}

suspend fun image(call: ApplicationCall) {
    val name = File(call.parameters["name"] ?: return).name
    call.respondFile(File("$ROOT/images", name))
}

suspend fun greet(call: ApplicationCall) {
    call.respondText("<h1>Hello ${call.parameters["name"]}</h1>", io.ktor.http.ContentType.Text.Html)
}

suspend fun formula(call: ApplicationCall): Any? =
    ScriptEngineManager().getEngineByExtension("kts").eval(call.receiveText())

fun convert(file: String): Int =
    Runtime.getRuntime().exec(arrayOf("sh", "-c", "convert $file out.png")).waitFor()

fun archive(folder: String): Process {
    val command = mutableListOf("bash", "-c")
    command += "tar czf out.tgz ${folder.trim()}"
    return Launcher(command).apply { inheritIO() }.start()
}

fun list(folder: Path): Process = ProcessBuilder("ls", "-l", folder.toString()).start()

fun token(): String = (1..32).map { ('a'..'z').random() }.joinToString("")

fun resetCode(): String = Random.nextInt(100_000, 1_000_000).toString()

fun apiKey(): ByteArray = ByteArray(32).also(SecureRandom()::nextBytes)

fun pause(attempt: Int): Long = Random.nextLong(1L shl attempt)

fun passwordHash(password: String): ByteArray =
    MessageDigest.getInstance("MD5").digest(password.toByteArray())

fun fingerprint(bytes: ByteArray): ByteArray = MessageDigest.getInstance("SHA-256").digest(bytes)

fun cipher(): Cipher = "AES".let { kind -> Cipher.getInstance("$kind/ECB/PKCS5Padding") }

fun restore(path: String): Any? = ObjectInputStream(FileInputStream(path)).use { it.readObject() }

object TrustAll : X509TrustManager {
    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String) = Unit
    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) = Unit
    override fun getAcceptedIssuers(): Array<X509Certificate> = emptyArray()
}

fun anyHost(): OkHttpClient = OkHttpClient.Builder().hostnameVerifier { _, _ -> true }.build()

fun thisHost(wanted: String) = HostnameVerifier { host, _ -> host == wanted }

fun parse(file: File) = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file)

fun parseSafely(file: File) = DocumentBuilderFactory.newInstance()
    .apply { setFeature("http://apache.org/xml/features/disallow-doctype-decl", true) }
    .newDocumentBuilder()
    .parse(file)

fun io.ktor.server.plugins.cors.CORSConfig.everybody() {
    anyHost()
    allowCredentials = true
}

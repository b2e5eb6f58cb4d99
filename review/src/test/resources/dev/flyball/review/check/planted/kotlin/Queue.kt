package desk.queue

import java.io.BufferedReader
import java.io.File
import java.io.IOException
import java.io.InputStream
import java.net.Socket
import java.text.SimpleDateFormat
import java.util.Date
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.launch
import org.slf4j.LoggerFactory

data class Entry(val id: Int, val title: String, val weight: Double, val tags: List<String> = emptyList())

class Queue(private val entries: MutableList<Entry> = mutableListOf()) {
    private val log = LoggerFactory.getLogger(Queue::class.java)

    fun load(file: File) {
        try {
            file.forEachLine { entries += Entry(entries.size, it, Double.NaN) }
        } catch (e: Exception) {
        }
    }

    fun reload(file: File) {
        runCatching { load(file) }
    }

    fun reloadLoudly(file: File) {
        runCatching { load(file) }.onFailure { log.warn("not loaded", it) }
    }

    fun size(file: File): Long = try {
        file.length()
    } catch (e: Throwable) { -1 }

    fun sizeOrNull(text: String): Long? = try {
        text.toLong()
    } catch (e: NumberFormatException) {
        null
    }

    fun firstLine(file: File): String? {
        val reader: BufferedReader = file.bufferedReader()
        return reader.readLine()
    }

    fun ask(host: String): String =
        Socket(host, 7000).getInputStream().bufferedReader().readLine()

    fun lastLine(file: File): String? = file.useLines { it.lastOrNull() }

    fun words(file: File): Int = file.bufferedReader().use { it.readText().split(' ').size }

    fun isUnknown(entry: Entry) = entry.weight == Double.NaN

    fun anyUnknown() = entries.any { (_, _, weight) -> Float.NaN == weight.toFloat() }

    fun isKnown(entry: Entry) = !entry.weight.isNaN()

    fun isTitled(entry: Entry, title: String) = entry.title === title

    fun isOne(entry: Entry, other: Entry) = entry === other

    fun isUntitled(entry: Entry): Boolean {
        if (entry.title !== "") {
            return false
        }
        return entry.tags.isEmpty()
    }

    fun same(a: Entry, b: Entry) = a.id == a.id && a.title == b.title

    fun tidy(): List<String> {
        val titles = entries.map { it.title }.toMutableList()
        titles.forEach { it.trim() }
        titles.sorted()
        titles.sort()
        return titles
    }

    fun shorten(entry: Entry): Entry {
        entry.copy(title = entry.title.take(20))
        return entry
    }

    fun header(input: InputStream): ByteArray {
        val bytes = ByteArray(16)
        input.read(bytes)
        return bytes
    }

    fun await(done: CountDownLatch): Boolean = done.await(10, TimeUnit.SECONDS)

    fun first(): Entry? {
        for (entry in entries) {
            return entry
        }
        return null
    }

    fun next(): Entry? {
        while (entries.isNotEmpty()) {
            val entry = entries.removeAt(0)
            when {
                entry.title.isBlank() -> {
                    return null
                }
                else -> {
                    return entry
                }
            }
        }
        return null
    }

    fun nextTitled(): Entry? {
        for (entry in entries) {
            if (entry.title.isBlank()) continue
            return entry
        }
        return null
    }

    fun columns(number: Int): List<MutableList<Entry>> {
        val column = mutableListOf<Entry>()
        return List(number) { column }
    }

    fun ownColumns(number: Int): List<MutableList<Entry>> = List(number) { mutableListOf() }

    fun start(scope: CoroutineScope, work: suspend () -> Unit) {
        scope.launch {
            try {
                work()
            } catch (e: CancellationException) {
                throw e
            } catch (e: Exception) {
                log.error("failed", e)
            }
        }
    }

    companion object {
        private val DAY = SimpleDateFormat("yyyy-MM-dd")

        fun day(date: Date): String = DAY.format(date)
    }
}

package dev.flyball.review.symbol;

import dev.flyball.review.symbol.Covered.Damaged;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * A report of JaCoCo, as XML. It names its document type, which is passed over: nothing is fetched
 * and no entity is known.
 */
final class JacocoReport {
  private static final String SAID = "Message: ";

  private final XMLStreamReader xml;
  private final Marks marks;
  private final Set<String> ended = new HashSet<>();
  private String folder = "";
  private String file = "";

  private JacocoReport(XMLStreamReader xml, Marks marks) {
    this.xml = xml;
    this.marks = marks;
  }

  static Marks read(InputStream in, String name) throws Damaged {
    var marks = new Marks(name);
    try {
      // Of bytes that are no text, the parser would complain on the screen.
      var text = new InputStreamReader(in, StandardCharsets.UTF_8);
      var xml = factory().createXMLStreamReader(text);
      try {
        new JacocoReport(xml, marks).read();
      } finally {
        xml.close();
      }
    } catch (XMLStreamException broken) {
      if (broken.getLocation() != null) {
        marks.at(broken.getLocation().getLineNumber());
      }
      throw marks.damaged("is not XML: " + last(String.valueOf(broken.getMessage())));
    } catch (RuntimeException broken) {
      // The parser of the JDK has more ways to stumble than it declares.
      throw marks.damaged("is not XML: " + broken);
    }
    return marks;
  }

  private static XMLInputFactory factory() {
    var factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setXMLResolver((publicId, systemId, base, namespace) -> InputStream.nullInputStream());
    return factory;
  }

  private void read() throws XMLStreamException, Damaged {
    boolean report = false;
    while (xml.hasNext()) {
      int event = xml.next();
      marks.at(xml.getLocation().getLineNumber());
      if (event == XMLStreamConstants.START_ELEMENT) {
        if (!report && !xml.getLocalName().equals("report")) {
          throw marks.damaged(
              "a report of JaCoCo is a <report>, but this is a <" + xml.getLocalName() + ">");
        }
        report = true;
        begin();
      } else if (event == XMLStreamConstants.END_ELEMENT
          && xml.getLocalName().equals("sourcefile")) {
        if (marks.knows(file) && !ended.add(file)) {
          marks.doubt(file);
        }
        file = "";
      }
    }
  }

  private void begin() throws Damaged {
    switch (xml.getLocalName()) {
      case "group" -> marks.group();
      case "package" -> folder = attribute("name");
      case "sourcefile" ->
          file =
              marks.file(folder.isEmpty() ? attribute("name") : folder + "/" + attribute("name"));
      case "line" -> {
        if (file.isEmpty()) {
          throw marks.damaged("a line belongs to a source file, but this one does not");
        }
        marks.mark(file, number("nr"), number("ci") > 0);
      }
      default -> {}
    }
  }

  private long number(String name) throws Damaged {
    var text = attribute(name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException broken) {
      throw marks.damaged(name + " of a line is a number, but it was " + shown(text));
    }
  }

  private String attribute(String name) throws Damaged {
    var value = xml.getAttributeValue(null, name);
    if (value == null) {
      throw marks.damaged("a <" + xml.getLocalName() + "> has " + name + ", but this one has not");
    }
    return value;
  }

  private static String shown(String text) {
    return text.length() > 40 ? text.substring(0, 40) + "..." : text;
  }

  private static String last(String message) {
    int said = message.indexOf(SAID);
    return said < 0 ? message : message.substring(said + SAID.length());
  }
}

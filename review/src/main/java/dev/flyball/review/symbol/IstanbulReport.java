package dev.flyball.review.symbol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.flyball.review.symbol.Covered.Damaged;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * A report of Istanbul, as JSON: of each file its statements and how often each was run. A line is
 * covered if a statement that begins on it was run.
 */
final class IstanbulReport {
  private static final int MOST_STATEMENTS = 1_000_000;
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonParser json;
  private final Marks marks;

  private IstanbulReport(JsonParser json, Marks marks) {
    this.json = json;
    this.marks = marks;
  }

  static Marks read(InputStream in, String name) throws Damaged {
    var marks = new Marks(name);
    try (var json = JSON.createParser(in)) {
      new IstanbulReport(json, marks).read();
    } catch (JsonProcessingException broken) {
      if (broken.getLocation() != null) {
        marks.at(broken.getLocation().getLineNr());
      }
      throw marks.damaged("is not JSON: " + broken.getOriginalMessage());
    } catch (IOException broken) {
      throw marks.damaged("cannot be read: " + broken.getMessage());
    }
    return marks;
  }

  private void read() throws IOException, Damaged {
    object("the report");
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      var name = json.currentName();
      object("a file");
      file(name);
    }
    if (json.nextToken() != null) {
      throw damaged("a report ends with its files, but this one goes on");
    }
  }

  private void file(String key) throws IOException, Damaged {
    var name = key;
    Map<String, Long> begins = new HashMap<>();
    Map<String, Long> runs = new HashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      switch (json.currentName()) {
        case "path" -> {
          if (json.nextToken() == JsonToken.VALUE_STRING) {
            name = json.getText();
          } else {
            json.skipChildren();
          }
        }
        case "statementMap" -> begins(begins);
        case "s" -> runs(runs);
        default -> skip();
      }
    }
    var file = marks.file(name);
    for (var statement : begins.entrySet()) {
      var run = runs.get(statement.getKey());
      if (run != null) {
        marks.mark(file, statement.getValue(), run > 0);
      }
    }
  }

  private void begins(Map<String, Long> begins) throws IOException, Damaged {
    object("statementMap");
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      var statement = json.currentName();
      object("a statement");
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        if (json.currentName().equals("start")) {
          object("start");
          while (json.nextToken() == JsonToken.FIELD_NAME) {
            if (json.currentName().equals("line")) {
              put(begins, statement);
            } else {
              skip();
            }
          }
        } else {
          skip();
        }
      }
    }
  }

  private void runs(Map<String, Long> runs) throws IOException, Damaged {
    object("s");
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      put(runs, json.currentName());
    }
  }

  private void put(Map<String, Long> numbers, String statement) throws IOException, Damaged {
    if (!json.nextToken().isNumeric()) {
      throw damaged("a line and a count are numbers, but this is not");
    }
    numbers.put(statement, (long) json.getDoubleValue());
    if (numbers.size() > MOST_STATEMENTS) {
      throw damaged("a file has up to " + MOST_STATEMENTS + " statements, but this has more");
    }
  }

  private void object(String what) throws IOException, Damaged {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw damaged(what + " is an object, but this is not");
    }
  }

  private void skip() throws IOException {
    json.nextToken();
    json.skipChildren();
  }

  private Damaged damaged(String what) {
    marks.at(json.currentTokenLocation().getLineNr());
    return marks.damaged(what);
  }
}

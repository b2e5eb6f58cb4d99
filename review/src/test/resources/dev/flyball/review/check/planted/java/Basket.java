package shop.basket;

import java.beans.XMLDecoder;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.math.BigDecimal;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** What a customer is about to buy. */
public final class Basket {
  private static final SimpleDateFormat DAY = new SimpleDateFormat("yyyy-MM-dd");
  private static final Object NONE = new Object();

  private final List<String> items = new ArrayList<>();
  private BigDecimal total = BigDecimal.ZERO;
  private Integer discount = 0;

  public void add(String item, BigDecimal price) {
    total.add(price);
    items.add(item);
    total = total.add(price);
  }

  public List<String> labels() {
    var labels = new ArrayList<String>();
    for (var item : items) {
      item.strip().replace('_', ' ');
      labels.add(item);
    }
    labels.stream().map(String::toUpperCase);
    return labels;
  }

  public boolean await(CountDownLatch done, ExecutorService pool) throws InterruptedException {
    done.await(10, TimeUnit.SECONDS);
    pool.shutdown();
    return pool.awaitTermination(10, TimeUnit.SECONDS);
  }

  public void forget(File cache) {
    cache.delete();
  }

  public boolean isFree(String code) {
    return code == "FREE";
  }

  public boolean isNothing(Object item) {
    return item == NONE;
  }

  public boolean same(Basket other) {
    return this.discount == other.discount && items.equals(other.items);
  }

  public boolean contains(String item) {
    for (var each : items) {
      if (each.toLowerCase() != item.toLowerCase()) {
        continue;
      }
      return true;
    }
    return false;
  }

  public boolean isUnknown(double price) {
    return price == Double.NaN;
  }

  public boolean isKnown(double price) {
    return !Double.isNaN(price) && price != Double.POSITIVE_INFINITY;
  }

  public boolean isEmpty(Optional<String> code) {
    return code.equals("") || items.equals(new String[0]);
  }

  public boolean isOdd(int number) {
    return number % 2 == 1;
  }

  public boolean isEven(int number) {
    return number % 2 == 0;
  }

  public String day(Date date) {
    return DAY.format(date);
  }

  public String first() {
    for (Iterator<String> all = items.iterator(); all.hasNext(); ) {
      String item = all.next();
      if (item.isBlank()) {
        throw new IllegalStateException("blank");
      }
      return item;
    }
    return "";
  }

  public String firstNamed(String start) {
    for (var item : items) {
      if (item.startsWith(start)) {
        return item;
      }
    }
    return "";
  }

  public Object decode(String cookie) throws IOException, ClassNotFoundException {
    byte[] bytes = Base64.getDecoder().decode(cookie);
    try (ObjectInput in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  public Object decodeXml(InputStream xml) {
    try (var decoder = new XMLDecoder(xml)) {
      return decoder.readObject();
    }
  }

  public Object decodeFiltered(InputStream in) throws IOException, ClassNotFoundException {
    try (var objects = new ObjectInputStream(in)) {
      objects.setObjectInputFilter(ObjectInputFilter.Config.createFilter("shop.basket.*;!*"));
      return objects.readObject();
    }
  }
}

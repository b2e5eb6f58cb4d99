package dev.flyball.gateway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flyball.call.LaneId;
import dev.flyball.gateway.HistoryPage;
import dev.flyball.gateway.http.CallStep;
import dev.flyball.gateway.tenant.AdminToken;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.run.RunSetup;
import dev.flyball.run.config.ConfigFiles;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page in a real browser. Pictures of it are in {@code target/screens}. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardBrowserTest {
  private static final Path SCREENS = Path.of("target", "screens");
  private static final List<String> VIEWS = List.of("now", "usage", "calls", "reviews", "tenants");

  @TempDir private static Path folder;
  private PageStage stage;
  private Chromium browser;

  @BeforeAll
  void open() throws Exception {
    var program = Chromium.program();
    assumeTrue(
        program.isPresent(),
        "SKIPPED: there is no Chromium and none could be installed; on Debian: apt-get install"
            + " chromium");
    stage = new PageStage(folder);
    browser = Chromium.start(program.get());
  }

  @AfterAll
  void close() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (stage != null) {
      stage.close();
    }
  }

  private void show(String view, String ready) throws InterruptedException {
    browser.open(stage.page(view));
    browser.await("document.querySelector(" + quoted(ready) + ")");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "\\'") + "'";
  }

  private static String ready(String view) {
    return switch (view) {
      case "now" -> ".lane .gauge";
      case "usage" -> ".plot canvas";
      case "calls" -> "tr.pick";
      case "reviews" -> ".finding pre";
      default -> ".lane h3";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "phone, 390, 844, false",
    "phone, 390, 844, true",
    "laptop, 1440, 900, false",
    "laptop, 1440, 900, true",
    "wall, 2560, 1440, false",
    "wall, 2560, 1440, true"
  })
  void each_view_fits_and_says_no_error(String size, int width, int height, boolean dark)
      throws Exception {
    browser.window(width, height, dark);
    for (var view : VIEWS) {
      show(view, ready(view));
      assertThat(browser.eval("document.documentElement.scrollWidth").asInt())
          .as("the width of %s on a %s", view, size)
          .isLessThanOrEqualTo(width);
      if (size.equals("wall") && view.equals("now")) {
        // Nobody scrolls what hangs on a wall.
        assertThat(browser.eval("document.documentElement.scrollHeight").asInt())
            .isLessThanOrEqualTo(height);
      }
      assertThat(browser.eval("document.documentElement.dataset.theme").asText())
          .isEqualTo(dark ? "dark" : "light");
      assertThat(
              browser.eval("document.querySelector('#nav [aria-current]').dataset.view").asText())
          .isEqualTo(view);
      assertThat(browser.eval(UNREADABLE).asText())
          .as("text without contrast in " + view)
          .isEmpty();
      assertThat(browser.complaints()).as(view).isEmpty();
      browser.screenshot(
          SCREENS.resolve(size + "-" + (dark ? "dark" : "light") + "-" + view + ".png"));
    }
  }

  /** Texts whose contrast with what is behind them is below 4.5, by the formula of WCAG. */
  private static final String UNREADABLE =
      """
      (() => {
        const parse = c => (c.match(/[\\d.]+/g) ?? []).map(Number);
        const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
          .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
          .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const behind = node => {
          for (let at = node; at; at = at.parentElement) {
            const c = parse(getComputedStyle(at).backgroundColor);
            if (c.length === 3 || c[3] === 1) return c;
          }
          return [255, 255, 255];
        };
        const bad = new Set();
        for (const node of document.querySelectorAll('body *')) {
          const own = [...node.childNodes].some(n => n.nodeType === 3 && n.data.trim());
          if (!own || node.disabled || !node.checkVisibility()) continue;
          const a = light(parse(getComputedStyle(node).color)), b = light(behind(node));
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (ratio < 4.5) bad.add(node.className + ' ' + node.textContent.slice(0, 30) + ' ' + ratio.toFixed(2));
        }
        return [...bad].join('; ');
      })()\
      """;

  @Test
  void what_strangers_wrote_stays_words() throws Exception {
    browser.window(1440, 900, false);
    for (var view : List.of("now", "usage", "calls", "reviews", "tenants")) {
      show(view, ready(view));
      if (view.equals("reviews")) {
        browser.eval("[...document.querySelectorAll('.picks button')].forEach(b => b.click())");
      }
      if (view.equals("calls")) {
        browser.eval("[...document.querySelectorAll('tr.pick')][0].click()");
      }
      if (!view.equals("tenants")) {
        browser.await("document.body.innerText.includes('<img src=x onerror=')");
      }
      assertThat(browser.eval("String(window.hacked)").asText()).as(view).isEqualTo("undefined");
      assertThat(
              browser
                  .eval("document.querySelectorAll('main img, main script, main iframe').length")
                  .asInt())
          .as(view)
          .isZero();
      assertThat(browser.complaints()).as(view).isEmpty();
    }
  }

  @Test
  void even_a_script_that_came_into_the_page_would_not_run() throws Exception {
    show("now", ready("now"));
    browser.eval(
        """
        (() => {
          const made = document.createElement('script');
          try { made.textContent = 'window.hacked = 3'; document.body.append(made); } catch {}
          try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.hacked=4">'); } catch {}
          try { (0, eval)('window.hacked = 5'); } catch {}
        })()\
        """);
    assertThat(browser.eval("String(window.hacked)").asText()).isEqualTo("undefined");
  }

  @Test
  void nothing_is_loaded_from_elsewhere_and_the_token_leaves_the_address() throws Exception {
    show("usage", ready("usage"));
    var origin = stage.gateway.uri().toString();
    assertThat(browser.requests())
        .filteredOn(address -> !address.startsWith("about:"))
        .isNotEmpty()
        .allSatisfy(address -> assertThat(address).startsWith(origin))
        .noneSatisfy(address -> assertThat(address).contains("/admin").contains(stage.token()));
    assertThat(browser.eval("location.href").asText()).doesNotContain("token");
  }

  @Test
  void without_the_token_there_is_a_door() throws Exception {
    // Storage belongs to a page, so one of ours has to be open.
    browser.open(stage.door());
    browser.eval("sessionStorage.clear()");
    browser.open(stage.door());
    browser.await("document.querySelector('.door input')");
    browser.screenshot(SCREENS.resolve("door.png"));
    browser.eval(
        "document.querySelector('.door input').value = 'wrong';"
            + " document.querySelector('.door form').requestSubmit()");
    browser.await("document.querySelector('.door')?.innerText.includes('This token is wrong')");
    browser.eval(
        "document.querySelector('.door input').value = '"
            + stage.token()
            + "'; document.querySelector('.door form').requestSubmit()");
    browser.await("document.querySelector('.lane .gauge')");
  }

  @Test
  void the_page_follows_what_happens() throws Exception {
    show("now", ready("now"));
    stage.call("a-model-that-was-never-seen", "evals", CallStep.Ending.ANSWERED, 2);
    browser.await("document.body.innerText.includes('a-model-that-was-never-seen')");
    browser.await(
        "[...document.querySelectorAll('.waits b')]"
            + ".some(b => b.textContent === 'an operator to resume the lane')");
    browser.await("document.querySelector('.queue .legend')?.innerText.includes('evals')");
    assertThat(browser.eval("document.querySelector('[role=meter]').ariaLabel").asText())
        .contains("part that is left");
  }

  @Test
  void it_is_used_by_keyboard_alone() throws Exception {
    show("now", ready("now"));
    browser.press("2");
    browser.await("document.querySelector('.plot canvas') && location.hash === '#/usage'");
    browser.press("3");
    browser.await("document.querySelector('tr.pick')");
    browser.press("j");
    browser.await("document.querySelector('tr.open .story')");
    browser.press("/");
    browser.await("document.activeElement.type === 'search'");
    browser.press("z");
    assertThat(browser.eval("document.activeElement.value").asText()).isEqualTo("z");
    browser.eval("document.activeElement.blur()");
    browser.press("t");
    browser.await("document.getElementById('theme').ariaLabel.includes('light')");
    browser.press("?");
    browser.await("document.getElementById('help').open");
    browser.eval("document.getElementById('help').close(); localStorage.clear()");
  }

  @Test
  void a_lane_is_paused_and_goes_on_and_a_key_is_revoked() throws Exception {
    show("now", ready("now"));
    var lane = "anthropic/claude-sonnet-4-5";
    browser.eval("document.querySelector('.lane header button').click()");
    browser.await("document.getElementById('ask').open");
    browser.eval("document.querySelector('#ask .danger').click()");
    browser.await("document.querySelector('.lane .pill').textContent === 'paused by you'");
    // Those that waited before may have gone meanwhile, on a slow machine.
    stage.waiting(LaneId.of("anthropic", "claude-sonnet-4-5"), "evals");
    assertThat(
            stage.flyball.snapshot().lanes().stream()
                .filter(each -> each.lane().toString().equals(lane))
                .map(each -> each.waitingFor().orElseThrow().name()))
        .containsExactly("an operator to resume the lane");
    browser.eval("document.querySelector('.lane header button').click()");
    browser.eval("document.querySelector('#ask .danger').click()");
    browser.await("document.querySelector('.lane .pill').textContent === 'pacing'");

    show("tenants", ".lane h3");
    browser.eval(
        "[...document.querySelectorAll('.lane')].find(l => l.innerText.includes('search-team'))"
            + ".querySelector('.danger').click()");
    browser.eval("document.querySelector('#ask .danger').click()");
    browser.await(
        "![...document.querySelectorAll('.lane h3')].some(h => h.textContent === 'search-team')");
    assertThat(stage.history.tenantKeys())
        .anySatisfy(
            key -> {
              assertThat(key.tenant()).isEqualTo("search-team");
              assertThat(key.revoked()).isPresent();
            });
  }

  @Test
  void a_history_has_a_page_that_changes_nothing() throws Exception {
    var token = AdminToken.of(Map.of(), new SecureRandom());
    try (var setup = RunSetup.of(Map.of(), ConfigFiles.NONE).sendsNothing().open();
        var page =
            HistoryPage.open(0, setup, stage.history, AnswerOrigin.REAL, "history.db", token)) {
      browser.window(1440, 900, false);
      browser.open(page.uri());
      browser.await(
          "document.querySelector('td')?.innerText && document.body.innerText.includes('Runs')");
      browser.screenshot(SCREENS.resolve("history-runs.png"));
      assertThat(browser.eval("document.getElementById('live').textContent").asText())
          .isEqualTo("Read-only");
      assertThat(browser.eval("document.querySelectorAll('.danger').length").asInt()).isZero();
      browser.press("4");
      browser.await("document.querySelector('.finding pre')");
      browser.screenshot(SCREENS.resolve("history-reviews.png"));
      assertThat(
              browser
                  .eval(
                      "fetch('/admin/drain', {method: 'POST', headers: {authorization: 'Bearer '"
                          + " + sessionStorage.getItem('flyball-token'), 'content-type':"
                          + " 'application/json'}}).then(r => r.status)")
                  .asInt())
          .isEqualTo(404);
      assertThat(browser.complaints()).allMatch(each -> each.contains("404"));
    }
  }
}

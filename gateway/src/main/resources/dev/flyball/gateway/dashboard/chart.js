// Charts: uPlot, with colours of the page and series that may be stacked.
import uPlot from '/ui/uplot.js';
import {el} from '/ui/dom.js';

function css(value) {
  const name = /^var\((--[a-z0-9-]+)\)$/.exec(value);
  return name ? getComputedStyle(document.documentElement).getPropertyValue(name[1]).trim() : value;
}

const drawn = new Set();

/** The colours have changed. */
export function repaint() {
  for (const chart of drawn) {
    chart.make();
  }
}

/**
 * A chart that fills the width of its place.
 *
 * @param look {height, kind: 'lines' | 'bars', stacked, format(value), time: bool}
 */
export function chart(look) {
  const place = el('div', {class: 'plot', role: 'img', 'aria-label': look.label});
  let shown = {x: [], series: []};
  let plot = null;
  let shape = '';
  let width = 0;

  function values() {
    if (!look.stacked) {
      return [shown.x, ...shown.series.map(each => each.values)];
    }
    const sums = new Array(shown.x.length).fill(0);
    const layers = shown.series.map(each => each.values.map((value, i) => (sums[i] += value ?? 0)));
    return [shown.x, ...layers.reverse()];
  }

  function make() {
    plot?.destroy();
    plot = null;
    if (width < 40) return;
    const font = '12px ' + getComputedStyle(document.body).fontFamily;
    const axis = {
      stroke: css('var(--ink-3)'), font, grid: {stroke: css('var(--line-soft)'), width: 1},
      ticks: {show: false}, gap: 8,
    };
    const order = look.stacked ? [...shown.series].reverse() : shown.series;
    const gap = shown.x.length > 1 ? shown.x[1] - shown.x[0] : 3600;
    const series = order.map(each => {
      const tone = css(each.colour);
      if (look.kind === 'bars') {
        return {label: '', stroke: tone, fill: tone, width: 0, points: {show: false}, paths: uPlot.paths.bars({size: [0.72, 36], align: look.time ? 1 : 0})};
      }
      return {label: '', stroke: tone, width: 2, fill: look.stacked || each.fill ? tone + '2b' : undefined, points: {show: false}, spanGaps: false};
    });
    plot = new uPlot({
      width, height: look.height, padding: [8, 4, 0, 0], cursor: {show: false}, legend: {show: false},
      scales: {
        x: {time: true, range: (u, low, high) => look.kind === 'bars' && shown.x.length ? [low, high + gap] : [low, high]},
        y: {range: (u, low, high) => [0, Math.max(high || 0, look.least ?? 0) * 1.08 || 1]},
      },
      axes: [
        {...axis, grid: {show: false}, space: 70, size: 28, values: (u, ticks, _, __, step) => ticks.map(at => tick(at, step))},
        {...axis, size: look.axis ?? 56, space: 34, values: (u, ticks) => ticks.map(look.format)},
      ],
      series: [{}, ...series],
    }, values(), place);
  }

  function tick(at, step) {
    const then = new Date(at * 1000);
    return step >= 86_400
      ? then.toLocaleDateString('en', {day: 'numeric', month: 'short'})
      : then.toLocaleTimeString('en', {hour: '2-digit', minute: '2-digit', second: step < 60 ? '2-digit' : undefined, hourCycle: 'h23'});
  }

  const watcher = new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now !== width) {
      width = now;
      make();
    }
  });
  watcher.observe(place);
  const self = {
    node: place,
    make,
    show(next) {
      shown = next;
      const now = next.series.map(each => each.colour).join() + next.x.length * (look.kind === 'bars');
      if (plot && now === shape) {
        plot.setData(values());
      } else {
        shape = now;
        make();
      }
    },
    end() {
      watcher.disconnect();
      drawn.delete(self);
      plot?.destroy();
    },
  };
  drawn.add(self);
  return self;
}

// Charts: Chart.js, with colours of the page and series that may be stacked.
import '/ui/chartjs.js';
import {el} from '/ui/dom.js';

const {Chart} = globalThis;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
  HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY,
];

function css(value) {
  const name = /^var\((--[a-z0-9-]+)\)$/.exec(value);
  return name ? getComputedStyle(document.documentElement).getPropertyValue(name[1]).trim() : value;
}

/** The seconds by which the clock on the wall is ahead of UTC. */
function ahead(at) {
  return -new Date(at * 1000).getTimezoneOffset() * 60;
}

/** Round moments of the clock on the wall, with room for their words. */
function moments(from, until, most) {
  const step = STEPS.find(each => (until - from) / each <= most) ?? STEPS.at(-1);
  const shift = ahead(from);
  const found = [];
  for (let at = Math.ceil((from + shift) / step) * step - shift; at <= until; at += step) found.push({value: at, step});
  return found;
}

function words(at, step) {
  const then = new Date(at * 1000);
  return step >= DAY
    ? then.toLocaleDateString('en', {day: 'numeric', month: 'short'})
    : then.toLocaleTimeString('en', {hour: '2-digit', minute: '2-digit', second: step < MINUTE ? '2-digit' : undefined, hourCycle: 'h23'});
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
 * @param look {label, height, kind: 'lines' | 'bars', stacked, format(value), axis: its width, least: the least height of its scale}
 */
export function chart(look) {
  const canvas = el('canvas', {});
  const place = el('div', {class: 'plot', role: 'img', 'aria-label': look.label, style: {height: look.height + 'px'}}, canvas);
  const bars = look.kind === 'bars';
  let shown = {x: [], series: []};
  let plot = null;
  let shape = '';
  let width = 0;

  const gap = () => (shown.x.length > 1 ? shown.x[1] - shown.x[0] : HOUR);
  // A bar stands in the middle of the time that it is about.
  const points = each => shown.x.map((at, i) => ({x: bars ? at + gap() / 2 : at, y: each.values[i] ?? null}));

  function span() {
    const last = shown.x.at(-1) ?? 1;
    return {min: shown.x[0] ?? 0, max: bars ? last + gap() : last};
  }

  function dataset(each) {
    const tone = css(each.colour);
    const common = {label: each.name, data: points(each)};
    return bars
      ? {...common, backgroundColor: tone, barPercentage: 0.72, categoryPercentage: 1, maxBarThickness: 36}
      : {...common, borderColor: tone, backgroundColor: tone + '2b', borderWidth: 2, pointRadius: 0, pointHoverRadius: 3, fill: Boolean(each.fill)};
  }

  function make() {
    plot?.destroy();
    plot = null;
    if (width < 40) return;
    // Words grow with the page's own, which are larger on a wall.
    const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const font = {family: getComputedStyle(document.body).fontFamily, size: 12 * scale};
    const ticks = {color: css('var(--ink-3)'), font, maxRotation: 0};
    plot = new Chart(canvas, {
      type: bars ? 'bar' : 'line',
      data: {datasets: shown.series.map(dataset)},
      options: {
        responsive: false,
        maintainAspectRatio: false,
        animation: false,
        parsing: false,
        normalized: true,
        interaction: {mode: 'index', intersect: false},
        layout: {padding: {top: 8, right: 4}},
        scales: {
          x: {
            type: 'linear', ...span(), offset: false, stacked: look.stacked, grid: {display: false}, border: {display: false},
            afterBuildTicks: axis => (axis.ticks = moments(axis.min, axis.max, width / (70 * scale))),
            ticks: {...ticks, autoSkip: false, callback: (at, i, all) => words(at, all[i].step)},
          },
          y: {
            beginAtZero: true, suggestedMax: look.least ?? 0, grace: '8%', stacked: look.stacked,
            grid: {color: css('var(--line-soft)'), drawTicks: false}, border: {display: false},
            afterFit: axis => (axis.width = (look.axis ?? 56) * scale),
            ticks: {...ticks, padding: 8, maxTicksLimit: Math.max(2, Math.floor(look.height / (34 * scale))), callback: look.format},
          },
        },
        plugins: {
          legend: {display: false},
          tooltip: {
            titleFont: font, bodyFont: font, boxPadding: 4,
            filter: item => item.parsed.y > 0 || !bars,
            callbacks: {
              title: ([item]) => item ? words(item.parsed.x - (bars ? gap() / 2 : 0), bars ? gap() : 1) : '',
              label: item => (item.dataset.label ? item.dataset.label + ': ' : '') + look.format(item.parsed.y),
            },
          },
        },
      },
    });
    plot.resize(width, look.height);
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
      const now = next.series.map(each => each.colour).join();
      if (plot && now === shape) {
        next.series.forEach((each, i) => (plot.data.datasets[i].data = points(each)));
        Object.assign(plot.options.scales.x, span());
        plot.update('none');
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

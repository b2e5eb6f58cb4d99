// Values as people read them.

const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const tenth = new Intl.NumberFormat('en', {maximumFractionDigits: 1});

export function count(value) {
  return whole.format(value);
}

/** 1,234 as it is; 12,345 as 12.3 k. */
export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e9) return tenth.format(value / 1e9) + ' G';
  if (size >= 1e6) return tenth.format(value / 1e6) + ' M';
  if (size >= 1e4) return tenth.format(value / 1e3) + ' k';
  return size > 0 && size < 10 && !Number.isInteger(value) ? tenth.format(value) : whole.format(value);
}

export function money(dollars) {
  const value = Number(dollars);
  if (value === 0) return '$0';
  if (value < 0.01) return '$' + value.toPrecision(2);
  return '$' + value.toLocaleString('en', {minimumFractionDigits: 2, maximumFractionDigits: 2});
}

export function time(millis) {
  if (millis < 1) return '0 ms';
  if (millis < 1000) return Math.round(millis) + ' ms';
  if (millis < 10_000) return tenth.format(millis / 1000) + ' s';
  const seconds = Math.round(millis / 1000);
  if (seconds < 60) return seconds + ' s';
  if (seconds < 3600) return Math.floor(seconds / 60) + ' min ' + String(seconds % 60).padStart(2, '0') + ' s';
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return Math.floor(minutes / 60) + ' h ' + String(minutes % 60).padStart(2, '0') + ' min';
  return Math.round(minutes / 1440) + ' days';
}

const clockForm = new Intl.DateTimeFormat('en', {hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'});
const dayForm = new Intl.DateTimeFormat('en', {day: 'numeric', month: 'short'});
const longForm = new Intl.DateTimeFormat('en', {day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});

export function clock(iso) {
  return clockForm.format(new Date(iso));
}

export function moment(iso) {
  const then = new Date(iso);
  return dayForm.format(then) === dayForm.format(new Date()) ? clockForm.format(then) : longForm.format(then);
}

export function plural(n, one, many) {
  return count(n) + ' ' + (n === 1 ? one : many ?? one + 's');
}

/** The colour of a series: the same for the same place in a list. */
export function colour(index) {
  return index < 0 || index > 7 ? 'var(--c0)' : 'var(--c' + (index + 1) + ')';
}

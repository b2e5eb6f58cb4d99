// The page: which view is shown, the colours, the keyboard, and the door.
import {el, say, mark} from '/ui/dom.js';
import * as link from '/ui/link.js';
import {repaint} from '/ui/chart.js';
import {now} from '/ui/now.js';
import {usage} from '/ui/usage.js';
import {calls} from '/ui/calls.js';
import {reviews} from '/ui/reviews.js';
import {tenants} from '/ui/tenants.js';
import {runs} from '/ui/runs.js';

const THEMES = ['auto', 'light', 'dark'];
const SIGNS = {auto: '◐', light: '○', dark: '●'};
const main = document.getElementById('main');
const live = document.getElementById('live');
const dark = matchMedia('(prefers-color-scheme: dark)');
let state = null;
let view = null;
let viewName = '';
let timer = 0;

function theme(next) {
  const chosen = next ?? localStorage.getItem('flyball-theme') ?? 'auto';
  if (next) localStorage.setItem('flyball-theme', next);
  document.documentElement.dataset.theme = chosen === 'auto' ? (dark.matches ? 'dark' : 'light') : chosen;
  const button = document.getElementById('theme');
  say(button, SIGNS[chosen]);
  mark(button, 'aria-label', 'Colours: ' + (chosen === 'auto' ? 'as the system' : chosen));
  repaint();
}

function turnTheme() {
  const at = THEMES.indexOf(localStorage.getItem('flyball-theme') ?? 'auto');
  theme(THEMES[(at + 1) % THEMES.length]);
}

function views() {
  return state?.mode === 'history'
    ? [['runs', 'Runs', runs], ['usage', 'Usage', usage], ['calls', 'Calls', calls], ['reviews', 'Reviews', reviews]]
    : [['now', 'Now', now], ['usage', 'Usage', usage], ['calls', 'Calls', calls], ['reviews', 'Reviews', reviews], ['tenants', 'Tenants', tenants]];
}

function actions() {
  if (!state?.steers) return null;
  return {
    pause: lane => sure(lane.paused ? 'Resume ' + lane.model + '?' : 'Pause ' + lane.model + '?',
      lane.paused ? 'Waiting calls are sent again, as the limits allow.' : 'Nothing new is sent in this lane until you resume it. Calls in flight finish.',
      lane.paused ? 'Resume' : 'Pause', () => link.order('/admin/lanes/' + (lane.paused ? 'resume' : 'pause'), {lane: lane.name})),
    revoke: tenant => sure('Revoke the key of ' + tenant.name + '?', 'The key is refused from now on. Calls in flight finish. For a new key: flyball keys add', 'Revoke', () => link.order('/admin/keys/revoke', {tenant: tenant.name})),
  };
}

function sure(title, words, yes, then) {
  const dialog = document.getElementById('ask');
  const trouble = el('p', {class: 'tone-bad', role: 'alert'});
  const go = el('button', {type: 'button', class: 'solid danger', onclick: async () => {
    go.disabled = true;
    try {
      await then();
      dialog.close();
    } catch (no) {
      say(trouble, no.message);
      go.disabled = false;
    }
  }}, yes);
  dialog.replaceChildren(el('h2', {id: 'ask-title'}, title), el('p', {class: 'dim'}, words), trouble,
    el('div', {class: 'row'}, el('button', {type: 'button', class: 'quiet', onclick: () => dialog.close()}, 'Cancel'), go));
  dialog.showModal();
}

function help() {
  const dialog = document.getElementById('help');
  const keys = [[views().map((_, i) => i + 1).join(' '), 'the views, from left to right'], ['t', 'colours: as the system, light, dark'], ['/', 'search calls'], ['j  k', 'next and previous call or review'], ['space', 'pause the list of calls'], ['?', 'this']];
  dialog.replaceChildren(el('h2', {id: 'help-title'}, 'Keyboard'),
    el('dl', {}, keys.flatMap(([key, words]) => [el('dt', {}, key.split(/ +/).flatMap(each => [el('kbd', {}, each), ' '])), el('dd', {}, words)])),
    state?.steers ? el('p', {}, el('button', {type: 'button', class: 'quiet danger', onclick: () => { dialog.close(); drain(); }}, 'Drain this server')) : null,
    el('div', {class: 'row'}, el('button', {type: 'button', class: 'quiet', onclick: () => dialog.close()}, 'Close')));
  dialog.showModal();
}

function drain() {
  sure('Drain this server?', 'New calls are refused, calls in flight finish, then the server stops.', 'Drain', () => link.order('/admin/drain'));
}

function nav() {
  const list = views();
  if (!list.some(([name]) => name === viewName)) return;
  const links = document.getElementById('nav');
  const wanted = list.map(([name]) => name).join();
  if (links.dataset.views !== wanted) {
    links.dataset.views = wanted;
    links.replaceChildren(...list.map(([name, title]) => el('a', {href: '#/' + name, 'data-view': name}, title)));
  }
  for (const each of links.children) mark(each, 'aria-current', each.dataset.view === viewName ? 'page' : '');
}

function route() {
  if (!state) return;
  const list = views();
  const wanted = /^#\/([a-z]+)/.exec(location.hash)?.[1];
  const [name, title, make] = list.find(([each]) => each === wanted) ?? list[0];
  if (name === viewName && view) return;
  view?.end?.();
  clearInterval(timer);
  viewName = name;
  view = make === now || make === tenants ? make(actions()) : make(link);
  document.title = title + ' · Flyball';
  main.replaceChildren(...(state.notice ? [el('p', {class: 'banner'}, state.notice)] : []), view.node);
  nav();
  load();
  if (view.every) timer = setInterval(load, view.every);
  view.update(state);
}

async function load() {
  try {
    await view.load?.();
  } catch (no) {
    if (no instanceof link.Unauthorized) door(true);
  }
}

function standing(it) {
  mark(live, 'data-state', it);
  say(live, it === 'on' ? (state?.mode === 'history' ? 'Read-only' : 'Live') : it === 'drain' ? 'Draining' : it === 'off' ? 'No connection' : '');
}

function heard(next) {
  const first = !state;
  const past = state?.past ?? [];
  state = next;
  if (state.mode === 'live') {
    // The first state brings the last minutes along, each later one a second.
    state.past = [...past, ...(next.past ?? [])].slice(-900);
  }
  standing(next.draining ? 'drain' : 'on');
  say(document.getElementById('where'), next.where);
  if (first) {
    view = null;
    route();
  } else {
    view?.update(next);
  }
}

function door(wrong) {
  state = null;
  view?.end?.();
  view = null;
  viewName = '';
  clearInterval(timer);
  document.getElementById('nav').replaceChildren();
  standing('');
  const token = el('input', {type: 'password', id: 'token', 'aria-label': 'Admin token', autocomplete: 'current-password', placeholder: 'Admin token'});
  main.replaceChildren(el('section', {class: 'panel door'}, el('h2', {}, 'Admin token'),
    el('p', {}, wrong ? 'This token is wrong or outdated. ' : '', 'The server prints an address with the token at start, unless FLYBALL_ADMIN_TOKEN sets it.'),
    el('form', {onsubmit: event => {
      event.preventDefault();
      link.keepToken(token.value.trim());
      enter();
    }}, token, el('button', {class: 'solid'}, 'Open'))));
  token.focus();
}

async function enter() {
  try {
    await link.follow('/admin/live', heard, standing);
  } catch {
    const had = sessionStorage.getItem('flyball-token') !== null;
    link.forgetToken();
    door(had);
  }
}

addEventListener('hashchange', () => {
  if (/token=/.test(location.hash)) {
    link.takeToken();
    enter();
  }
  route();
});
addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !state || document.querySelector('dialog[open]')) return;
  if (event.target.matches('input, select, textarea')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (event.key === ' ' && event.target.matches('button, a')) return;
  const list = views();
  const at = Number(event.key) - 1;
  if (list[at]) {
    location.hash = '#/' + list[at][0];
  } else if (event.key === 't') {
    turnTheme();
  } else if (event.key === '?') {
    help();
  } else if (!view?.key?.(event.key)) {
    return;
  }
  event.preventDefault();
});
document.getElementById('theme').addEventListener('click', turnTheme);
document.getElementById('keys').addEventListener('click', help);
addEventListener('pagehide', link.leave);
dark.addEventListener('change', () => theme());
theme();
link.takeToken();
enter();

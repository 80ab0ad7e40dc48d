/* The table */
const state = { nested: false, find: '', tool: null, code: null, cut: null, kind: null, from: null, to: null, sort: 'n', down: false, rows: [], active: 0 };
const changes = report.calls.some((c) => c.changed);
const COLUMNS = [
  { key: 'n', title: 'Call', cls: 'x1', get: (c) => c.n },
  { key: 'at', title: 'At', cls: 'x1', get: (c) => c.at },
  { key: 'tool', title: 'Tool', cls: 'l tool', get: (c) => c.tool },
  { key: 'brief', title: 'Arguments', cls: 'l brief', get: (c) => c.brief },
  { key: 'flags', title: 'Outcome', cls: 'l flags', get: (c) => flagsOf(c).join() },
  { key: 'tokens', title: 'Tokens', cls: 'tokens', get: (c) => c.tokens },
  { key: 'bytes', title: 'Bytes', cls: 'x1', get: (c) => c.bytes },
  { key: 'hidden', title: 'Not shown', cls: 'x2', get: (c) => c.hidden || 0 },
  ...(changes ? [{ key: 'changed', title: 'Changed', cls: 'x2', get: (c) => c.changed || 0 }] : []),
  { key: 'ms', title: 'Time', cls: 'x2', get: (c) => c.ms },
];
const WORDS = new Map([['again', 'again'], ['seen', 'seen'], ['poll', 'poll'], ['missed', 'not followed'], ['fetched', 'followed'], ['skipped', 'left out']]);
const flagsOf = (c) => {
  const flags = c.code ? [c.code] : [];
  for (const m of c.marks || []) if (WORDS.has(m.kind)) flags.push(WORDS.get(m.kind));
  if (c.cut && !(c.marks || []).some((m) => m.kind === 'missed' || m.kind === 'fetched')) flags.push('cut');
  if (c.calledBy) flags.push('by a tool');
  return flags;
};
const WASTE = new Set(['error', 'again', 'seen', 'poll']);
const wasted = (c) => (c.marks || []).some((m) => WASTE.has(m.kind));
const paid = (c) => (c.code ? 'error' : wasted(c) ? 'waste' : ''); // the class of what a call cost

const options = (select, title, values, name) => {
  select.append(el('option', { value: '' }, title));
  values.slice(0, 100).forEach((v, i) => select.append(el('option', { value: String(i + 1) }, name ? name(v) : v || '(unknown)')));
  return values;
};
const distinct = (get) => {
  const counts = new Map();
  for (const c of calls) { const v = get(c); if (v !== undefined) counts.set(v, (counts.get(v) || 0) + 1); }
  return [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
};
const OK = { toString: () => 'Succeeded' }, FAILED = { toString: () => 'Failed' };
const choices = {
  tool: options($('f-tool'), 'All tools', distinct((c) => c.tool)),
  code: options($('f-code'), 'Any outcome', [OK, FAILED, ...distinct((c) => c.code || undefined)], String),
  cut: options($('f-cut'), 'Cut or not', ['any', 'none', ...distinct((c) => c.cut || undefined)], (v) => (v === 'any' ? 'Cut' : v === 'none' ? 'Not cut' : 'Cut by ' + v)),
  kind: options($('f-kind'), 'Any waste', ['waste', ...report.waste.map((w) => w.kind)], (k) => (k === 'waste' ? 'Wasted' : report.waste.find((w) => w.kind === k).title)),
};

const inside = calls.filter((c) => c.calledBy);
const apply = () => {
  const escaped = state.find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = state.find ? new RegExp(escaped, 'i') : null;
  const has = (i) => {
    const c = calls[i];
    if (pattern.test(c.tool) || pattern.test(c.brief) || pattern.test(c.id || '') || pattern.test(c.full || '')) return true;
    const t = content(i);
    return (t.text || []).some((s) => s.t && pattern.test(s.t)) || (t.args || []).some((a) => pattern.test(a.text));
  };
  state.rows = [];
  calls.forEach((c, i) => {
    if (c.calledBy && !state.nested && !state.find) return;
    if (state.tool !== null && c.tool !== state.tool) return;
    if (state.code !== null && !(state.code === OK ? !c.code : state.code === FAILED ? c.code : c.code === state.code)) return;
    if (state.cut !== null && !(state.cut === 'any' ? c.cut : state.cut === 'none' ? !c.cut : c.cut === state.cut)) return;
    if (state.kind !== null && !(state.kind === 'waste' ? wasted(c) : (c.marks || []).some((m) => m.kind === state.kind))) return;
    if (state.from !== null && (c.at + c.ms < state.from || c.at > state.to)) return;
    if (pattern && !has(i)) return;
    state.rows.push(i);
  });
  const { get } = COLUMNS.find((c) => c.key === state.sort);
  const keys = new Map(state.rows.map((i) => [i, get(calls[i])]));
  state.rows.sort((a, b) => {
    const x = keys.get(a), y = keys.get(b);
    const by = x < y ? -1 : x > y ? 1 : 0;
    return by ? (state.down ? -by : by) : a - b;
  });
  const all = calls.length - (state.nested || state.find ? 0 : inside.length);
  $('count').textContent = state.rows.length !== all ? number(state.rows.length) + ' of ' + plural(all, 'call') : plural(all, 'call');
  $('nested').hidden = !inside.length;
  $('nested').textContent = (state.nested ? 'Fold ' : 'Unfold ') + plural(inside.length, 'call') + ' made by tools';
  $('clear').hidden = !(state.find || [state.tool, state.code, state.cut, state.kind, state.from].some((v) => v !== null));
  $('grid').setAttribute('aria-rowcount', String(state.rows.length + 1));
  for (const h of $('head').children) {
    const on = h.dataset.key === state.sort;
    h.setAttribute('aria-sort', on ? (state.down ? 'descending' : 'ascending') : 'none');
  }
  state.active = 0;
  $('view').scrollTop = 0;
  render();
};

$('grid').classList.toggle('changes', changes);
const rowHeight = () => (matchMedia('(max-width: 700px)').matches ? 54 : 34);
const cell = (cls, ...children) => el('div', { role: 'gridcell', class: cls }, ...children);
const row = (at, height) => {
  const i = state.rows[at], c = calls[i];
  const flags = flagsOf(c);
  const r = el('div', { role: 'row', class: 'row' + (at === state.active ? ' on' : ''), id: 'row-' + at, 'aria-rowindex': String(at + 2), 'aria-selected': String(at === state.active) },
    cell('x1 muted', String(c.n)), cell('x1 muted', clock(c.at)),
    cell('l tool' + (c.calledBy ? ' nested' : ''), shown(toolName(c))), cell('l brief mono', shown(c.brief)),
    cell('l flags', ...flags.flatMap((f, n) => [n ? ' \u00b7 ' : '', n === 0 && c.code ? el('span', { class: 'error' }, shown(f)) : shown(f)])),
    cell('tokens ' + paid(c), number(c.tokens)), cell('x1', bytes(c.bytes)), cell('x2', zero(c.hidden, bytes(c.hidden || 0))),
    ...(changes ? [cell('x2', zero(c.changed, plural(c.changed || 0, 'file')))] : []), cell('x2', time(c.ms)));
  r.children[2].dataset.n = c.n;
  r.style.top = at * height + 'px';
  r.addEventListener('click', () => { state.active = at; openCall(i); });
  return r;
};
const render = () => {
  const height = rowHeight(), view = $('view'), space = $('space');
  view.style.height = Math.min(Math.max(state.rows.length, 3) * height, Math.max(Math.min(innerHeight * .7, 720), 240)) + 'px';
  const from = Math.max(0, Math.floor(view.scrollTop / height) - 8);
  const to = Math.min(state.rows.length, Math.ceil((view.scrollTop + view.clientHeight) / height) + 8);
  space.style.height = state.rows.length * height + 'px';
  const rows = [];
  for (let at = from; at < to; at++) rows.push(row(at, height));
  if (!state.rows.length) rows.push(el('div', { class: 'none' }, calls.length ? 'No call is like that.' : 'The record has no calls.'));
  space.replaceChildren(...rows);
  if (state.rows.length) $('grid').setAttribute('aria-activedescendant', 'row-' + state.active);
  else $('grid').removeAttribute('aria-activedescendant');
};
const move = (to) => {
  if (!state.rows.length) return;
  state.active = Math.max(0, Math.min(state.rows.length - 1, to));
  const height = rowHeight(), view = $('view'), top = state.active * height;
  if (top < view.scrollTop) view.scrollTop = top;
  else if (top + height > view.scrollTop + view.clientHeight) view.scrollTop = top + height - view.clientHeight;
  render();
};
const page = () => Math.max(1, Math.floor($('view').clientHeight / rowHeight()) - 1);

const only = (key, value) => {
  clear();
  state[key] = value;
  $('f-' + key).value = String(choices[key].indexOf(value) + 1);
  apply();
  $('calls').scrollIntoView();
  $('grid').focus({ preventScroll: true });
};
const clear = () => {
  Object.assign(state, { find: '', tool: null, code: null, cut: null, kind: null });
  $('find').value = '';
  for (const key of Object.keys(choices)) $('f-' + key).value = '';
  zoom(0, span);
};

const table = () => {
  for (const c of COLUMNS) {
    $('head').append(el('div', { role: 'columnheader', class: c.cls, 'data-key': c.key }, el('button', {
      type: 'button',
      click: () => {
        if (state.sort === c.key) state.down = !state.down;
        else Object.assign(state, { sort: c.key, down: !['n', 'at', 'tool', 'brief'].includes(c.key) });
        apply();
      },
    }, c.title)));
  }
  let waiting = 0;
  $('find').addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(() => { state.find = $('find').value; apply(); }, 120); });
  for (const key of Object.keys(choices)) {
    $('f-' + key).addEventListener('change', (e) => { state[key] = e.target.value ? choices[key][Number(e.target.value) - 1] : null; apply(); });
  }
  $('filters').addEventListener('submit', (e) => e.preventDefault());
  $('nested').addEventListener('click', () => { state.nested = !state.nested; apply(); });
  $('clear').addEventListener('click', () => { clear(); apply(); $('find').focus(); });
  $('view').addEventListener('scroll', () => requestAnimationFrame(render), { passive: true });
};

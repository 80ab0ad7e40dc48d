'use strict';
(() => {
  // Texts of the record are data: they become text nodes, never markup, and are keys of Maps alone.
  const $ = (id) => document.getElementById(id);
  const report = JSON.parse(document.querySelector('script.report').textContent);
  const chunks = [...document.querySelectorAll('script.texts')];
  const { sums, calls } = report;
  const SIZE = 200; // calls in each of them
  const parsed = new Map();
  const content = (i) => {
    const at = Math.floor(i / SIZE);
    if (!parsed.has(at)) parsed.set(at, JSON.parse(chunks[at].textContent));
    return parsed.get(at)[i % SIZE];
  };

  const el = (name, props, ...children) => {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(props || {})) {
      if (key === 'class') e.className = value;
      else if (key === 'click') e.addEventListener('click', value);
      else if (value !== undefined && value !== null) e.setAttribute(key, value);
    }
    e.append(...children.filter((c) => c !== null && c !== undefined));
    return e;
  };

  // Characters that are not seen, or that reorder a line, are shown by name.
  const HIDDEN = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff])\1*/g;
  const NAMES = new Map([['\u0000', 'NUL'], ['\u001b', 'ESC'], ['\r', 'CR'], ['\u0007', 'BEL'], ['\b', 'BS'], ['\f', 'FF'], ['\u007f', 'DEL'], ['\ufeff', 'BOM']]);
  const MOST_MARKS = 2000;
  const put = (into, text) => {
    let from = 0, marks = 0;
    for (const m of text.matchAll(HIDDEN)) {
      if (++marks > MOST_MARKS) break;
      into.append(text.slice(from, m.index));
      const name = NAMES.get(m[1]) || 'U+' + m[1].codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
      into.append(el('span', { class: 'ctl' }, m[0].length > 1 ? name + ' \u00d7' + m[0].length : name));
      from = m.index + m[0].length;
    }
    into.append(text.slice(from));
    return into;
  };
  const shown = (text) => put(el('bdi'), text || '');

  const number = (n) => Math.round(n).toLocaleString('en-US');
  const bytes = (n) => {
    if (n < 1024) return n + ' B';
    const units = ['KB', 'MB', 'GB', 'TB'];
    let u = -1;
    do { n /= 1024; u++; } while (n >= 1023.95 && u < units.length - 1);
    return n.toFixed(1) + ' ' + units[u];
  };
  const share = (part, whole) => (whole > 0 ? (100 * part / whole) : 0);
  const percent = (part, whole) => {
    const p = share(part, whole);
    return (p > 0 && p < 1 ? '<1' : Math.round(p)) + ' %';
  };
  const time = (ms) => {
    if (ms < 1000) return (ms < 10 && ms > 0 ? ms.toFixed(1) : Math.round(ms)) + ' ms';
    if (ms < 60000) return (ms / 1000).toFixed(1) + ' s';
    const m = Math.floor(ms / 60000), s = Math.floor(ms / 1000) % 60;
    return m < 60 ? m + 'm ' + String(s).padStart(2, '0') + 's' : Math.floor(m / 60) + 'h ' + String(m % 60).padStart(2, '0') + 'm';
  };
  const clock = (ms) => {
    const s = Math.floor(ms / 1000), two = (n) => String(n).padStart(2, '0');
    return s < 3600 ? two(Math.floor(s / 60)) + ':' + two(s % 60) : Math.floor(s / 3600) + ':' + two(Math.floor(s / 60) % 60) + ':' + two(s % 60);
  };
  const plural = (n, word) => number(n) + ' ' + word + (n === 1 ? '' : 's');
  const toolName = (c) => c.tool || '(unknown)';
  const zero = (n, text) => (n ? text : el('span', { class: 'zero' }, '0'));

  /* Theme */
  const setTheme = (theme) => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    for (const b of $('theme').children) {
      b.setAttribute('aria-checked', String(b.dataset.theme === theme));
      b.tabIndex = b.dataset.theme === theme ? 0 : -1;
    }
    drawLine();
  };
  const themes = [...$('theme').children];
  $('theme').addEventListener('click', (e) => { if (e.target.dataset.theme) setTheme(e.target.dataset.theme); });
  $('theme').addEventListener('keydown', (e) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    const next = themes[(themes.indexOf(document.activeElement) + step + 3) % 3];
    setTheme(next.dataset.theme);
    next.focus();
    e.preventDefault();
    e.stopPropagation();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawLine());

  /* Summary */
  const summary = () => {
    $('name').append(shown(report.name));
    const first = (report.sessions || [])[0];
    const about = [];
    if (first && first.workspace) about.push(first.workspace);
    if (calls.length) about.push(new Date(calls[0].time).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' }));
    about.push(plural(sums.sessions, 'session'));
    $('about').append(shown(about.join(' \u00b7 ')));
    const figure = (title, value, unit, by, cls) => el('div', null, el('dt', null, title),
      el('dd', { class: cls || '' }, value, unit ? el('small', null, ' ' + unit) : ''), el('dd', { class: 'by' }, by));
    $('figures').append(
      figure('Calls', number(sums.calls), '', plural(sums.errors, 'error') + ', at most ' + number(Math.max(sums.atOnce, sums.calls ? 1 : 0)) + ' at once'),
      figure('Wall time', time(sums.wallMs), '', 'tools ran for ' + time(sums.busyMs) + ' of it'),
      figure('Read by the model', number(sums.tokens), 'tokens', bytes(sums.bytes) + (sums.images ? ' and ' + plural(sums.images, 'picture') : '') + ', estimated'),
      figure('Produced, not shown', bytes(sums.hidden), '', plural(sums.cut, 'result') + ' cut'),
      figure('Wasted', percent(sums.wasteTokens, sums.tokens), '', number(sums.wasteTokens) + ' tokens in ' + plural(sums.wasted, 'call'), sums.wasteTokens ? 'cost' : ''));
    const note = (text, list) => $('problems').append(el('div', { class: 'note' }, text, ...(list || []).map((p) => el('div', null, shown(p)))));
    const left = sums.calls + sums.nested - sums.listed;
    if (sums.nested) note(plural(sums.nested, 'call') + ' made by tools: listed, but in no sum, as no model read their text.');
    if (left > 0) note('The last ' + plural(left, 'call') + ' are in the sums alone: a page lists ' + number(sums.listed) + '.');
    if (sums.unread) note(plural(sums.unread, 'line') + ' of the record could not be read:', report.problems);
  };

  const toolTable = () => {
    const most = Math.max(...report.tools.map((t) => t.tokens), 1);
    const bar = (t) => {
      const waste = el('i', { class: 'w' }), rest = el('i');
      waste.style.width = share(t.wasteTokens, most) + '%';
      rest.style.width = share(t.tokens - t.wasteTokens, most) + '%';
      return el('div', { class: 'track', title: number(t.wasteTokens) + ' of ' + number(t.tokens) + ' tokens wasted' }, waste, rest);
    };
    const body = el('tbody');
    for (const t of report.tools) {
      body.append(el('tr', null,
        el('td', { class: 'name' }, el('button', { type: 'button', class: 'link', click: () => only('tool', t.name) }, shown(t.name || '(unknown)'))),
        el('td', null, number(t.calls)),
        el('td', { class: 'n' + (t.errors ? ' error' : '') }, zero(t.errors, number(t.errors))),
        el('td', null, number(t.tokens)), el('td', { class: 'bar' }, bar(t)),
        el('td', { class: 'n' }, bytes(t.bytes)), el('td', null, zero(t.hidden, bytes(t.hidden))), el('td', { class: 'n' }, time(t.ms))));
    }
    const head = (text, cls) => el('th', { scope: 'col', class: cls || '' }, text);
    $('tools').append(el('table', null, el('thead', null, el('tr', null, head('Tool'), head('Calls'), head('Errors', 'n'), head('Tokens'),
      head('', 'bar'), head('Bytes', 'n'), head('Not shown'), head('Time', 'n'))), body));
  };

  const callButton = (c, text) => el('button', { type: 'button', class: 'link', click: () => openCall(c.n - 1) }, text);
  const brief = (c) => el('span', { class: 'mono' }, shown(c.brief));

  const wasteList = () => {
    const head = (...names) => el('div', { class: 'kinds-head', 'aria-hidden': 'true' }, ...names.map((n, i) => el('span', { class: i === 3 ? 'n' : '' }, n)));
    $('waste').append(head('Wasted', 'Calls', 'Tokens', 'Bytes'));
    let counts = true;
    for (const w of report.waste) {
      if (counts && !w.counts) {
        counts = false;
        $('waste').append(head('Cut and left out', 'Calls', '', 'Not shown'));
      }
      const parts = (w.parts || []).slice(0, 4).map((p) => number(p.calls) + ' ' + p.name).join(', ') + ((w.parts || []).length > 4 ? ', \u2026' : '');
      const codes = (w.codes || []).slice(0, 4).map((p) => number(p.calls) + ' ' + p.name).join(', ');
      const how = w.kind === 'seen' ? '' : parts;
      const d = el('details', { class: 'kind' }, el('summary', null,
        el('span', null, el('span', { class: 't' }, w.title), how ? el('span', { class: 'how' }, shown(how)) : ''),
        el('span', null, zero(w.calls, number(w.calls))),
        el('span', { class: w.tokens ? 'error' : '' }, w.counts ? zero(w.tokens, number(w.tokens)) : ''),
        el('span', { class: 'n' }, w.counts || w.bytes ? zero(w.bytes, bytes(w.bytes)) : '')));
      d.addEventListener('toggle', () => {
        if (!d.open || d.children.length > 1) return;
        const list = el('ol');
        const of = calls.filter((c) => (c.marks || []).some((m) => m.kind === w.kind));
        const size = (c) => c.marks.find((m) => m.kind === w.kind).bytes || 0;
        for (const c of of.slice().sort((a, b) => size(b) - size(a)).slice(0, 6)) {
          const m = c.marks.find((x) => x.kind === w.kind);
          list.append(el('li', null, callButton(c, toolName(c) + ' ' + c.n), ' ', el('span', { class: 'muted' }, shown([m.say, m.kind === 'seen' || m.how === c.tool ? '' : m.how].filter(Boolean).join(', '))), ' ', brief(c)));
        }
        d.append(el('div', { class: 'open' }, el('p', null, w.definition, codes ? ' Codes: ' : '', codes ? shown(codes) : '', codes ? '.' : ''), list,
          of.length ? el('button', { type: 'button', class: 'link', click: () => only('kind', w.kind) }, 'Show ' + (of.length === 1 ? 'it' : 'all ' + number(of.length)) + ' in the table') : ''));
      });
      $('waste').append(d);
    }
  };

  const dearest = () => {
    const body = el('tbody');
    for (const i of report.dearest || []) {
      const c = calls[i];
      body.append(el('tr', null, el('td', { class: 'muted' }, String(c.n)), el('td', { class: 'l name' }, shown(toolName(c))),
        el('td', { class: 'l wide' }, callButton(c, brief(c))), el('td', { class: wasted(c) ? 'error' : '' }, number(c.tokens)),
        el('td', { class: 'n' }, bytes(c.bytes)), el('td', { class: 'n' }, percent(c.tokens, sums.tokens))));
    }
    const head = (text, cls) => el('th', { scope: 'col', class: cls || '' }, text);
    $('dearest').append(el('table', null, el('thead', null, el('tr', null, head('Call'), head('Tool', 'l'), head('Arguments', 'l'), head('Tokens'),
      head('Bytes', 'n'), head('Of all', 'n'))), body));
  };

  const sessions = () => {
    const into = $('sessions').querySelector('div');
    for (const s of report.sessions || []) {
      const list = el('dl', { class: 'options' });
      for (const [name, value] of s.options || []) list.append(el('div', null, el('dt', null, shown(name)), el('dd', null, shown(value))));
      into.append(el('h3', null, shown([s.id, s.workspace, new Date(s.time).toLocaleString('en-GB')].filter(Boolean).join(' \u00b7 '))), list);
    }
    if (sums.sessions > (report.sessions || []).length) into.append(el('p', { class: 'muted' }, 'and ' + plural(sums.sessions - report.sessions.length, 'more session')));
  };

  /* The table */
  const state = { find: '', tool: null, code: null, cut: null, kind: null, from: null, to: null, sort: 'n', down: false, rows: [], active: 0 };
  const COLUMNS = [
    { key: 'n', title: 'Call', cls: 'x1', get: (c) => c.n },
    { key: 'at', title: 'At', cls: 'x1', get: (c) => c.at },
    { key: 'tool', title: 'Tool', cls: 'l tool', get: (c) => c.tool },
    { key: 'brief', title: 'Arguments', cls: 'l brief', get: (c) => c.brief },
    { key: 'flags', title: 'Outcome', cls: 'l flags', get: (c) => flagsOf(c).join() },
    { key: 'tokens', title: 'Tokens', cls: 'tokens', get: (c) => c.tokens },
    { key: 'bytes', title: 'Bytes', cls: 'x1', get: (c) => c.bytes },
    { key: 'hidden', title: 'Not shown', cls: 'x2', get: (c) => c.hidden || 0 },
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
  const wasted = (c) => (c.marks || []).some((m) => m.kind === 'error' || m.kind === 'again' || m.kind === 'seen' || m.kind === 'poll');

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
    const filtered = state.rows.length !== calls.length;
    $('count').textContent = filtered ? number(state.rows.length) + ' of ' + plural(calls.length, 'call') : plural(calls.length, 'call');
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

  const rowHeight = () => (matchMedia('(max-width: 700px)').matches ? 54 : 34);
  const cell = (cls, ...children) => el('div', { role: 'gridcell', class: cls }, ...children);
  const row = (at, height) => {
    const i = state.rows[at], c = calls[i];
    const flags = flagsOf(c);
    const r = el('div', { role: 'row', class: 'row' + (at === state.active ? ' on' : ''), id: 'row-' + at, 'aria-rowindex': String(at + 2), 'aria-selected': String(at === state.active) },
      cell('x1 muted', String(c.n)), cell('x1 muted', clock(c.at)),
      cell('l tool' + (c.calledBy ? ' nested' : ''), shown(toolName(c))), cell('l brief mono', shown(c.brief)),
      cell('l flags', ...flags.flatMap((f, n) => [n ? ' \u00b7 ' : '', n === 0 && c.code ? el('span', { class: 'error' }, shown(f)) : shown(f)])),
      cell('tokens' + (wasted(c) ? ' error' : ''), number(c.tokens)), cell('x1', bytes(c.bytes)), cell('x2', zero(c.hidden, bytes(c.hidden || 0))), cell('x2', time(c.ms)));
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
    $('clear').addEventListener('click', () => { clear(); apply(); $('find').focus(); });
    $('view').addEventListener('scroll', () => requestAnimationFrame(render), { passive: true });
  };

  /* A call */
  let opened = -1, before = null;
  const fact = (title, ...value) => (value.some((v) => v !== '' && v !== undefined && v !== null) ? el('div', null, el('dt', null, title), el('dd', null, ...value)) : null);
  const titleOf = new Map(report.waste.map((w) => [w.kind, w.title]));
  const markLine = (m) => {
    const say = [m.say, m.kind === 'error' || m.kind === 'fetched' || m.kind === 'skipped' ? m.how : ''].filter(Boolean).join(', ');
    const li = el('li', null, titleOf.get(m.kind), say ? ': ' : '', shown(say));
    if (m.other) li.append(m.kind === 'error' || m.kind === 'fetched' ? ' in ' : ', shown in ', callButton(calls[m.other - 1], 'call ' + m.other));
    return li;
  };
  const openCall = (i) => {
    const c = calls[i], t = content(i), dialog = $('call');
    opened = i;
    $('c-title').replaceChildren(shown(toolName(c)), el('span', null, ' \u00b7 call ' + c.n + (c.code ? ' \u00b7 ' : '')), c.code ? el('span', { class: 'error' }, shown(c.code)) : '');
    const facts = el('dl', { class: 'facts' });
    const add = (...items) => facts.append(...items.filter(Boolean));
    add(fact('Read by the model', number(c.tokens) + ' tokens, ' + bytes(c.bytes)), fact('Lines', number(c.lines)),
      c.produced ? fact('Produced', bytes(c.produced) + (c.producedLines ? ', ' + plural(c.producedLines, 'line') : '')) : null,
      c.cut ? fact('Not shown', bytes(c.hidden || 0) + ', cut by ', shown(c.cut)) : null,
      fact('Began', new Date(c.time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })), fact('Took', time(c.ms)),
      c.atOnce > 1 ? fact('At once', plural(c.atOnce, 'call')) : null, c.images ? fact('Pictures', number(c.images)) : null,
      c.standout ? fact('Stands out', plural(c.standout, 'line')) : null, c.reader ? fact('Conversation', shown(c.reader)) : null,
      c.id ? fact('Id', el('code', null, shown(c.id))) : null, c.calledBy ? fact('Made by', el('code', null, shown(c.calledBy))) : null);
    const started = (report.jobs || []).filter((j) => j.call === c.n);
    for (const j of started) add(fact('Job ' + j.number, shown(j.state), ' after ' + time(j.ms)));
    if (c.full) { const f = fact('Full output', el('code', null, shown(c.full))); f.className = 'all'; add(f); }
    const args = el('dl');
    for (const a of t.args || []) {
      const pre = put(el('pre'), a.text);
      if (a.gap) pre.append(el('span', { class: 'left' }, bytes(a.gap) + ' more, not on this page'));
      args.append(el('div', { class: 'arg' }, el('dt', null, shown(a.name)), el('dd', null, pre)));
    }
    const text = el('pre', { class: 'text' });
    for (const s of t.text || []) {
      if (s.k === 2) text.append(el('span', { class: 'left' }, bytes(s.b) + ' here are not on this page, which has ' + bytes(report.textMax) + ' of each text'));
      else text.append(put(s.k === 1 ? el('span', { class: 'notice' }) : el('span'), s.t));
    }
    const marks = (c.marks || []).length ? el('ul', { class: 'marks' }, ...c.marks.map(markLine)) : '';
    $('c-body').replaceChildren(facts, marks, el('h3', null, 'Arguments'), (t.args || []).length ? args : el('p', { class: 'muted' }, 'None'),
      el('h3', null, 'Text, as the model read it'), (t.text || []).length ? text : el('p', { class: 'muted' }, 'Empty'));
    $('c-body').scrollTop = 0;
    const at = state.rows.indexOf(i);
    $('c-prev').disabled = at <= 0;
    $('c-next').disabled = at < 0 || at >= state.rows.length - 1;
    if (at >= 0) move(at);
    if (!dialog.open) { before = document.activeElement; dialog.showModal(); }
    $('c-body').focus();
  };
  const step = (by) => {
    const at = state.rows.indexOf(opened) + by;
    if (state.rows.indexOf(opened) >= 0 && at >= 0 && at < state.rows.length) openCall(state.rows[at]);
  };
  const dialog = () => {
    $('c-prev').addEventListener('click', () => step(-1));
    $('c-next').addEventListener('click', () => step(1));
    $('c-close').addEventListener('click', () => $('call').close());
    $('call').addEventListener('click', (e) => { if (e.target === $('call')) $('call').close(); });
    $('call').addEventListener('close', () => (before && before.isConnected && before !== document.body ? before : $('grid')).focus({ preventScroll: true }));
  };

  const keys = () => document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if ($('call').open) {
      if (e.key === 'j' || e.key === 'k') { step(e.key === 'j' ? 1 : -1); e.preventDefault(); }
      return;
    }
    if (e.key === 'Escape' && document.activeElement === $('find')) {
      if ($('find').value) { $('find').value = state.find = ''; apply(); }
      $('grid').focus();
      e.preventDefault();
      return;
    }
    if (typing) {
      if (e.key === 'Enter' && document.activeElement === $('find')) { state.find = $('find').value; apply(); $('grid').focus(); e.preventDefault(); }
      return;
    }
    if (e.key === '/') { $('find').focus(); $('find').select(); e.preventDefault(); return; }
    const inGrid = document.activeElement === $('grid') || document.activeElement === $('view');
    const jumps = { j: 1, k: -1 };
    if (inGrid) Object.assign(jumps, { ArrowDown: 1, ArrowUp: -1, PageDown: page(), PageUp: -page(), Home: -Infinity, End: Infinity });
    if (Object.hasOwn(jumps, e.key)) {
      if (!inGrid) { $('calls').scrollIntoView(); $('grid').focus({ preventScroll: true }); move(state.active); } else move(state.active + jumps[e.key]);
      e.preventDefault();
    } else if (e.key === 'Enter' && inGrid && state.rows.length) {
      openCall(state.rows[state.active]);
      e.preventDefault();
    } else if (e.key === 'Escape' && !$('clear').hidden) { clear(); apply(); }
  });

  /* The time line */
  const span = Math.max(1, calls.reduce((m, c) => Math.max(m, c.at + c.ms), 0), (report.jobs || []).reduce((m, j) => Math.max(m, j.at + j.ms), 0));
  const line = { from: 0, to: span, hits: [], drag: null };
  const MOST_ROWS = 9, MOST_JOBS = 12;
  const lanes = report.tools.slice(0, MOST_ROWS).map((t) => t.name);
  const laneOf = new Map(lanes.map((name, i) => [name, i]));
  const more = calls.some((c) => !laneOf.has(c.tool));
  if (more) lanes.push('others');
  // Steps of how many calls ran at once: [time, number] in order.
  const steps = (() => {
    const events = [];
    for (const c of calls) events.push([c.at, 1], [c.at + c.ms, -1]);
    events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let n = 0;
    return events.map(([at, by]) => [at, n += by]);
  })();
  const jobLanes = (() => {
    const ends = [], list = [];
    for (const j of (report.jobs || []).slice().sort((a, b) => a.at - b.at)) {
      let lane = ends.findIndex((end) => end <= j.at);
      if (lane < 0) lane = ends.length;
      if (lane >= MOST_JOBS) continue;
      ends[lane] = j.at + j.ms;
      list.push({ job: j, lane });
    }
    return { list, count: ends.length };
  })();
  const zoom = (from, to) => {
    const width = Math.max(Math.min(to - from, span), Math.min(20, span));
    line.from = Math.max(0, Math.min(from, span - width));
    line.to = line.from + width;
    const all = line.from <= 0 && line.to >= span;
    state.from = all ? null : line.from;
    state.to = all ? null : line.to;
    $('range').hidden = all;
    $('range').firstElementChild.textContent = clock(line.from) + ' \u2013 ' + clock(line.to) + ' (' + time(line.to - line.from) + '). The table shows the calls of this time.';
    drawLine();
  };

  const geometry = () => {
    const canvas = $('line'), width = canvas.clientWidth, small = width < 560;
    const left = small ? 64 : 96, right = 8, once = 40, lane = 20, jobs = jobLanes.count ? jobLanes.count * 12 + 14 : 0;
    const top = 8, laneTop = top + once + 14, jobTop = laneTop + lanes.length * lane + 8;
    return { canvas, width, left, right, once, lane, top, laneTop, jobTop, jobs, small, height: jobTop + jobs + 22,
      x: (at) => left + (at - line.from) / (line.to - line.from) * (width - left - right),
      time: (x) => line.from + (x - left) / (width - left - right) * (line.to - line.from) };
  };

  function drawLine() {
    const g = geometry(), { canvas } = g;
    if (!g.width) return;
    const ratio = devicePixelRatio || 1, css = getComputedStyle(document.documentElement);
    canvas.style.height = g.height + 'px';
    canvas.width = Math.round(g.width * ratio);
    canvas.height = Math.round(g.height * ratio);
    const c = canvas.getContext('2d');
    c.scale(ratio, ratio);
    // Custom properties keep light-dark() as it is written; a color property has the result.
    const probe = el('i');
    document.body.append(probe);
    const colour = (name) => { probe.style.color = 'var(--' + name + ')'; return getComputedStyle(probe).color; };
    const ink = { text: colour('muted'), faint: colour('faint'), line: colour('line'), bar: colour('bar'), mark: colour('muted'), accent: colour('accent'), soft: colour('soft') };
    probe.remove();
    c.font = '11.5px ' + css.getPropertyValue('--sans');
    c.textBaseline = 'middle';
    const label = (text, x, y, align, color) => { c.fillStyle = color || ink.text; c.textAlign = align || 'left'; c.fillText(text, x, y); };
    const fit = (text, room) => {
      if (c.measureText(text).width <= room) return text;
      while (text && c.measureText(text + '\u2026').width > room) text = text.slice(0, -1);
      return text + '\u2026';
    };
    drawGrid(c, g, ink, label);
    drawOnce(c, g, ink, label);
    lanes.forEach((name, i) => {
      const y = g.laneTop + i * g.lane + g.lane / 2;
      label(fit((name || '(unknown)').replace(HIDDEN, ' '), g.left - 12), 0, y);
    });
    drawCalls(c, g, ink);
    drawJobs(c, g, ink, label);
    if (line.drag && Math.abs(line.drag.x - line.drag.from) > 3) {
      const [a, b] = [line.drag.from, line.drag.x].sort((x, y) => x - y);
      c.globalAlpha = .14;
      c.fillStyle = ink.accent;
      c.fillRect(Math.max(a, g.left), g.top, Math.min(b, g.width - g.right) - Math.max(a, g.left), g.height - g.top - 20);
      c.globalAlpha = 1;
    }
  }
  const drawGrid = (c, g, ink, label) => {
    const nice = [10, 50, 100, 250, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 144e5, 432e5, 864e5];
    const wanted = (line.to - line.from) / ((g.width - g.left) / (g.small ? 70 : 110));
    const every = nice.find((n) => n >= wanted) || Math.ceil(wanted / 864e5) * 864e5;
    for (let at = Math.ceil(line.from / every) * every; at <= line.to; at += every) {
      const x = Math.round(g.x(at)) + .5;
      c.strokeStyle = ink.line;
      c.beginPath(); c.moveTo(x, g.top); c.lineTo(x, g.height - 20); c.stroke();
      label(every < 1000 ? (at / 1000).toFixed(2) + ' s' : clock(at), Math.min(x, g.width - 18), g.height - 9, at === 0 ? 'left' : 'center');
    }
    c.setLineDash([2, 4]);
    c.strokeStyle = ink.faint;
    for (const gap of report.gaps || []) {
      if (gap < line.from || gap > line.to) continue;
      const x = Math.round(g.x(gap)) + .5;
      c.beginPath(); c.moveTo(x, g.top); c.lineTo(x, g.height - 20); c.stroke();
    }
    c.setLineDash([]);
  };
  // At most one step a pixel is drawn: the highest.
  const drawOnce = (c, g, ink, label) => {
    const most = steps.reduce((m, s) => Math.max(m, s[1]), 1), base = g.top + g.once;
    label('at once', 0, base - g.once / 2);
    label(String(most), g.left - 6, g.top + 4, 'right', ink.faint);
    const high = new Uint16Array(Math.ceil(g.width) + 1);
    for (let i = 0; i + 1 < steps.length; i++) {
      if (!steps[i][1] || steps[i + 1][0] < line.from || steps[i][0] > line.to) continue;
      const a = Math.max(Math.floor(g.x(steps[i][0])), g.left), b = Math.min(Math.floor(g.x(steps[i + 1][0])), g.width - g.right);
      for (let x = a; x <= b; x++) high[x] = Math.max(high[x], steps[i][1]);
    }
    c.fillStyle = ink.bar;
    for (let x = 0; x < high.length; x++) if (high[x]) c.fillRect(x, base - g.once * high[x] / most, 1, g.once * high[x] / most);
    c.strokeStyle = ink.line;
    c.beginPath(); c.moveTo(g.left, base + .5); c.lineTo(g.width - g.right, base + .5); c.stroke();
  };
  const drawCalls = (c, g, ink) => {
    line.hits = [];
    for (const bad of [false, true]) { // errors last, so that nothing hides them
      for (let i = 0; i < calls.length; i++) {
        const call = calls[i];
        if (!!call.code !== bad || call.at + call.ms < line.from || call.at > line.to) continue;
        const lane = laneOf.has(call.tool) ? laneOf.get(call.tool) : lanes.length - 1;
        const x = Math.max(g.x(call.at), g.left), w = Math.max(Math.min(g.x(call.at + call.ms), g.width - g.right) - x, 2);
        const y = g.laneTop + lane * g.lane + 4;
        c.fillStyle = bad ? ink.accent : ink.mark;
        c.globalAlpha = bad ? 1 : .75;
        c.fillRect(x, y, w, g.lane - 8);
        line.hits.push({ x, w, y: y - 4, h: g.lane, i });
      }
    }
    c.globalAlpha = 1;
  };
  const drawJobs = (c, g, ink, label) => {
    if (!jobLanes.count) return;
    label('jobs', 0, g.jobTop + 8);
    for (const { job, lane } of jobLanes.list) {
      if (job.at + job.ms < line.from || job.at > line.to) continue;
      const x = Math.max(g.x(job.at), g.left), w = Math.max(Math.min(g.x(job.at + job.ms), g.width - g.right) - x, 3);
      const y = g.jobTop + lane * 12 + 3;
      c.fillStyle = ink.bar;
      c.fillRect(x, y, w, 8);
      line.hits.push({ x, w, y: y - 2, h: 12, job });
    }
  };
  const hitAt = (x, y) => {
    let best = null;
    for (const h of line.hits) {
      if (y < h.y || y >= h.y + h.h || x < h.x - 3 || x > h.x + h.w + 3) continue;
      const far = Math.abs(x - Math.max(h.x, Math.min(x, h.x + h.w)));
      if (!best || far <= best.far) best = { far, h };
    }
    return best && best.h;
  };
  const timeline = () => {
    const canvas = $('line'), tip = $('tip');
    canvas.addEventListener('pointerdown', (e) => { if (e.button === 0) { line.drag = { from: e.offsetX, x: e.offsetX }; canvas.setPointerCapture(e.pointerId); } });
    canvas.addEventListener('pointermove', (e) => {
      if (line.drag) { line.drag.x = e.offsetX; drawLine(); tip.hidden = true; return; }
      const h = hitAt(e.offsetX, e.offsetY);
      canvas.style.cursor = h ? 'pointer' : 'crosshair';
      tip.hidden = !h;
      if (!h) return;
      const c = h.job ? null : calls[h.i];
      tip.replaceChildren(shown(c ? toolName(c) + ' ' + c.n + ' \u00b7 ' + time(c.ms) + ' \u00b7 ' + number(c.tokens) + ' tokens \u00b7 ' + c.brief
        : 'job ' + h.job.number + ' \u00b7 ' + h.job.state + ' \u00b7 ' + time(h.job.ms)));
      tip.style.top = h.y + h.h + 4 + 'px';
      tip.style.left = Math.max(0, Math.min(e.offsetX, canvas.clientWidth - tip.offsetWidth)) + 'px';
    });
    canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
    canvas.addEventListener('pointercancel', () => { line.drag = null; drawLine(); });
    canvas.addEventListener('pointerup', (e) => {
      const d = line.drag;
      if (!d) return;
      line.drag = null;
      if (Math.abs(d.x - d.from) > 3) {
        const g = geometry(), [a, b] = [d.from, d.x].sort((x, y) => x - y);
        zoom(g.time(Math.max(a, g.left)), g.time(b));
        apply();
        return;
      }
      const h = hitAt(e.offsetX, e.offsetY);
      if (h && h.job) { if (h.job.call) openCall(h.job.call - 1); } else if (h) openCall(h.i);
      drawLine();
    });
    canvas.addEventListener('keydown', (e) => {
      const width = line.to - line.from, middle = (line.to + line.from) / 2;
      const to = { ArrowLeft: [line.from - width / 4, line.to - width / 4], ArrowRight: [line.from + width / 4, line.to + width / 4], '+': [middle - width / 4, middle + width / 4],
        '=': [middle - width / 4, middle + width / 4], '-': [middle - width, middle + width], 0: [0, span] };
      if (!Object.hasOwn(to, e.key)) return;
      zoom(...to[e.key]);
      apply();
      e.preventDefault();
      e.stopPropagation();
    });
    $('range').querySelector('button').addEventListener('click', () => { zoom(0, span); apply(); canvas.focus(); });
    canvas.setAttribute('aria-label', 'Time line of ' + plural(calls.length, 'call') + (sums.jobs ? ' and ' + plural(sums.jobs, 'job') : '') + ', at most ' + steps.reduce((m, s) => Math.max(m, s[1]), 0) + ' at once');
    new ResizeObserver(() => { drawLine(); render(); }).observe($('grid'));
  };

  summary();
  toolTable();
  wasteList();
  dearest();
  sessions();
  table();
  dialog();
  keys();
  timeline();
  setTheme('auto');
  apply();
})();

// Texts of results are data: they become text nodes, never markup.
const $ = (id) => document.getElementById(id);
const run = JSON.parse(document.querySelector('script.run').textContent);
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
const draw = (name, props, ...children) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(props || {})) e.setAttribute(key, value);
  e.append(...children);
  return e;
};
const number = (n) => Math.round(n).toLocaleString('en-US');
const digits = (x) => (x >= 100 ? number(x) : String(Number(x.toPrecision(2))));

const FAMILIES = {
  needles: ['Does a cut output say what failed?', 'Recorded outputs of builds, tests and servers. Filled: how many lines that say what failed are in the first result. Ring: how many can be reached by what the result says.'],
  paging: ['Can all of it be read by following what the results say?', 'Files, outputs, lists and matches that are longer than a result. A result that is not bounded fails, too.'],
  edits: ['Does an edit change just what it names?', 'The bytes of the file are compared.'],
  ignores: ['Do searches leave out what git ignores, and nothing else?', 'Against the answer of git itself.'],
  hostile: ['Do odd files and endless output hurt?', 'Each call has to be answered in time, with a bounded result.'],
  processes: ['What is left running?', 'After the end of the session, a timeout, or a cancelled call.'],
  tasks: ['What do twenty tasks cost?', 'Scripted calls, and what follows from their results. Bars are bytes that the model writes and reads, on a logarithmic scale; the darker end is refusals and lines shown twice.'],
  speed: ['How long does a call take beside the plain program?', 'Medians, over the protocol, beside rg, fd, sed, ls or bash in the same run. Left of 1 is faster; the scale is logarithmic.'],
};
const familyOf = (name) => name.split('/')[0];
const cases = new Map(run.Cases.map((c) => [c.Name, c]));
const byKey = new Map(run.Results.map((r) => [r.Suite + '\n' + r.Case, r]));
const of = (family) => run.Cases.filter((c) => familyOf(c.Name) === family);
const result = (suite, name) => byKey.get(suite + '\n' + name);
const done = (suite, family) => of(family).map((c) => result(suite, c.Name)).filter((r) => r && r.Status !== 'skip');
const total = (list, key) => list.reduce((sum, r) => sum + (r[key] || 0), 0);
const said = (r) => (r.Status === 'skip' ? 'skipped, ' + r.Why : r.Status === 'fail' ? 'failed' : 'passed');

/* A case */
let order = [], at = -1, before = null;
const open = (r, list) => {
  order = list;
  at = list.indexOf(r);
  const c = cases.get(r.Case), dialog = $('case');
  $('c-title').replaceChildren(r.Suite, el('span', null, ' · ' + r.Case + ' · ' + said(r)));
  const body = [el('p', { class: 'note' }, c.Title)];
  if (r.Failed) body.push(el('ul', { class: 'facts-failed' }, ...r.Failed.map((f) => el('li', null, f))));
  const facts = [['Calls', r.Calls], ['Bytes', r.Bytes], ['Tokens', r.Tokens], ['Wasted bytes', r.Wasted], ['Lines that say what failed', r.Needles],
    ['Shown', r.Shown], ['Reached', r.Reached], ['Milliseconds', r.MS], ['The plain program', r.PlainMS], ['MiB', r.MiB]].filter(([, v]) => v);
  body.push(el('dl', { class: 'facts' }, ...facts.map(([name, v]) => el('div', null, el('dt', null, name), el('dd', null, digits(v))))));
  if (c.Source) body.push(el('h3', null, 'The case'), el('pre', null, c.Source.slice(0, 3000)));
  else body.push(el('p', { class: 'note' }, 'The texts of this case are not shown: who works on a suite must not tune it on them.'));
  for (const e of r.Log || []) {
    body.push(el('h3', null, 'Call of ' + e.Tool), el('pre', null, e.Args), el('h3', null, (e.Error ? 'Refused or failed, ' : 'Returned ') + number(e.Bytes) + ' bytes'));
    if (e.Text) body.push(el('pre', { class: 'text' }, e.Text));
  }
  $('c-body').replaceChildren(...body);
  $('c-body').scrollTop = 0;
  $('c-prev').disabled = at <= 0;
  $('c-next').disabled = at >= list.length - 1;
  if (!dialog.open) { before = document.activeElement; dialog.showModal(); }
  $('c-body').focus();
};
$('c-prev').addEventListener('click', () => open(order[at - 1], order));
$('c-next').addEventListener('click', () => open(order[at + 1], order));
$('c-close').addEventListener('click', () => $('case').close());
$('case').addEventListener('close', () => before && before.focus());
$('case').addEventListener('click', (e) => { if (e.target === $('case')) $('case').close(); });

/* Pictures */
const picture = (height, label, ...parts) => draw('svg', { class: 'picture', viewBox: '0 0 860 ' + height, role: 'img', 'aria-label': label }, ...parts);
const textAt = (x, y, text, anchor, cls) => draw('text', { x, y, 'text-anchor': anchor || 'start', class: cls || '' }, text);
const scaleOf = (values, from, to) => {
  const low = Math.floor(Math.log10(Math.min(...values))), high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const x = (v) => from + (to - from) * (Math.log10(v) - low) / (high - low);
  const ticks = [];
  for (let p = low; p <= high; p++) ticks.push(10 ** p);
  return { x, ticks };
};
const axis = (scale, top, bottom, unit) => scale.ticks.flatMap((t) => [draw('line', { x1: scale.x(t), x2: scale.x(t), y1: top, y2: bottom }), textAt(scale.x(t), bottom + 16, t.toLocaleString('en-US', { maximumFractionDigits: 4 }) + unit, 'middle', 'm')]);

const needles = (suites) => {
  const list = suites.map((s) => [s, done(s, 'needles')]).filter(([, d]) => d.length)
    .map(([s, d]) => ({ s, tokens: total(d, 'Tokens') / d.length, shown: total(d, 'Shown') / total(d, 'Needles'), reached: total(d, 'Reached') / total(d, 'Needles') }));
  const y = (i) => 26 + 30 * i;
  const share = (v) => 170 + 540 * v;
  const parts = [0, .25, .5, .75, 1].flatMap((v) => [draw('line', { x1: share(v), x2: share(v), y1: 10, y2: y(list.length) - 8 }), textAt(share(v), y(list.length) + 8, 100 * v + ' %', 'middle', 'm')]);
  list.forEach((p, i) => parts.push(textAt(158, y(i) + 4, p.s, 'end'), draw('circle', { cx: share(p.reached), cy: y(i), r: 7, class: 'ring' }), draw('circle', { cx: share(p.shown), cy: y(i), r: 5, class: 'dot' }),
    textAt(852, y(i) + 4, number(p.tokens) + ' tokens', 'end', 'm')));
  return picture(y(list.length) + 20, 'The share of lines that say what failed, by suite', ...parts);
};
const tasks = (suites) => {
  const list = suites.map((s) => [s, done(s, 'tasks')]).filter(([, d]) => d.length).map(([s, d]) => ({ s, n: d.length, ok: d.filter((r) => r.Status === 'pass').length, bytes: total(d, 'Bytes'), wasted: total(d, 'Wasted'), calls: total(d, 'Calls') }));
  const scale = scaleOf(list.map((p) => p.bytes), 170, 620), y = (i) => 26 + 30 * i;
  const parts = axis(scale, 10, y(list.length) - 8, '');
  list.forEach((p, i) => {
    const end = scale.x(p.bytes), kept = scale.x(Math.max(p.bytes - p.wasted, 10 ** Math.floor(Math.log10(p.bytes) - 9)));
    parts.push(textAt(158, y(i) + 4, p.s, 'end'), draw('rect', { x: 170, y: y(i) - 7, width: Math.max(end - 170, 1), height: 14, class: 'bar' }));
    if (p.wasted) parts.push(draw('rect', { x: Math.max(kept, 170), y: y(i) - 7, width: Math.max(end - Math.max(kept, 170), 1), height: 14, class: 'waste' }));
    parts.push(textAt(852, y(i) + 4, p.ok + ' of ' + p.n + ' done, ' + p.calls + ' calls, ' + number(p.bytes) + ' bytes', 'end', 'm'));
  });
  return picture(y(list.length) + 20, 'Bytes of the tasks, by suite', ...parts);
};
const speed = (suites) => {
  const timed = run.Results.filter((r) => r.MS > 0 && r.PlainMS > 0);
  if (!timed.length) return null;
  const scale = scaleOf(timed.map((r) => r.MS / r.PlainMS).concat([1]), 262, 830), parts = [];
  let y = 20;
  for (const c of of('speed')) {
    const list = suites.map((s) => result(s, c.Name)).filter((r) => r && r.MS > 0);
    if (!list.length) continue;
    parts.push(textAt(250, y + 4, c.Title, 'end'));
    for (const r of list.sort((a, b) => a.MS - b.MS)) {
      const ratio = r.MS / r.PlainMS, mark = draw('circle', { cx: scale.x(ratio), cy: y, r: 5, class: r.Suite === run.Suites[0].Name ? 'dot' : 'other', role: 'button', tabindex: 0 },
        draw('title', null, r.Suite + ': ' + digits(r.MS) + ' ms, ' + digits(ratio) + ' times the plain program, ' + digits(r.MiB || 0) + ' MiB'));
      mark.addEventListener('click', () => open(r, list));
      mark.addEventListener('keydown', (e) => { if (e.key === 'Enter') open(r, list); });
      parts.push(mark, textAt(scale.x(ratio), y + 18, r.Suite, 'middle', 'm'));
      y += 26;
    }
    parts.push(draw('line', { x1: 0, x2: 860, y1: y - 4, y2: y - 4 }));
    y += 12;
  }
  return picture(y + 24, 'Times beside the plain programs', ...axis(scale, 8, y, ' ×'), ...parts);
};
const pictures = { needles, tasks, speed };

/* The page */
const suites = run.Suites.map((s) => s.Name);
$('about').textContent = [run.Date, run.System, run.Programs, run.Suites.map((s) => s.Name + ' ' + s.Version).join(', ')].join(' · ');
const families = Object.keys(FAMILIES).filter((f) => of(f).length);
const cell = (suite, family) => {
  const list = done(suite, family), ok = list.filter((r) => r.Status === 'pass').length;
  return el('td', { class: list.length ? '' : 'zero' }, list.length ? ok + ' of ' + list.length : '–');
};
$('all').append(el('table', null, el('thead', null, el('tr', null, el('th', { class: 'l' }, 'suite'), ...families.map((f) => el('th', null, f)))),
  el('tbody', null, ...suites.map((s) => el('tr', null, el('td', { class: 'l' }, s), ...families.map((f) => cell(s, f)))))));
const sign = { pass: '', fail: '×', skip: '–' };
for (const family of families) {
  const [title, lede] = FAMILIES[family], make = pictures[family];
  const section = el('section', null, el('h2', null, title), el('p', { class: 'lede' }, lede), make ? make(suites) : null);
  for (const s of suites) {
    const list = of(family).map((c) => result(s, c.Name)).filter(Boolean), ok = list.filter((r) => r.Status === 'pass').length;
    const square = (r) => el('button', { type: 'button', class: r.Status === 'skip' ? 'lacking' : r.Status, title: r.Case.split('/')[1] + ': ' + said(r), 'aria-label': s + ', ' + r.Case + ': ' + said(r), click: () => open(r, list) }, sign[r.Status]);
    section.append(el('div', { class: 'lane' }, el('span', null, s), el('div', { class: 'cells' }, ...list.map(square)), el('span', { class: 'sum' }, ok + ' of ' + list.filter((r) => r.Status !== 'skip').length)));
  }
  $('families').append(section);
}
const themes = [...document.querySelectorAll('#theme button')];
const theme = (name) => {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  for (const b of themes) b.setAttribute('aria-checked', String(b.dataset.theme === name));
};
for (const b of themes) b.addEventListener('click', () => theme(b.dataset.theme));
theme('auto');

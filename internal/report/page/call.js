/* A call */
let opened = -1, before = null;
const fact = (title, ...value) => (value.some((v) => v !== '' && v !== undefined && v !== null) ? el('div', null, el('dt', null, title), el('dd', null, ...value)) : null);
const titleOf = new Map(report.waste.map((w) => [w.kind, w.title]));
const markLine = (m) => {
  const say = [m.say, m.kind === 'error' || m.kind === 'fetched' || m.kind === 'skipped' ? m.how : ''].filter(Boolean).join(', ');
  const li = el('li', { class: m.kind === 'error' ? 'failed' : WASTE.has(m.kind) ? 'wasted' : '' }, titleOf.get(m.kind), say ? ': ' : '', shown(say));
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
  const made = c.id ? inside.filter((other) => other.calledBy === c.id && other.session === c.session) : [];
  const list = made.length ? [el('h3', null, 'Made ' + plural(made.length, 'call')), el('ol', { class: 'made' }, ...made.slice(0, 100).map((other) => el('li', null, callButton(other, toolName(other) + ' ' + other.n), ' ', brief(other), other.code ? el('span', { class: 'error' }, ' ', shown(other.code)) : '')))] : [];
  const changes = (c.changes || []).length ? [el('h3', null, 'Changed ' + plural(c.changed, 'file')), el('ol', { class: 'made' }, ...c.changes.map((f) => el('li', null, shown(f)))),
    c.changed > c.changes.length ? el('p', { class: 'muted' }, number(c.changed - c.changes.length) + ' more') : ''] : [];
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
  const told = (t.text || []).filter((s) => s.k === 1 && s.t.trim());
  const marks = (c.marks || []).length ? el('ul', { class: 'marks' }, ...c.marks.map(markLine)) : '';
  const notices = told.length ? [el('h3', null, 'What its notices say'), el('pre', null, ...told.map((s) => put(el('span'), s.t.trim() + '\n')))] : [];
  $('c-body').replaceChildren(facts, marks, ...notices, el('h3', null, 'Arguments'), (t.args || []).length ? args : el('p', { class: 'muted' }, 'None'), ...list, ...changes,
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

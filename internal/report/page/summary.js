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
  const figure = (title, value, unit, by) => el('div', null, el('dt', null, title),
    el('dd', null, value, unit ? el('small', null, ' ' + unit) : ''), el('dd', { class: 'by' }, by));
  $('figures').append(
    figure('Calls', number(sums.calls), '', plural(sums.errors, 'error') + ', at most ' + number(Math.max(sums.atOnce, sums.calls ? 1 : 0)) + ' at once'),
    figure('Wall time', time(sums.wallMs), '', 'tools ran for ' + time(sums.busyMs) + ' of it'),
    figure('Read by the model', number(sums.tokens), 'tokens', bytes(sums.bytes) + ', estimated' + (sums.images ? '; not counted: ' + plural(sums.images, 'picture') : '')),
    figure('Produced, not shown', bytes(sums.hidden), '', plural(sums.cut, 'result') + ' cut'),
    figure('Wasted', percent(sums.wasteTokens, sums.tokens), '', number(sums.wasteTokens) + ' tokens in ' + plural(sums.wasted, 'call')));
  const note = (text, list) => $('problems').append(el('div', { class: 'note' }, text, ...(list || []).map((p) => el('div', null, shown(p)))));
  const left = sums.calls + sums.nested - sums.listed;
  if (sums.unknown) note('Unknown for ' + plural(sums.unknown, 'call') + ' of an older record: polls, what followed cuts, what searches left out, and which lines were seen before.');
  if (sums.nested) note(plural(sums.nested, 'call') + ' made by tools: listed, but in no sum, as no model read their text.');
  if (left > 0) note('The last ' + plural(left, 'call') + ' are in the sums alone: a page lists ' + number(sums.listed) + '.');
  if (sums.unread) note(plural(sums.unread, 'line') + ' of the record could not be read:', report.problems);
};

const toolTable = () => {
  const most = Math.max(...report.tools.map((t) => t.tokens), 1);
  const bar = (t) => {
    const part = (cls, tokens) => {
      const i = el('i', { class: cls });
      i.style.width = share(tokens, most) + '%';
      return i;
    };
    const twice = t.wasteTokens - t.errorTokens;
    return el('div', { class: 'track', title: number(twice) + ' of ' + number(t.tokens) + ' tokens paid twice, ' + number(t.errorTokens) + ' for failed calls' },
      part('w', twice), part('e', t.errorTokens), part('', t.tokens - t.wasteTokens));
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
  const head = (counts) => el('div', { class: 'kinds-head', 'aria-hidden': 'true' }, el('span'), el('span', null, 'Calls'),
    el('span', null, counts ? 'Tokens' : ''), el('span', { class: 'n' }, counts ? 'Bytes' : 'Not shown'));
  const short = (parts) => (parts || []).slice(0, 4).map((p) => number(p.calls) + ' ' + p.name).join(', ') + ((parts || []).length > 4 ? ', \u2026' : '');
  let section = null;
  for (const w of report.waste) {
    if (!section || section.firstChild.textContent !== w.question) {
      const id = 'h-' + w.kind;
      section = el('section', { 'aria-labelledby': id }, el('h2', { id }, w.question), head(w.counts));
      $(w.kind === 'error' ? 'left' : 'right').append(section);
    }
    const how = w.kind === 'seen' ? '' : short(w.parts), codes = short(w.codes);
    const d = el('details', { class: 'kind', 'data-kind': w.kind }, el('summary', null,
      el('span', null, el('span', { class: 't' }, w.title), how ? el('span', { class: 'how' }, shown(how)) : ''),
      el('span', null, zero(w.calls, number(w.calls))),
      el('span', { class: w.tokens ? (w.kind === 'error' ? 'error' : 'waste') : '' }, w.counts ? zero(w.tokens, number(w.tokens)) : ''),
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
    section.append(d);
  }
};

const dearest = () => {
  const body = el('tbody');
  for (const i of report.dearest || []) {
    const c = calls[i];
    body.append(el('tr', null, el('td', { class: 'muted' }, String(c.n)), el('td', { class: 'l name' }, shown(toolName(c))),
      el('td', { class: 'l wide' }, callButton(c, brief(c))), el('td', { class: paid(c) }, number(c.tokens)),
      el('td', { class: 'n' }, bytes(c.bytes)), el('td', { class: 'n' }, percent(c.tokens, sums.tokens))));
  }
  const head = (text, cls) => el('th', { scope: 'col', class: cls || '' }, text);
  $('dearest').append(el('table', null, el('thead', null, el('tr', null, head('Call'), head('Tool', 'l'), head('Arguments', 'l'), head('Tokens'),
    head('Bytes', 'n'), head('Of all', 'n'))), body));
};

const hosts = () => {
  const body = el('tbody');
  for (const h of report.hosts || []) {
    body.append(el('tr', null, el('td', { class: 'l wide' }, shown(h.name)), el('td', null, number(h.requests)),
      el('td', null, bytes(h.bytes)), el('td', null, number(h.refused))));
  }
  const section = $('hosts'), head = (text, cls) => el('th', { scope: 'col', class: cls || '' }, text);
  section.hidden = !body.children.length;
  section.querySelector('p').hidden = !report.allowHosts;
  section.querySelector('code').append(shown(report.allowHosts || ''));
  section.querySelector('div').append(el('table', null, el('thead', null, el('tr', null, head('Host', 'l'), head('Requests'), head('Bytes'),
    head('Refused'))), body));
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

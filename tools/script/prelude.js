// What a script finds around it. The Go side calls the functions that this returns.
((show) => {
  const host = { __proto__: null };
  for (const name of ['call', 'print', 'image', 'looked', 'finish', 'names', 'missing', 'rejected', 'kind', 'state', 'result']) {
    host[name] = globalThis['__' + name];
    delete globalThis['__' + name];
  }
  const { parse, stringify } = JSON;
  const { freeze, defineProperty, keys } = Object;
  const Async = (async () => {}).constructor;
  const Failure = Error;
  const most = 9e6; // characters, more than the host takes: the rest need not be copied
  const { plain, consoled } = show(host.kind, host.state, host.result, most);
  const waiting = { __proto__: null }; // by the id of a call, what settles its promise
  const ignored = { __proto__: null }; // ids of calls whose promises nothing waits for

  // A promise that knows whether anything waits for it.
  class Call extends Promise {
    static get [Symbol.species]() { return Promise; }
    then(...handlers) {
      delete ignored[this.id];
      return super.then(...handlers);
    }
  }

  const isJSON = (value) => typeof value === 'object' && host.kind(value) !== 'Date' && plain(value);
  const text = (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'bigint') return String(value);
    return isJSON(value) ? stringify(value) ?? 'undefined' : consoled(value);
  };
  const define = (name, value) => defineProperty(globalThis, name, { value, writable: false, configurable: false });
  const say = (...values) => host.print(values.map(text).join(' ').slice(0, most));

  const named = { __proto__: null };
  for (const name of parse(host.names())) {
    named[name] = (args = {}) => {
      let settle;
      const promise = new Call((...functions) => { settle = functions; });
      const id = host.call(name, stringify(args) ?? 'null', new Failure().stack);
      defineProperty(promise, 'id', { value: id });
      waiting[id] = settle;
      ignored[id] = true;
      return promise;
    };
  }
  // Looking for what is no tool is an error that names those that are, but for what an await and JSON look for.
  const tools = new Proxy(freeze(named), { __proto__: null, get(of, name) {
    if (name in of || typeof name === 'symbol' || name === 'then' || name === 'toJSON') return of[name];
    throw new Failure(host.missing(name));
  } });
  define('tools', tools);
  define('print', say);
  define('console', freeze({ log: say, info: say, warn: say, error: say, debug: say }));
  define('image', (of) => {
    const list = of && of.images ? of.images : [of];
    for (const one of list) {
      const wrong = host.image(one && typeof one.image === 'number' ? one.image : -1);
      if (wrong) throw new Failure(wrong);
    }
  });

  class ToolError extends Failure {}
  defineProperty(ToolError.prototype, 'name', { value: 'ToolError' });

  // Tells the host of what was thrown, or rejected: an error, or another value as text.
  const tell = (to, e) => {
    const read = (key) => {
      try {
        const value = e[key];
        return typeof value === 'string' ? value : '';
      } catch {
        return '';
      }
    };
    if ((typeof e === 'object' || typeof e === 'function') && e !== null) {
      const of = e instanceof ToolError ? e : {};
      const [name, message] = [read('name'), read('message')];
      if (name || message) return to('failed', name, message, of.at ?? read('stack'), of.code ?? '', of.id ?? 0);
    }
    let shown = '';
    try {
      shown = typeof e === 'string' ? e.slice(0, most) : text(e);
    } catch { }
    to('threw', '', shown, '', '', 0);
  };
  const returned = (value) => {
    if (value === undefined) return host.finish('nothing', '', '', '', '', 0);
    if (!isJSON(value)) return host.finish('text', '', text(value).slice(0, most), '', '', 0);
    const short = stringify(value);
    if (short === undefined) return host.finish('text', '', 'undefined', '', '', 0);
    const long = short.length > 200 && short.length < most ? stringify(value, null, 1) : short;
    host.finish('json', '', long.slice(0, most), '', '', 0);
  };
  // The function of the code. Code that is a function, or calls one, as a whole is meant to be run, and its result shown.
  const compiled = (code, whole) => {
    if (!whole) return new Async(code);
    try {
      const value = new Async('return (' + code.replace(/[\s;]+$/, '') + '\n)');
      return async () => {
        const made = await value();
        return typeof made === 'function' ? made() : made;
      };
    } catch {
      return new Async(code);
    }
  };
  // A result that tells when the script reads what a search skipped.
  const watched = (id, value) => {
    const { skipped } = value;
    if (skipped) defineProperty(value, 'skipped', { __proto__: null, enumerable: true, get() { host.looked(id); return skipped; } });
    return value;
  };
  return {
    start(code, whole) {
      compiled(code, whole)().then(returned).catch((e) => tell(host.finish, e));
    },
    settle(id, ok, result, at) {
      const [resolve, reject] = waiting[id];
      delete waiting[id];
      const value = parse(result);
      if (ok) return resolve(watched(id, value));
      const e = new ToolError(value.message);
      defineProperty(e, 'code', { value: value.code, enumerable: true });
      defineProperty(e, 'at', { value: at });
      defineProperty(e, 'id', { value: id });
      e.details = value.details;
      reject(e);
    },
    ignored() { return stringify(keys(ignored).map(Number)); },
    rejected(reason) { tell(host.rejected, reason); },
  };
})

// What a script finds around it. The Go side calls the functions that this returns.
(() => {
  const { __call: call, __print: print, __image: image, __looked: looked, __finish: finish, __names: names } = globalThis;
  for (const name of ['__call', '__print', '__image', '__looked', '__finish', '__names']) delete globalThis[name];
  const { parse, stringify } = JSON;
  const { freeze, defineProperty, keys } = Object;
  const Async = (async () => {}).constructor;
  const Failure = Error;
  const waiting = { __proto__: null }; // by the id of a call, what settles its promise
  const failures = { __proto__: null }; // promises of calls that failed

  // A promise that knows whether anything waits for it.
  class Call extends Promise {
    static get [Symbol.species]() { return Promise; }
    then(...handlers) {
      this.awaited = true;
      return super.then(...handlers);
    }
  }

  const text = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Failure) return String(value);
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const define = (name, value) => defineProperty(globalThis, name, { value, writable: false, configurable: false });
  const most = 9e6; // characters, more than the host takes: the rest need not be copied
  const say = (...values) => print(values.map(text).join(' ').slice(0, most));

  const tools = { __proto__: null };
  for (const name of parse(names())) {
    tools[name] = (args = {}) => {
      let settle;
      const promise = new Call((...functions) => { settle = functions; });
      waiting[call(name, stringify(args) ?? 'null', new Failure().stack)] = [promise, ...settle];
      return promise;
    };
  }
  define('tools', freeze(tools));
  define('print', say);
  define('console', freeze({ log: say, info: say, warn: say, error: say, debug: say }));
  define('image', (of) => {
    const list = of && of.images ? of.images : [of];
    for (const one of list) image(one && typeof one.image === 'number' ? one.image : -1);
  });

  class ToolError extends Failure {}
  defineProperty(ToolError.prototype, 'name', { value: 'ToolError' });

  const failed = (e) => {
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
      finish('failed', read('name'), read('message'), of.at ?? read('stack'), of.code ?? '');
    } else {
      finish('failed', 'Error', text(e), '', '');
    }
  };
  const returned = (value) => {
    if (value === undefined) return finish('nothing', '');
    if (typeof value === 'string') return finish('text', value.slice(0, most));
    const short = stringify(value);
    if (short === undefined) return finish('text', String(value));
    finish('json', (short.length > 200 && short.length < most ? stringify(value, null, 1) : short).slice(0, most));
  };
  // A result that tells when the script reads what a search skipped.
  const watched = (id, value) => {
    const { skipped } = value;
    if (skipped) defineProperty(value, 'skipped', { __proto__: null, enumerable: true, get() { looked(id); return skipped; } });
    return value;
  };
  return {
    start(code) {
      new Async(code)().then(returned).catch(failed);
    },
    settle(id, ok, result, at) {
      const [promise, resolve, reject] = waiting[id];
      delete waiting[id];
      const value = parse(result);
      if (ok) return resolve(watched(id, value));
      const e = new ToolError(value.message);
      defineProperty(e, 'code', { value: value.code, enumerable: true });
      defineProperty(e, 'at', { value: at });
      e.details = value.details;
      failures[id] = promise;
      reject(e);
    },
    lost() {
      return stringify(keys(failures).filter((id) => !failures[id].awaited).map(Number));
    },
  };
})();

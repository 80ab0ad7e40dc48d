// How values are shown: plain ones as JSON, others as a console shows them. kind tells the engine's class of an object,
// state and result what has become of a promise, whatever the script has made of prototypes. Getters, proxies and toJSON of the
// script may run: what they do is bounded as all that it does.
((kind, state, result, most) => {
  const { stringify } = JSON;
  const { apply, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const { isArray, from } = Array;
  const { isFinite } = Number;
  const get = (proto, name) => getOwnPropertyDescriptor(proto, name).get;
  const bound = (f) => (of, ...args) => apply(f, of, args);
  const entriesOf = { Map: bound(Map.prototype.entries), Set: bound(Set.prototype.values) };
  const sizeOf = { Map: bound(get(Map.prototype, 'size')), Set: bound(get(Set.prototype, 'size')) };
  const iso = bound(Date.prototype.toISOString), time = bound(Date.prototype.getTime);
  const regexp = bound(RegExp.prototype.toString), symbol = bound(Symbol.prototype.toString);
  const lengthOf = bound(get(getPrototypeOf(Uint8Array.prototype), 'length'));
  const bytes = bound(get(ArrayBuffer.prototype, 'byteLength'));
  const digits = bound(BigInt.prototype.toString), source = bound(Function.prototype.toString);
  const starts = bound(String.prototype.startsWith), matches = bound(RegExp.prototype.test);

  const deepest = 6; // levels that a console shows
  const longest = 1000; // items of one level

  // Whether JSON says all of a value. What is deeper than calls can be is an error.
  const plain = (value, above) => {
    switch (typeof value) {
      case 'string': case 'boolean': case 'undefined': return true;
      case 'number': return isFinite(value);
      case 'object': break;
      default: return false;
    }
    if (value === null) return true;
    const is = kind(value);
    if (is === 'Date') return isFinite(time(value));
    if (is !== 'Object' && is !== 'Array' && is !== 'Proxy') return is === 'Number' || is === 'String' || is === 'Boolean';
    for (let up = above; up; up = up.above) if (up.value === value) return false;
    if (typeof value.toJSON === 'function') return true;
    const here = { value, above, __proto__: null };
    if (isArray(value)) {
      for (let i = 0; i < value.length; i++) if (!plain(value[i], here)) return false;
      return true;
    }
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i++) {
      const of = typeof keys[i] === 'symbol' ? undefined : getOwnPropertyDescriptor(value, keys[i]);
      if (of && of.enumerable && !plain('value' in of ? of.value : value[keys[i]], here)) return false;
    }
    return true;
  };

  const errorText = (e) => {
    const text = String(e);
    return e.code && typeof e.code === 'string' && !starts(text, e.code) && e.name !== 'ToolError' ? text + ' (' + e.code + ')' : text;
  };
  const functionText = (f) => (starts(source(f), 'class') ? '[class ' : '[Function: ') + (f.name || '(anonymous)') + ']';

  // What a console shows of a value, cut after most characters.
  const consoled = (value) => {
    let out = '';
    let room = most;
    const say = (text) => {
      out += text;
      room -= text.length;
    };
    const list = (open, n, each, close) => {
      if (!n) return say(open + close);
      say(open + ' ');
      for (let i = 0; i < n && room > 0; i++) {
        if (i) say(', ');
        if (i === longest) {
          say('... ' + (n - i) + ' more');
          break;
        }
        each(i);
      }
      say(' ' + close);
    };
    const collection = (value, is, here, depth) => {
      const items = entriesOf[is](value);
      list(is + '(' + sizeOf[is](value) + ') {', sizeOf[is](value), () => {
        const item = items.next().value;
        if (is === 'Set') return show(item, here, depth);
        show(item[0], here, depth);
        say(' => ');
        show(item[1], here, depth);
      }, '}');
    };
    const promise = (value, here, depth) => {
      const how = state(value);
      if (how === 'pending') return say('Promise { <pending> }');
      say('Promise { ' + (how === 'rejected' ? '<rejected> ' : ''));
      show(result(value), here, depth);
      say(' }');
    };
    const object = (value, is, here, depth) => {
      const keys = [];
      for (const key of ownKeys(value)) {
        const of = getOwnPropertyDescriptor(value, key);
        if (of && of.enumerable) keys[keys.length] = key;
      }
      const name = is === 'Object' || is === 'Proxy' ? '' : 'Object [' + is + '] ';
      list(name + '{', keys.length, (i) => {
        const key = keys[i];
        say(typeof key === 'symbol' ? '[' + symbol(key) + ']: ' : (matches(/^[\w$]+$/, key) ? key : stringify(key)) + ': ');
        const of = getOwnPropertyDescriptor(value, key);
        if (of && of.get) return say('[Getter]');
        show(value[key], here, depth);
      }, '}');
    };
    const show = (value, above, depth) => {
      if (room <= 0) return;
      switch (typeof value) {
        case 'string': return say(stringify(value.length > room ? value.slice(0, room) : value));
        case 'bigint': return say(digits(value) + 'n');
        case 'symbol': return say(symbol(value));
        case 'function': return say(functionText(value));
        case 'object': break;
        default: return say(Object.is(value, -0) ? '-0' : String(value));
      }
      if (value === null) return say('null');
      const is = kind(value);
      for (let up = above; up; up = up.above) if (up.value === value) return say('[Circular]');
      const here = { value, above, __proto__: null };
      if (is === 'Error') return say(errorText(value));
      if (is === 'RegExp') return say(regexp(value));
      if (is === 'Date') return say(isFinite(time(value)) ? iso(value) : 'Invalid Date');
      if (is === 'ArrayBuffer') return say('ArrayBuffer { ' + bytes(value) + ' bytes }');
      if (is === 'Number' || is === 'String' || is === 'Boolean') return say('[' + is + ': ' + stringify(value) + ']');
      if (depth > deepest) return say('[' + (isArray(value) ? 'Array' : is) + ']');
      if (is === 'Map' || is === 'Set') return collection(value, is, here, depth + 1);
      if (is === 'Promise') return promise(value, here, depth + 1);
      const typed = isArray(value) ? '' : is.endsWith('Array') ? is + '(' + lengthOf(value) + ') ' : undefined;
      if (typed === undefined) return object(value, is, here, depth + 1);
      list(typed + '[', typed ? lengthOf(value) : value.length, (i) => show(value[i], here, depth + 1), ']');
    };
    show(value, undefined, 0);
    return room > 0 ? out : out + '...';
  };

  return { plain: (value) => plain(value, undefined), consoled };
})

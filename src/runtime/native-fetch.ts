/** As the module was loaded: whoever replaces `Function.prototype.toString` later is not asked. */
const { toString: sourceOf } = Function.prototype;
const { apply } = Reflect;

/** Nothing but a function of Node's own can load that module: in anybody else's there is no such thing. */
const LOADS_UNDICI = /\brequire\('internal\/deps\/undici\/undici'\)/;

let known: unknown;

/**
 * Whether a function is the runtime's own `fetch`, told by its source text, not by when it was seen: a `fetch`
 * that was replaced before this module was loaded is a replaced one, too. What wraps the runtime's own (MSW, a
 * spy, a proxy, a bound function) has another text. In doubt it is not.
 */
export function isNativeFetch(fetch: unknown): boolean {
  if (known !== undefined && fetch === known) return true;
  if (typeof fetch !== 'function' || !LOADS_UNDICI.test(textOf(fetch))) return false;
  known = fetch;
  return true;
}

function textOf(code: object): string {
  try {
    return apply(sourceOf, code, []);
  } catch {
    return '';
  }
}

import { isLoopbackHost } from '../../protocol/index.ts';

/** How many names of one server are remembered. */
const MOST = 1_000;

/**
 * Cookies of one server, at the proxy. They know no ports (RFC 6265 §8.5): without names of their own, those
 * of a service would be sent to a provider behind the same proxy, and those of other programs on this machine
 * to either. One that no script can read is renamed; of the others, those are passed on that this server set.
 */
export class CookieNames {
  readonly #prefix: string;
  readonly #isTls: boolean;
  readonly #host: string;
  /**
   * The names of cookies that scripts may read, and of those that are renamed: deleting one need not say which it is.
   */
  readonly #readable = new Set<string>();
  readonly #hidden = new Set<string>();

  constructor(real: string, port: number) {
    const { hostname, protocol } = new URL(real);
    this.#prefix = `at${port}.`;
    this.#isTls = protocol === 'https:';
    this.#host = hostname;
  }

  /** `Set-Cookie` for the browser, perhaps two of it; none where a browser would not take it from this server. */
  toLocal(setCookie: string): readonly string[] {
    const [pair = '', ...attributes] = setCookie.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const value = pair.slice(at + 1).trim();
    const read = attributes.map(readAttribute);
    const domain = read.find((attribute) => attribute.name === 'domain')?.value;
    if (domain !== undefined && !this.#isIn(domain)) return [];
    const kept = read.filter((attribute) => !this.#isDropped(attribute));
    const rest = `${name}=${value}${kept.map(({ text }) => `; ${text}`).join('')}`;
    const isHidden =
      name === '' ||
      this.#hidden.has(name) ||
      /^__(?:host|secure)-/i.test(name) ||
      read.some((attribute) => attribute.name === 'httponly');
    if (isHidden) {
      remember(this.#hidden, name);
      this.#readable.delete(name);
      return [this.#prefix + rest];
    }
    // One that is deleted may have been set, under either name, before this proxy was started.
    const isUnknown = value === '' && !this.#readable.has(name);
    remember(this.#readable, name);
    return isUnknown ? [rest, this.#prefix + rest] : [rest];
  }

  /** `Cookie` for the server; `undefined`: none of them is its own. */
  toReal(cookie: string): string | undefined {
    const own = cookie
      .split(';')
      .map((pair) => pair.trim())
      .flatMap((pair) => {
        if (pair.startsWith(this.#prefix))
          return [pair.slice(this.#prefix.length).replace(/^=/, '')];
        return this.#readable.has(pair.slice(0, Math.max(pair.indexOf('='), 0))) ? [pair] : [];
      });
    return own.length === 0 ? undefined : own.join('; ');
  }

  /** The domain of a cookie is the host or one around it (RFC 6265 §5.1.3). */
  #isIn(domain: string): boolean {
    const around = domain.toLowerCase().replace(/^\./, '');
    if (around === '' || around === this.#host) return true;
    return !isLoopbackHost(this.#host) && this.#host.endsWith(`.${around}`);
  }

  /** What holds for the server's host and scheme alone. Without `Secure` no browser takes `None` or `Partitioned`. */
  #isDropped({ name, value }: Attribute): boolean {
    if (name === 'domain') return true;
    if (!this.#isTls) return false;
    return (
      name === 'secure' ||
      name === 'partitioned' ||
      (name === 'samesite' && value.toLowerCase() === 'none')
    );
  }
}

function remember(names: Set<string>, name: string): void {
  names.delete(name);
  names.add(name);
  const [oldest] = names.size > MOST ? names : [];
  if (oldest !== undefined) names.delete(oldest);
}

interface Attribute {
  /** The name in lower case. */
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

function readAttribute(attribute: string): Attribute {
  const text = attribute.trim();
  const at = text.indexOf('=');
  const name = (at === -1 ? text : text.slice(0, at)).trim().toLowerCase();
  return { name, value: at === -1 ? '' : text.slice(at + 1).trim(), text };
}

import { isLoopbackHost, parsedUrl } from '../protocol/index.ts';
import type { Receiver } from '../traffic/index.ts';
import { replaceOrigins } from './text/replace-origins.ts';

/** An origin that the proxy stands in front of. */
export interface Front {
  /** The origin of the server itself. */
  readonly real: string;
  /** Where clients reach it instead; the name of the machine may be another one. */
  readonly port: number;
  readonly to: Receiver;
}

/**
 * Which origin is reached at which port. Each has a port of its own: paths stay as they are, and with them
 * well-known URLs, links without an origin, and the paths of cookies.
 */
export class Origins {
  readonly #byReal = new Map<string, Front>();
  readonly #byPort = new Map<number, Front>();
  readonly #isOurName: (hostname: string) => boolean;

  /** @param names of this machine, beside those of loopback. */
  constructor(names: readonly string[]) {
    const known = new Set(names.map((name) => parsedUrl(`http://${name}`)?.hostname));
    this.#isOurName = (hostname) => isLoopbackHost(hostname) || known.has(hostname);
  }

  get fronts(): readonly Front[] {
    return [...this.#byReal.values()];
  }

  add(front: Front): void {
    this.#byReal.set(front.real, front);
    this.#byPort.set(front.port, front);
  }

  has(real: string): boolean {
    return this.#byReal.has(real);
  }

  /** Where clients that call this machine `hostname` reach an origin. */
  local(real: string, hostname: string): string | undefined {
    const front = this.#byReal.get(real);
    return front && new URL(`http://${hostname}:${front.port}`).origin;
  }

  /** Whether an origin is what listens at a port of this machine. */
  isOurs(origin: string, port: number): boolean {
    const url = new URL(origin);
    const isThere = (Number(url.port) || (url.protocol === 'https:' ? 443 : 80)) === port;
    return isThere && this.#isOurName(url.hostname);
  }

  /** What is behind an origin of the proxy's own. */
  real(local: string): string | undefined {
    const url = parsedUrl(local);
    if (url?.protocol !== 'http:' || !this.#isOurName(url.hostname)) return undefined;
    return this.#byPort.get(Number(url.port) || 80)?.real;
  }

  /** A text for a client, with the proxy's origins. */
  toLocal(text: string, hostname: string): string {
    return replaceOrigins(text, (origin) => this.local(origin, hostname));
  }

  /** A text for a server, with the origins that it knows. */
  toReal(text: string): string {
    return replaceOrigins(text, (origin) => this.real(origin));
  }
}

import { getQueryParam } from 'hono/utils/url';
import type { Context } from './context.ts';
import { pathOf } from './path-of.ts';

/** So many are kept: a pattern may match any number of them. */
const MOST = 256;
/** The router answers HEAD by what it does for GET. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * What the router found on a path, whatever the method: nearly every request is for a path that was asked for
 * before. Only of patterns that name no part of it, and of paths that the router reads as they are.
 */
export class KnownPaths<T> {
  readonly #found = new Map<string, T>();

  note({ url }: Request, pattern: string, found: T): void {
    const path = pathOf(url);
    if (/[:{]/.test(pattern) || path.includes('%')) return;
    if (this.#found.size >= MOST) this.#found.clear();
    this.#found.set(path, found);
  }

  /** `undefined`: the router has to look. */
  find({ method, url }: Request): T | undefined {
    return METHODS.has(method) ? this.#found.get(pathOf(url)) : undefined;
  }
}

/** The context of a request on such a path. */
export class DirectContext implements Context {
  readonly req: Context['req'];

  constructor(request: Request) {
    this.req = new DirectRequest(request);
  }
}

class DirectRequest {
  readonly raw: Request;

  constructor(raw: Request) {
    this.raw = raw;
  }

  get method(): string {
    return this.raw.method;
  }

  get url(): string {
    return this.raw.url;
  }

  header(name: string): string | undefined {
    return this.raw.headers.get(name) ?? undefined;
  }

  query(name: string): string | undefined {
    return getQueryParam(this.raw.url, name) as string | undefined;
  }

  /** The pattern names none. */
  param(): undefined {
    return undefined;
  }
}

import { ConnectionDropped } from '../../mock-service/index.ts';
import { NetworkError } from '../../runtime/index.ts';

/** Anything that answers for one origin: both mocks do, and an application of yours. */
export interface TestApp {
  /** An origin, `https://api.example`. */
  readonly issuer: string;
  /** Answers one request. */
  fetch(request: Request): Response | Promise<Response>;
}

/** A fetch like the global one. What gets no answer rejects with a TypeError that says why. */
export type TestFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** How many redirects are followed: as many as the Fetch Standard has. */
const MOST_REDIRECTS = 20;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isRedirect({ headers, status }: Response): boolean {
  return REDIRECTS.has(status) && headers.get('location') !== null;
}

/** A network without a socket: requests go to the applications of their origins, and nowhere else. */
export class TestNetwork {
  readonly #apps = new Map<string, TestApp>();
  #isClosed = false;

  /** @throws TypeError for what is no origin, or has an application already. */
  add(app: TestApp): void {
    const { issuer } = app;
    if (typeof app.fetch !== 'function') {
      throw new TypeError(`What answers for ${issuer} needs a fetch from Request to Response.`);
    }
    if (!URL.canParse(issuer) || new URL(issuer).origin !== issuer) {
      throw new TypeError(`${issuer} is no origin, such as https://api.example.`);
    }
    if (this.#apps.has(issuer))
      throw new TypeError(`There are two for ${issuer} in the test world.`);
    this.#apps.set(issuer, app);
  }

  close(): void {
    this.#isClosed = true;
  }

  /**
   * Rejects with a NetworkError: `not_found` for an origin that is not here, `reset` where the application drops the
   * connection, `refused` once the world is closed.
   */
  readonly fetch: TestFetch = async (input, init) => {
    let request = new Request(input, init);
    const signal =
      init?.signal ?? (typeof input === 'object' && 'signal' in input ? input.signal : undefined);
    for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
      const { redirect } = request;
      // What a redirect repeats has to be there again.
      const again = redirect === 'follow' ? request.clone() : undefined;
      const response = await unlessAborted(this.#send(request), signal);
      const { headers, status } = response;
      if (!isRedirect(response) || redirect === 'manual') {
        return received(response, { url: request.url, redirected: hop > 0 }, signal);
      }
      if (again === undefined) throw new NetworkError('redirected', 'A redirect was refused.');
      request = redirected(again, status, new URL(headers.get('location') ?? '', request.url));
    }
    throw new NetworkError('redirected', `There were more than ${MOST_REDIRECTS} redirects.`);
  };

  async #send(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const { origin } = new URL(request.url);
    if (this.#isClosed) {
      throw new NetworkError('refused', `The test world is closed: nobody answers at ${origin}.`);
    }
    const app = this.#apps.get(origin);
    if (app === undefined) {
      throw new NetworkError(
        'not_found',
        `Nobody in the test world answers at ${origin}: there are ${[...this.#apps.keys()].join(', ')}. Add it with the option apps.`,
      );
    }
    try {
      // A fragment is its user agent's affair: no server gets to see it.
      const [sent] = request.url.split('#');
      const response: unknown = await app.fetch(
        sent === request.url ? request : new Request(sent ?? '', request),
      );
      if (isResponse(response)) return response;
      throw new TypeError(`What answers for ${origin} resolved with ${response}, not a Response.`);
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error;
      throw new NetworkError('reset', `${origin} dropped the connection.`, { cause: error });
    }
  }
}

/** The next request of a redirect (Fetch Standard, HTTP-redirect fetch). */
function redirected(request: Request, status: number, to: URL): Request {
  const { method } = request;
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST');
  const headers = new Headers(request.headers);
  if (becomesGet) for (const name of ['content-type', 'content-length']) headers.delete(name);
  if (to.origin !== new URL(request.url).origin) {
    for (const name of ['authorization', 'cookie']) headers.delete(name);
  }
  const { signal } = request;
  if (becomesGet) return new Request(to, { method: 'GET', headers, signal });
  // Half duplex: what the Fetch Standard asks for where a body is a stream; the types of Node miss it.
  const init = { method, headers, signal, body: request.body, duplex: 'half' } as RequestInit;
  return new Request(to, init);
}

/** Whether something is a response, also one of another realm or library. */
function isResponse(given: unknown): given is Response {
  return typeof given === 'object' && given !== null && 'status' in given && 'headers' in given;
}

/** Waits for work unless it is aborted: not every application heeds a signal. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal == null) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The answer as `fetch` hands it over: it knows where it came from, and its body ends with the signal. */
function received(
  response: Response,
  { redirected, url }: { readonly redirected: boolean; readonly url: string },
  signal: AbortSignal | undefined,
): Response {
  const { body } = response;
  const watched =
    body === null || signal == null
      ? response
      : new Response(body.pipeThrough(new TransformStream(), { signal }), response);
  const withoutHash = url.replace(/#.*$/s, '');
  return Object.defineProperties(watched, {
    redirected: { value: redirected, configurable: true },
    url: { value: withoutHash, configurable: true },
  });
}

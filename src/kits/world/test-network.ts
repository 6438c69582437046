import { ConnectionDropped } from '../../mock-service/index.ts';
import { NetworkError } from '../../runtime/index.ts';

/** Anything that answers for one origin: both mocks do, and an application of yours. */
export interface TestApp {
  /** An origin, `https://api.example`. */
  readonly issuer: string;
  /** Answers one request. */
  fetch(request: Request): Response | Promise<Response>;
}

/** As the global `fetch`. */
export type TestFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** As the Fetch Standard has it. */
const MOST_REDIRECTS = 20;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A network without a socket: requests go to the applications of their origins, and nowhere else. */
export class TestNetwork {
  readonly #apps = new Map<string, TestApp>();
  #isClosed = false;

  /** @throws TypeError for what is no origin, or has an application already. */
  add(app: TestApp): void {
    const { issuer } = app;
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
    for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
      const { redirect } = request;
      // What a redirect repeats has to be there again.
      const again = redirect === 'follow' ? request.clone() : undefined;
      const response = await this.#send(request);
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || location === null || redirect === 'manual') {
        return response;
      }
      if (again === undefined) throw new NetworkError('redirected', 'A redirect was refused.');
      request = redirected(again, response.status, new URL(location, request.url));
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
      return await app.fetch(request);
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

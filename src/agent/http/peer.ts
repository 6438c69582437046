import { displayText, maskPath, withoutQuery } from '../../protocol/index.ts';
import {
  type BodyResult,
  BrokenBody,
  type FetchInit,
  fetchUnfollowed,
  type NetworkError,
  type NetworkErrorCode,
  NO_ANSWER,
  readBody,
  toNetworkError,
} from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import type { AgentContext } from '../context.ts';
import {
  ANSWER_LIMIT,
  type Answer,
  KEPT_LIMIT,
  LostAnswer,
  readAnswerBody,
  redirected,
} from './answer.ts';
import { NETWORK_HINTS } from './network-hints.ts';
import { clockOffset, isNoise, serverTime } from './server-time.ts';

/** One request, ready to be sent. */
export interface WireRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer whose text is not looked into. */
export type TextAnswer = Omit<Answer, 'body'> & { readonly body: BodyResult };

/** A server that the agent talks to, and what its clock shows. */
export class Peer {
  readonly #context: AgentContext;
  #offset: number;
  #clockSeen = false;
  #servedAt: string | undefined;

  constructor(context: AgentContext, offset = 0) {
    this.#context = context;
    this.#offset = offset;
  }

  /** The server's clock minus ours. */
  get offset(): number {
    return this.#offset;
  }

  /** Whether an answer in this process showed the server's time. */
  get clockSeen(): boolean {
    return this.#clockSeen;
  }

  /** Has the next step of a failure name, from now on, the resource that the server is for. */
  serves(resource: string): void {
    this.#servedAt = resource;
  }

  /** The server's time, by its last `Date`. */
  now(): number {
    return this.#context.clock.now() + this.#offset;
  }

  /**
   * Sends, and reads the answer whole up to a limit.
   * @throws AgentError `unreachable`, `broken_off` or `aborted`; a {@link LostAnswer} after a 2xx began.
   */
  async send(request: WireRequest, signal?: AbortSignal): Promise<Answer> {
    const { url, ...init } = request;
    const response = await this.open(url, init, signal);
    const sentAt = serverTime(response.headers) ?? this.now();
    let body: BodyResult;
    try {
      body = await readBody(response, ANSWER_LIMIT, signal, KEPT_LIMIT);
    } catch (error) {
      const failure = this.#leading(bodyFailure(error, url, signal));
      if (!response.ok) throw failure;
      const text = error instanceof BrokenBody ? error.start : '';
      const broken = { ok: false, problem: 'broken_off' } as const;
      throw new LostAnswer(failure, toAnswer(url, response, sentAt, broken, text));
    }
    return body.ok
      ? toAnswer(url, response, sentAt, readAnswerBody(body.text, body.byteOrderMark), body.text)
      : toAnswer(url, response, sentAt, { ok: false, problem: body.problem }, body.start ?? '');
  }

  /**
   * A text, without credentials, up to `limit` bytes.
   * @throws AgentError `unreachable`, `broken_off` or `aborted`.
   */
  async readText(
    url: string,
    init: FetchInit,
    limit: number,
    signal?: AbortSignal,
  ): Promise<TextAnswer> {
    const response = await this.open(url, init, signal);
    const { headers, status } = response;
    const sentAt = serverTime(headers) ?? this.now();
    try {
      const body = await readBody(response, limit, signal);
      return { where: shownUrl(url), status, headers, sentAt, body };
    } catch (error) {
      throw this.#leading(bodyFailure(error, url, signal));
    }
  }

  /**
   * Sends, and leaves the body unread. A 3xx is the caller's; none is followed, whatever the fetch.
   * @throws AgentError `unreachable`, `redirected` or `aborted`.
   */
  async open(url: string, init: FetchInit, signal?: AbortSignal): Promise<Response> {
    const { clock, fetch, log } = this.#context;
    const started = clock.now();
    const method = init.method ?? 'GET';
    let response: Response;
    try {
      response = await fetchUnfollowed(
        fetch,
        url,
        signal === undefined ? init : { ...init, signal },
      );
    } catch (error) {
      const where = shownUrl(url);
      log.debug('request failed', { method, where });
      throw this.#leading(networkFailure(error, where, signal, 'unreachable'));
    }
    const { headers, status } = response;
    const now = clock.now();
    if (log.debugs !== false) {
      log.debug('request', { method, where: shownUrl(url), status, ms: now - started });
    }
    const offset = clockOffset(headers, now);
    if (offset !== undefined) {
      // `Date` counts whole seconds: a clock that stands where it stood does not wobble.
      if (offset === 0 || !isNoise(offset - this.#offset)) this.#offset = offset;
      this.#clockSeen = true;
    }
    return response;
  }

  /** The same failure, with the resource in its next step. */
  #leading(failure: AgentError): AgentError {
    if (this.#servedAt === undefined || failure.next?.command !== 'doctor') return failure;
    return failure.with({ next: { command: 'doctor', args: [this.#servedAt] } });
  }
}

function toAnswer(
  url: string,
  { headers, status }: Response,
  sentAt: number,
  body: Answer['body'],
  text: string,
): Answer {
  return {
    // Most answers are shown to nobody.
    get where() {
      return shownUrl(url);
    },
    ...{ status, headers, sentAt, body, text },
  };
}

function bodyFailure(error: unknown, url: string, signal: AbortSignal | undefined): AgentError {
  const cause = error instanceof BrokenBody ? error.cause : error;
  return networkFailure(cause, shownUrl(url), signal, 'broken_off');
}

function networkFailure(
  error: unknown,
  where: string,
  signal: AbortSignal | undefined,
  code: 'unreachable' | 'broken_off',
): AgentError {
  // The port may be anybody's fetch: what it rejects with is looked into.
  const network = toNetworkError(error, signal);
  const failure = network.code;
  if (signal?.aborted || failure === 'aborted') {
    return new AgentError('The request was interrupted.', { code: 'aborted', cause: error });
  }
  if (failure === 'redirected') return redirected(where, error);
  const isRefused = failure === 'refused' && code === 'unreachable';
  const message = isRefused
    ? `Nothing listens at ${new URL(where).host}.`
    : `No answer from ${where}: ${reasonOf(network, code)}.`;
  return new AgentError(message, {
    code,
    hint: HINTS[failure] ?? 'Check the URL and the network, then try again.',
    next: { command: 'doctor', args: [new URL(where).origin] },
    cause: network,
  });
}

const HINTS: Partial<Record<NetworkErrorCode, string>> = NETWORK_HINTS;

function reasonOf({ code: failure, message }: NetworkError, code: 'unreachable' | 'broken_off') {
  // Our own words about which proxy failed.
  if (failure === 'proxy') return displayText(message);
  if (code === 'unreachable') return NO_ANSWER[failure];
  return failure === 'timeout' ? 'its answer did not end within the time limit' : NO_ANSWER.reset;
}

/** A URL for users and logs: a query may carry a token, and so may a path. */
function shownUrl(url: string): string {
  return displayText(maskPath(withoutQuery(url)));
}

/** Lets go of a body that nobody reads; not waited for, since a peer could make that take forever. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

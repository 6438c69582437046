import { type NetworkError, type NetworkErrorCode, toNetworkError } from '../runtime/index.ts';
import { kindOfBody } from './bodies/kind-of-body.ts';
import { type ReadText, readText } from './bodies/read-text.ts';
import { encodingsOf, unpack } from './bodies/unpack.ts';
import { withVia } from './headers/request-headers.ts';
import type { Place } from './place.ts';
import { type ProxyError, proxyProblem } from './problem.ts';

interface Explained {
  readonly status: 502 | 504;
  readonly error: ProxyError;
  /** After the name of the server. */
  readonly what: string;
}

const FAILURES: Readonly<Record<NetworkErrorCode, Explained>> = {
  refused: { status: 502, error: 'connection_refused', what: 'does not listen there' },
  not_found: { status: 502, error: 'dns_error', what: 'has a host name that is unknown' },
  timeout: {
    status: 504,
    error: 'connection_timeout',
    what: 'did not answer within the time limit',
  },
  tls: {
    status: 502,
    error: 'tls_certificate_error',
    what: 'has a certificate that is not trusted here; name its authority with --ca',
  },
  not_tls: { status: 502, error: 'tls_protocol_error', what: 'does not speak TLS there' },
  proxy: {
    status: 502,
    error: 'destination_unavailable',
    what: 'is not reached by the proxy of the environment',
  },
  bad_port: {
    status: 502,
    error: 'destination_unavailable',
    what: 'listens on a port that fetch refuses',
  },
  reset: {
    status: 502,
    error: 'connection_terminated',
    what: 'closed the connection before it had answered',
  },
  large_head: {
    status: 502,
    error: 'http_protocol_error',
    what: 'answered with headers that are too large',
  },
  redirected: { status: 502, error: 'http_protocol_error', what: 'answered from elsewhere' },
  aborted: { status: 502, error: 'connection_terminated', what: 'was not waited for' },
  unknown: { status: 502, error: 'destination_unavailable', what: 'cannot be reached' },
};

/**
 * What a client is told when the server behind the proxy gave no answer, or no whole one.
 * @param begun the status of an answer whose body broke off.
 */
function explainFailure(failure: unknown, origin: string, begun?: number): Response {
  const error = toNetworkError(failure);
  const reason = reasonOf(error);
  const explained = isNoHttp(error) ? NO_HTTP : FAILURES[error.code];
  const { status, error: type, what } = begun === undefined ? explained : incomplete(begun);
  const said = error.code === 'proxy' ? error.message : `${origin} ${what}`;
  const detail = `${said}${reason === undefined ? '' : ` (${reason})`}. The proxy goes on.`;
  return proxyProblem({ status, error: type, detail });
}

function incomplete(status: number): Explained {
  return {
    status: 502,
    error: 'http_response_incomplete',
    what: `answered ${status}, and the body of its answer broke off`,
  };
}

/** The system's, or the parser's, own word for it: a code, never a message, which could quote a secret. */
function reasonOf(error: NetworkError): string | undefined {
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(at.code))
      return at.code;
  }
  return undefined;
}

const NO_HTTP: Explained = {
  status: 502,
  error: 'http_protocol_error',
  what: 'answered with something that is no HTTP',
};

/** Known by its name: undici gives its parser's errors no code in every case. */
function isNoHttp(error: NetworkError): boolean {
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) {
    if (at.name === 'HTTPParserError' || at.name === 'HeadersOverflowError') return true;
  }
  return false;
}

/** The answer to a request that was sent on. */
export interface Sent {
  readonly answer: Response;
  /** The text of a body that is rewritten. */
  readonly text?: string;
  /** Why a body flows by that would be rewritten otherwise: after "because". */
  readonly why?: string;
  /** Whether the answer is the proxy's own: the server gave none. */
  readonly isOwn?: true;
}

/** Sends a request to the server. Never rejects; a body that flows by may break off later. */
export async function send(
  request: Request,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const { forward, front, pseudonym } = place;
  let answer: Response;
  try {
    const { body, method, url } = request;
    // Added here: it is no part of what the agent sent, which is recorded.
    const headers = withVia(request.headers, pseudonym);
    answer = await forward({ url, method, headers, body, signal });
  } catch (error) {
    return { answer: explainFailure(error, front.real), isOwn: true };
  }
  try {
    return await readAnswer(answer, request.method, place);
  } catch (error) {
    return { answer: explainFailure(error, front.real, answer.status), isOwn: true };
  }
}

async function readAnswer(answer: Response, method: string, { sleep }: Place): Promise<Sent> {
  const kind = kindOfBody(answer);
  if (answer.body === null || method === 'HEAD' || kind === 'other' || kind === 'form') {
    return { answer };
  }
  const { status, statusText } = answer;
  const headers = new Headers(answer.headers);
  const body = unpack(answer.body, encodingsOf(headers));
  if (body === undefined) return { answer, why: 'its encoding is unknown here' };
  if (encodingsOf(headers).length > 0) {
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  }
  const read: ReadText = await readText(body, sleep);
  const init = { status, statusText, headers };
  return 'text' in read
    ? { answer: new Response(new TextEncoder().encode(read.text), init), text: read.text }
    : { answer: new Response(read.stream, init), why: read.why };
}

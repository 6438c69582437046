import { type NetworkError, type NetworkErrorCode, toNetworkError } from '../runtime/index.ts';
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
export function explainFailure(failure: unknown, origin: string, begun?: number): Response {
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

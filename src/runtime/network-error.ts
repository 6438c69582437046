import { NetworkError, type NetworkErrorCode } from './ports.ts';

/** All that undici says of it: an error of this message, without a code. */
const BAD_PORT = 'bad port';

const CODES: Readonly<Record<string, NetworkErrorCode>> = {
  [BAD_PORT]: 'bad_port',
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'not_found',
  EAI_AGAIN: 'not_found',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'large_head',
  HPE_HEADER_OVERFLOW: 'large_head',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls',
  CERT_HAS_EXPIRED: 'tls',
  CERT_NOT_YET_VALID: 'tls',
  CERT_SIGNATURE_FAILURE: 'tls',
  CERT_UNTRUSTED: 'tls',
  CERT_REJECTED: 'tls',
  CERT_REVOKED: 'tls',
  INVALID_CA: 'tls',
  INVALID_PURPOSE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not_tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'not_tls',
};

/** What a rejected exchange, or a body that broke off, means. Aborts by the caller keep their own code. */
export function toNetworkError(error: unknown, callerSignal?: AbortSignal): NetworkError {
  if (error instanceof NetworkError) return error;
  if (callerSignal?.aborted)
    return new NetworkError('aborted', 'The request was aborted.', { cause: error });
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new NetworkError('timeout', 'No answer within the time limit.', { cause: error });
  }
  const named = causeOf(error);
  if (named instanceof NetworkError) return named;
  const code = CODES[named] ?? 'unknown';
  return new NetworkError(code, `No answer: ${NO_ANSWER[code]}.`, { cause: error });
}

/** Why there is no answer, to go on after a colon. */
export const NO_ANSWER: Readonly<Record<NetworkErrorCode, string>> = {
  refused: 'nothing listens there',
  not_found: 'the host name is unknown',
  timeout: 'no answer came within the time limit',
  tls: 'its certificate is not trusted',
  not_tls: 'it does not speak TLS there',
  proxy: 'the proxy failed',
  bad_port: 'fetch refuses this port (WHATWG fetch, "bad port")',
  reset: 'the connection broke off',
  large_head: 'the headers of its answer are too large',
  redirected: 'it answered with a redirect',
  aborted: 'the request was aborted',
  unknown: 'the connection failed',
};

/** The first code down the chain of causes, or the error that was already understood further down. */
function causeOf(error: unknown): string | NetworkError {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof NetworkError) return at;
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at.message === BAD_PORT) return BAD_PORT;
    if (at instanceof AggregateError) return causeOf(at.errors[0]);
  }
  return '';
}

import { json } from '../mock/http/response.ts';

/** Whose word it is (RFC 9209 §2). */
export const PROXY_NAME = 'agent-auth-proxy';

/** Why an answer is the proxy's own: the error types of RFC 9209 §2.3 that occur here. */
export type ProxyError =
  | 'dns_error'
  | 'connection_refused'
  | 'connection_terminated'
  | 'connection_timeout'
  | 'http_protocol_error'
  | 'http_request_denied'
  | 'http_request_error'
  | 'http_response_incomplete'
  | 'http_upgrade_failed'
  | 'proxy_internal_error'
  | 'proxy_loop_detected'
  | 'tls_certificate_error'
  | 'tls_protocol_error'
  | 'destination_unavailable';

interface ProxyProblem {
  readonly status: number;
  readonly error: ProxyError;
  /** Public: what happened, then what to do. */
  readonly detail: string;
  /** What `error` of the body is, for agents that act on it. Default: the error itself. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An answer of the proxy's own: a problem (RFC 9457) that agents of this protocol can read too, and
 * `Proxy-Status`, by which it differs from what a service could have said.
 */
export function proxyProblem({ code, detail, error, headers, status }: ProxyProblem): Response {
  return json(
    {
      type: 'about:blank',
      title: 'Answered by agent-auth proxy, not by the server behind it',
      status,
      detail,
      error: code ?? error,
      error_description: detail,
    },
    {
      status,
      headers: {
        'content-type': 'application/problem+json',
        'proxy-status': `${PROXY_NAME}; error=${error}; details=${quoted(detail)}`,
        ...headers,
      },
    },
  );
}

/** A string of a structured field (RFC 8941 §3.3.3): ASCII alone. */
export function quoted(text: string): string {
  return `"${text.replace(/[^ -~]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

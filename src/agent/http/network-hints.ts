import type { NetworkErrorCode } from '../../runtime/index.ts';

/** What to do about a failure whose remedy is the same for whatever was requested. */
export const NETWORK_HINTS = {
  tls: 'If you trust the server, name its CA certificate with --ca FILE.',
  not_tls: 'It may be an http URL.',
  proxy: 'Check HTTPS_PROXY; a host in NO_PROXY is reached without a proxy.',
  bad_port: 'No client that uses fetch reaches a server there: serve it on another port.',
  large_head: 'Node takes 16 KiB of headers; the server has to send fewer.',
  reset: 'Try again. If the server uses TLS, the URL begins with https.',
} as const satisfies Partial<Record<NetworkErrorCode, string>>;

import type { TrustedProvider } from '../support.ts';

/** What the operator decides. Durations in seconds. */
export interface Config {
  readonly issuer: string;
  readonly providers: readonly TrustedProvider[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly has: (bug: string) => boolean;
}

export const LIFE = {
  window: 86_400,
  code: 600,
  interval: 5,
  assertion: 3600,
  claimedAssertion: 30 * 86_400,
  accessToken: 3600,
  redelivery: 600,
  session: 3600,
  skew: 60,
  idJag: 3600,
  signIn: 3600,
} as const;

export const LIMIT = { codesPerAttempt: 5, codesInAll: 20 } as const;

export const SCOPES = ['api.read', 'api.write'] as const;
export const PRE_CLAIM = ['api.read'] as const;

export const GRANT = {
  bearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  claim: 'urn:vendor:agent-auth:grant-type:claim',
} as const;

export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
export const REVOKED_EVENT =
  'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked';

/** An answer that is no success; what throws it need not know how it is written. */
export class HttpProblem extends Error {
  readonly statusCode: number;
  readonly code: string;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: number,
    code: string,
    message: string,
    {
      extra = {},
      headers = {},
    }: {
      extra?: Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
    this.extra = extra;
    this.headers = headers;
  }
}

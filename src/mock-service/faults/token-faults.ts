import { replacing } from '../../mock/config/replacing.ts';
import type { Form } from '../../mock/http/request.ts';
import { on, type Tamper, withHeader, withMembers, withStatus } from '../../mock/http/tamper.ts';
import { ExpiredRows } from '../../mock/store/atomic-store.ts';
import { MINUTE } from '../../protocol/durations.ts';
import { STATES } from '../../protocol/states.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { TokenStore } from '../store/token-store.ts';
import type { TargetReader } from '../token-request/target.ts';
import { at, BEFORE_CLAIM, withFacts } from './redeciding.ts';
import type { Rewired, ServiceFault } from './service-fault.ts';

export const withScopesOfAfter = (facts: RegistrationFacts): RegistrationFacts => ({
  ...facts,
  preClaimScopes: facts.postClaimScopes,
});

/** What is made of the scopes that are asked for. */
export function scoping(change: (scopes: Scopes, form: Form) => Scopes): Rewired {
  return ({ reader }) => {
    const scopes = (form: Form) => change(reader.target.scopes(form), form);
    return { reader: { ...reader, target: { ...reader.target, scopes } } };
  };
}

export type Scopes = ReturnType<TargetReader['scopes']>;

const cacheable: Tamper = (response) => {
  response.headers.set('cache-control', 'max-age=60');
  response.headers.set('pragma', 'cache');
  return response;
};

/** The expiry of a token is judged by another time. */
function judgedAt(time: (now: number) => number): Rewired {
  return ({ clock, db, tokens }) => {
    const store = new TokenStore(db, { now: () => time(clock.now()) }, new ExpiredRows([]));
    return { tokens: replacing(tokens, { find: (hash) => store.find(hash) }) };
  };
}

/** What is revoked, or not, when a token is to be. */
export function revoking(
  revoke: (hash: string, tokens: TokenStore, mock: ServiceContext) => Promise<void>,
): Rewired {
  return (mock) => ({
    tokens: replacing(mock.tokens, { revoke: (hash) => revoke(hash, mock.tokens, mock) }),
  });
}

export const atGranted = (path: string, response: Response) =>
  path === '/oauth2/token' && response.status === 200;

export const TOKEN = '/oauth2/token';

/** Faults: what it does wrong with tokens. */
export const TOKEN_FAULTS = {
  extraPreClaimScope: {
    description: 'grants the post-claim scopes before the claim',
    decisions: at('exchange', BEFORE_CLAIM, withFacts(withScopesOfAfter)),
  },
  stalePreClaimAssertion: {
    description: 'accepts the pre-claim assertion after the claim',
    decisions: at(
      'exchange',
      STATES,
      withFacts((facts, { version }) => ({ ...facts, version })),
    ),
  },
  ignoredRequestedScope: {
    description: 'grants every scope whatever was asked for',
    parts: scoping(() => undefined),
  },
  wrongTokenCacheControl: {
    description: 'lets answers with tokens be cached (RFC 6749 §5.1)',
    answers: on((path, { status }) => path === PATHS.token && status === 200, cacheable),
  },
  shortTokenLifetime: {
    description: 'ends access tokens before they expire (RFC 6749 §4.2.2, expires_in)',
    parts: judgedAt((now) => now + MINUTE),
  },
  ignoredRevocation: {
    description: 'answers a revocation without revoking (RFC 7009 §2)',
    parts: revoking(async () => {}),
  },
  wrongTokenMediaType: {
    description: 'serves tokens as plain text (RFC 6749 §5.1)',
    answers: on(atGranted, withHeader('content-type', 'text/plain')),
  },
  missingTokenType: {
    description: 'leaves token_type out (RFC 6749 §5.1)',
    answers: on(atGranted, withMembers({ token_type: undefined })),
  },
  wrongExpiresInType: {
    description: 'writes expires_in as a string (RFC 6749 §5.1)',
    answers: on(atGranted, withMembers({ expires_in: '3600' })),
  },
  refusedExchange: {
    description: 'refuses every exchange (RFC 6749 §5.1)',
    answers: on((path, { status }) => path === TOKEN && status === 200, withStatus(400)),
  },
} satisfies Readonly<Record<string, ServiceFault>>;

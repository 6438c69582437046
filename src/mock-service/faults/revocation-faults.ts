import { atHandler, empty, replacing, wireProblem } from '../../mock/index.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { TokenStore } from '../store/index.ts';
import { isIdentityAssertion } from '../tokens/identity-assertion.ts';
import { alsoByGet } from './by-get.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

/** What is revoked, or not, when a token is to be. */
function revoking(
  revoke: (hash: string, tokens: TokenStore, mock: ServiceContext) => Promise<void>,
): Rewired {
  return (mock) => ({
    tokens: replacing(mock.tokens, { revoke: (hash) => revoke(hash, mock.tokens, mock) }),
  });
}

/** A request that looks like this is answered with 200, and nothing is revoked. */
function passingOver(isMeant: (form: URLSearchParams) => boolean): Rewired {
  return (mock) =>
    atHandler(mock, { path: PATHS.revocation }, (_mock, right) => async (c) => {
      const form = new URLSearchParams(await c.req.raw.clone().text());
      return isMeant(form) ? empty(200) : right(c);
    });
}

/** Faults of the revocation endpoint (RFC 7009). */
export const REVOCATION_FAULTS = {
  ignoredRevocation: {
    description: 'answers a revocation without revoking (RFC 7009 §2)',
    parts: revoking(async () => {}),
    breaks: ['REV-05', 'W6-37', 'BRR-14'],
    fails: { revocation: ['at-once'] },
  },
  refusedUnknownRevocation: {
    description: 'answers 400 to the revocation of an unknown token (RFC 7009 §2.2)',
    parts: revoking(async (hash, tokens) => {
      if ((await tokens.find(hash)) === undefined)
        throw wireProblem('revocation', 'invalid_request');
      await tokens.revoke(hash);
    }),
    breaks: ['REV-02', 'W6-26'],
    fails: { revocation: ['unknown'] },
  },
  acceptedEmptyRevocation: {
    description: 'answers 200 to a revocation without a token (RFC 7009 §2.1)',
    parts: passingOver((form) => !form.get('token')),
    breaks: ['REV-01', 'W6-28'],
    fails: { revocation: ['missing'] },
  },
  ignoredAssertionRevocation: {
    description: 'answers 200 to the revocation of an assertion without revoking it',
    parts: passingOver((form) => isIdentityAssertion(form.get('token') ?? '')),
    breaks: ['REV-04'],
    fails: { revocation: ['assertion-kind'] },
  },
  trustedTokenTypeHint: {
    description: 'looks for a token only where token_type_hint points (RFC 7009 §2.1)',
    parts: passingOver(
      (form) =>
        form.has('token') && (form.get('token_type_hint') || 'access_token') !== 'access_token',
    ),
    breaks: ['REV-03', 'W6-26'],
    fails: { revocation: ['hints'] },
  },
  acceptedRevocationByGet: {
    description: 'accepts GET at the revocation endpoint (RFC 7009 §2.3)',
    parts: alsoByGet(PATHS.revocation),
    breaks: ['REV-08'],
    fails: { revocation: ['get'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;

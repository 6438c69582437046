import { empty, wireProblem } from '../../../../src/mock/http/response.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { revoking } from '../../../../src/mock-service/faults/token-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { isIdentityAssertion } from '../../../../src/mock-service/tokens/identity-assertion.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { alsoByGet } from './by-get.ts';
import { formValue } from './form-value.ts';

const { atHandler } = rewire;

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
  refusedUnknownRevocation: {
    description: 'answers 400 to the revocation of an unknown token (RFC 7009 §2.2)',
    parts: revoking(async (hash, tokens) => {
      if ((await tokens.find(hash)) === undefined)
        throw wireProblem('revocation', 'invalid_request');
      await tokens.revoke(hash);
    }),
    fails: { revocation: ['unknown'] },
  },
  acceptedEmptyRevocation: {
    description: 'answers 200 to a revocation without a token (RFC 7009 §2.1)',
    parts: passingOver((form) => !form.get('token')),
    fails: { revocation: ['missing'] },
  },
  ignoredAssertionRevocation: {
    description: 'answers 200 to the revocation of an assertion without revoking it',
    parts: passingOver((form) => isIdentityAssertion(form.get('token') ?? '')),
    fails: { revocation: ['assertion-kind'] },
  },
  trustedTokenTypeHint: {
    description: 'looks for a token only where token_type_hint points (RFC 7009 §2.1)',
    parts: passingOver(
      (form) =>
        form.has('token') && (form.get('token_type_hint') || 'access_token') !== 'access_token',
    ),
    fails: { revocation: ['hints'] },
  },
  acceptedRevocationPattern: {
    description: 'revokes every token that the text fits as a pattern of SQL (CWE-155)',
    parts: (mock) => {
      const tokens: string[] = [];
      const accessToken = () => {
        const token = mock.secrets.accessToken();
        tokens.push(token);
        return token;
      };
      return {
        secrets: { ...mock.secrets, accessToken },
        ...atHandler(mock, { path: PATHS.revocation }, (service, right) => async (c) => {
          const text = (await formValue(c, 'token')) ?? '';
          const fitting = text.endsWith('%') ? text.slice(0, -1) : undefined;
          for (const token of tokens) {
            if (fitting !== undefined && token.startsWith(fitting)) {
              await service.tokens.revoke(sha256(token));
            }
          }
          return right(c);
        }),
      };
    },
    fails: { revocation: ['exact'] },
  },
  acceptedRevocationByGet: {
    description: 'accepts GET at the revocation endpoint (RFC 7009 §2.3)',
    parts: alsoByGet(PATHS.revocation),
    fails: { revocation: ['get'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

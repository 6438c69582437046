import { verifying } from '../../../../src/mock-service/faults/trust-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { JWT_TYPE } from '../../../../src/protocol/constants.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withJson } = rewire;

const IDENTITY = '/agent/identity';

const CLAIM = '/agent/identity/claim';

const TOKEN = '/oauth2/token';

const READABLE = { alg: 'ES256', kid: 'none', typ: JWT_TYPE.idJag };

/** One error code is another one. */
const saying = (at: string, right: string, wrong: string) =>
  on(
    (path, { status }) => path === at && status >= 400,
    withJson((body) => (body['error'] === right ? { ...body, error: wrong } : body)),
  );

/** Faults: error codes that name another cause, by which an agent does the wrong thing. */
export const MISLEADING_CODE_FAULTS = {
  wrongAudienceCode: {
    description: 'answers expired to an ID-JAG for another audience, so that agents mint it again',
    answers: saying(IDENTITY, 'invalid_audience', 'expired'),
    fails: { 'misleading-codes': ['assertion'] },
  },
  wrongMalformedAssertionCode: {
    description: 'answers invalid_issuer to an assertion that is no JWT',
    // Its issuer is looked for in what is none.
    parts: verifying(({ read }) => ({
      read: (text) =>
        /^[\w-]{20,}\.[\w-]+\.[\w-]*$/.test(text)
          ? read(text)
          : { token: text, header: READABLE, payload: {} },
    })),
    fails: { 'misleading-codes': ['assertion'] },
  },
  wrongTypeCode: {
    description: 'answers anonymous_not_enabled to every type that it does not know',
    answers: saying(IDENTITY, 'invalid_request', 'anonymous_not_enabled'),
    fails: { 'misleading-codes': ['registration', 'assertion'] },
  },
  wrongClaimTokenCode: {
    description: 'answers email_mismatch to a claim token that it does not know',
    answers: saying(CLAIM, 'invalid_claim_token', 'email_mismatch'),
    fails: { 'misleading-codes': ['claim'] },
  },
  wrongGrantCode: {
    description: 'answers expired_token to an assertion that it cannot read',
    answers: saying(TOKEN, 'invalid_grant', 'expired_token'),
    fails: { 'misleading-codes': ['token'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

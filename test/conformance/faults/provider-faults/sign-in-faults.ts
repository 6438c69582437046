import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import { tampered } from '../../../../src/mock-provider/faults/rewiring.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { JWT_TYPE } from '../../../../src/protocol/constants.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';

const { on, withJson, withMembers } = rewire;

/** Faults: what it does wrong when it signs users in. */
export const SIGN_IN_FAULTS = {
  wrongPendingCode: {
    description: 'answers expired_token while a sign-in is pending (RFC 8628 §3.5)',
    answers: on(
      (path) => path === PATHS.token,
      withJson((body) =>
        body['error'] === 'authorization_pending' ? { ...body, error: 'expired_token' } : body,
      ),
    ),
    fails: { 'device-sign-in': ['pending'] },
  },
  wrongExpiredCode: {
    description: 'answers authorization_pending after a device code has expired (RFC 8628 §3.2)',
    decisions: (right) => ({
      ...right,
      poll: (facts, now) => right.poll({ ...facts, expiresAt: Number.POSITIVE_INFINITY }, now),
    }),
    fails: { 'device-expired': ['expired'] },
  },
  wrongIdTokenSignature: {
    description: 'issues ID tokens with a wrong signature',
    parts: tampered(JWT_TYPE.idToken),
    fails: { 'device-sign-in': ['id-token-signature'], 'idp-code': ['signed'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;

/** Faults: what it answers wrongly when it signs users in. */
export const SIGN_IN_ANSWER_FAULTS = {
  missingDeviceCodeLifetime: {
    description: 'leaves expires_in of a device code out (RFC 8628 §3.2)',
    answers: on(
      (path) => path === PATHS.deviceAuthorization,
      withMembers({ expires_in: undefined }),
    ),
    fails: { 'device-sign-in': ['started'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;

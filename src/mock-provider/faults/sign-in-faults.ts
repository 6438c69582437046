import { on, replacing, withJson, withMembers } from '../../mock/index.ts';
import { JWT_TYPE } from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import type { BuiltInProviderFault } from './provider-fault.ts';
import { saying } from './redeciding.ts';
import { tampered } from './rewiring.ts';

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
    breaks: ['W9-05'],
    fails: { 'device-sign-in': ['pending'] },
  },
  noSlowDown: {
    description: 'never answers slow_down (RFC 8628 §3.5)',
    decisions: (right) => ({
      ...right,
      poll: (facts, now) => right.poll({ ...facts, lastPollAt: undefined }, now),
    }),
    breaks: ['W9-05'],
    fails: { 'device-sign-in': ['slow-down'] },
  },
  noDelivery: {
    description: 'never delivers a completed sign-in',
    decisions: (right) => ({
      ...right,
      poll: (facts, now) => right.poll({ ...facts, approvedAt: undefined }, now),
    }),
    breaks: ['W9-05'],
    fails: { 'device-sign-in': ['signed-in'] },
  },
  wrongExpiredCode: {
    description: 'answers authorization_pending after a device code has expired (RFC 8628 §3.2)',
    decisions: (right) => ({
      ...right,
      poll: (facts, now) => right.poll({ ...facts, expiresAt: Number.POSITIVE_INFINITY }, now),
    }),
    breaks: ['W9-05'],
    fails: { 'device-expired': ['expired'] },
  },
  ignoredDenial: {
    description: 'signs an agent in although its user denied (RFC 8628 §3.5)',
    parts: ({ devices }) => ({
      devices: replacing(devices, {
        decide: (userCodeHmac, user) => devices.decide(userCodeHmac, user, 'approve'),
      }),
    }),
    breaks: ['W9-05', 'A-52-DENIED'],
    fails: { 'device-denied': ['no-token', 'code'] },
  },
  wrongIdTokenAudience: {
    description: 'issues ID tokens for another client (OpenID Connect Core §2)',
    decisions: saying('idToken', () => ({ aud: 'another-client' })),
    breaks: ['W9-06'],
    fails: { 'device-sign-in': ['id-token-audience'] },
  },
  wrongIdTokenSignature: {
    description: 'issues ID tokens with a wrong signature',
    parts: tampered(JWT_TYPE.idToken),
    breaks: ['W9-06'],
    fails: { 'device-sign-in': ['id-token-signature'] },
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;

/** Faults: what it answers wrongly when it signs users in. */
export const SIGN_IN_ANSWER_FAULTS = {
  missingDeviceCodeLifetime: {
    description: 'leaves expires_in of a device code out (RFC 8628 §3.2)',
    answers: on(
      (path) => path === PATHS.deviceAuthorization,
      withMembers({ expires_in: undefined }),
    ),
    breaks: ['W9-05'],
    fails: { 'device-sign-in': ['started'] },
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;

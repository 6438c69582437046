import { DEFAULT_PROVIDER_LIFETIMES } from '../../../../src/mock-provider/config/lifetimes.ts';
import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import { tampered } from '../../../../src/mock-provider/faults/rewiring.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { JWT_TYPE } from '../../../../src/protocol/constants.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';

const { on, replacing, withJson, withMembers } = rewire;

const { deviceCode: LIFETIME } = DEFAULT_PROVIDER_LIFETIMES;

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
  shortDenial: {
    description: 'forgets a denial that it has told, and is pending again (RFC 8628 §3.5)',
    parts: ({ devices }) => {
      const told = new Set<string>();
      return {
        devices: replacing(devices, {
          poll: async (hash, clientId, rules) => {
            const facts = told.has(hash) ? { deniedAt: undefined } : {};
            const found = await devices.poll(hash, clientId, {
              poll: (right, now) => rules.poll({ ...right, ...facts }, now),
            });
            if (found?.facts.deniedAt !== undefined) told.add(hash);
            return found;
          },
        }),
      };
    },
    fails: { 'device-denied': ['stays'] },
  },
  acceptedLateApproval: {
    description: 'redeems a device code that was approved after its end (RFC 8628 §3.2)',
    parts: ({ devices }) => ({
      devices: replacing(devices, {
        create: (code) => devices.create({ ...code, lifetime: 2 * code.lifetime }),
      }),
    }),
    decisions: (right) => ({
      ...right,
      poll: (facts, now) =>
        now < facts.expiresAt - LIFETIME || facts.approvedAt !== undefined
          ? right.poll(facts, now)
          : { kind: 'refused', code: 'expired_token' },
    }),
    fails: { 'device-expired': ['late'] },
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

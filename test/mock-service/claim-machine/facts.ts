import type { RegistrationFacts } from '../../../src/mock-service/claim-machine/facts.ts';
import { DEFAULT_LIFETIMES } from '../../../src/mock-service/config/lifetimes.ts';
import { DECISIONS } from '../../../src/mock-service/context/decisions.ts';
import type { State } from '../../../src/protocol/states.ts';

export const NOW = Date.UTC(2026, 0, 1);
export const OWNER = { userId: 'usr_owner', email: 'owner@example.com' } as const;
export const STRANGER = { userId: 'usr_stranger', email: 'stranger@example.com' } as const;
export const BASE = 'https://service.test';
export const DECISION_CONTEXT = {
  now: NOW,
  lifetimes: DEFAULT_LIFETIMES,
  ...DECISIONS,
} as const;
export const EVERYTHING = { scopes: undefined, resource: undefined, base: BASE } as const;

const FRESH: RegistrationFacts = {
  id: 'reg_1',
  type: 'anonymous',
  needsClaim: true,
  windowEndsAt: NOW + DEFAULT_LIFETIMES.claimWindow,
  claimedAt: undefined,
  revokedAt: undefined,
  email: undefined,
  userId: undefined,
  version: 1,
  preClaimScopes: ['api.read'],
  postClaimScopes: ['api.read', 'api.write'],
  resource: undefined,
  wrongCodes: 0,
  attempt: undefined,
  delivery: undefined,
};

export const ATTEMPT = {
  id: 'cla_1',
  userCodeHmac: 'hmac',
  expiresAt: NOW + DEFAULT_LIFETIMES.userCode,
  interval: DEFAULT_LIFETIMES.interval,
  lastPollAt: undefined,
  wrongCodes: 0,
  deniedAt: undefined,
  confirmedAt: undefined,
  confirmedBy: undefined,
} as const;

const withAttempt = { ...FRESH, email: OWNER.email, attempt: ATTEMPT };

/** An anonymous registration in each state. */
export const IN_STATE: Readonly<Record<State, RegistrationFacts>> = {
  unclaimed: FRESH,
  pending: withAttempt,
  lapsed: { ...withAttempt, attempt: { ...ATTEMPT, expiresAt: NOW } },
  claimed: { ...withAttempt, claimedAt: NOW - 1000, userId: OWNER.userId, version: 2 },
  expired: { ...withAttempt, windowEndsAt: NOW },
  revoked: { ...withAttempt, revokedAt: NOW - 1000 },
};

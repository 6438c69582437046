import type { RegistrationFacts } from '../../../../src/mock-service/claim-machine/facts.ts';
import type { Redecided, Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { withFacts } from '../../../../src/mock-service/store/apply-effects.ts';
import type { Grant } from '../../../../src/mock-service/tokens/grant.ts';
import { JWT_TYPE } from '../../../../src/protocol/constants.ts';
import { DAY, HOUR, SECOND } from '../../../../src/protocol/durations.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { decodeJwt } from '../../../../src/protocol/jwt.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { believing, withChangedSignature } from './assertion-faults.ts';
import { rewriteFacts, writing } from './writing.ts';

const { inState, at, effecting, replacing, withLifetimes } = rewire;

const wasClaimed = ({ claimedAt }: Pick<RegistrationFacts, 'claimedAt'>) => claimedAt !== undefined;

/** The assertion that a claim brings is another one than it should be. */
const signingClaimed =
  (
    change: (right: string, keys: Parameters<Rewired>[0]['keys']) => string | Promise<string>,
  ): Rewired =>
  ({ assertions, keys }) => ({
    assertions: replacing(assertions, {
      sign: async (facts, times) => {
        const right = await assertions.sign(facts, times);
        return wasClaimed(facts) ? change(right, keys) : right;
      },
    }),
  });

/** It has other claims, or another type. */
const claimingClaimed = (
  change: (claims: JsonObject) => JsonObject,
  type: string = JWT_TYPE.identityAssertion,
): Rewired =>
  signingClaimed((right, keys) => keys.sign(type, change(decodeJwt(right)?.payload ?? {})));

/** What the poll of a completed claim is answered with has other members. */
const collecting =
  (members: JsonObject): Redecided =>
  (right) => ({
    ...right,
    grants: (config) =>
      new Map(
        [...right.grants(config)].map(([type, grant]) => [type, withMembers(grant, members)]),
      ),
  });

const withMembers =
  (grant: Grant, members: JsonObject): Grant =>
  async (service, form) => {
    const response = await grant(service, form);
    if (!response.ok || !form.get('claim_token')) return response;
    const right = (await response.json()) as JsonObject;
    return Response.json({ ...right, ...members }, response);
  };

/** Faults of what follows: the assertion and the token of a claim, and what a registration narrows or keeps. */
export const LATER_FAULTS = {
  wrongClaimedSignature: {
    description: 'delivers a claim with an assertion whose signature is wrong',
    parts: signingClaimed(withChangedSignature),
    fails: { 'later-assertions': ['signed'] },
  },
  wrongClaimedTyp: {
    description: 'gives the assertion of a claim another typ than the first (RFC 8725 §3.11)',
    parts: claimingClaimed((claims) => claims, 'JWT'),
    fails: { 'later-assertions': ['kind'] },
  },
  wrongClaimedAudience: {
    description: 'names another audience in the assertion of a claim than in the first',
    parts: claimingClaimed((claims) => ({ ...claims, aud: 'everybody' })),
    fails: { 'later-assertions': ['parties'] },
  },
  wrongClaimedExp: {
    description: 'delivers a claim with an assertion that has already expired',
    parts: claimingClaimed((claims) => ({ ...claims, exp: Number(claims['iat']) - 1 })),
    fails: { 'later-assertions': ['lifetime'] },
  },
  wrongClaimedSubject: {
    description:
      'names the claim, not the registration, as the subject of the assertion of a claim',
    parts: claimingClaimed((claims) => ({ ...claims, sub: claims['jti'] })),
    fails: { 'later-assertions': ['subject'] },
  },
  missingCollectedTokenType: {
    description: 'leaves token_type out where a claim is delivered (RFC 6749 §5.1)',
    decisions: collecting({ token_type: undefined }),
    fails: { 'claimed-token': ['token-type'] },
  },
  missingCollectedScope: {
    description: 'leaves scope out where a claim is delivered',
    decisions: collecting({ scope: undefined }),
    fails: { 'claimed-token': ['members'] },
  },
  longCollectedToken: {
    description: 'delivers a claim with a token that lives for two hours',
    decisions: at('poll', ['claimed'], withLifetimes({ accessToken: 2 * HOUR })),
    fails: { 'claimed-token': ['short-lived'] },
  },
  extraCollectedRefreshToken: {
    description: 'delivers a claim with a refresh token (RFC 7521 §4.1)',
    decisions: collecting({ refresh_token: 'rt_1234567890' }),
    fails: { 'claimed-token': ['no-refresh-token'] },
  },
  ignoredClaimedRevocation: {
    description: 'revokes no token of a registration that is claimed (RFC 7009 §2)',
    parts: ({ tokens }) => ({
      tokens: replacing(tokens, {
        revoke: async (hash) => {
          const holder = (await tokens.find(hash))?.holder;
          if (holder?.isClaimed !== true) await tokens.revoke(hash);
        },
      }),
    }),
    fails: { 'claimed-token': ['revocable'] },
  },
  staleRevivedToken: {
    description: 'extends every token of a registration with the next, a revoked one too',
    parts: (mock) => ({
      tokens: replacing(mock.tokens, {
        revoke: async (hash) =>
          mock.db.transaction(async (tx) => {
            await tx.run('UPDATE access_tokens SET expires_at = 0 WHERE hash = ?', [hash]);
          }),
      }),
      ...writing((right) => ({
        issue_token: async (tx, registration, effect) => {
          const issued = await right.issue_token(tx, registration, effect);
          await tx.run('UPDATE access_tokens SET expires_at = ? WHERE registration_id = ?', [
            effect.token.expiresAt,
            registration.facts.id,
          ]);
          return issued;
        },
      }))(mock),
    }),
    fails: { 'claimed-token': ['stays-revoked'] },
  },
  endlessCollectedToken: {
    description: 'takes the token of a claim for a day after it has expired (RFC 6749 §4.2.2)',
    decisions: at(
      'poll',
      ['claimed'],
      effecting('deliver', (effect) => [
        {
          ...effect,
          token: effect.token && { ...effect.token, expiresAt: effect.token.expiresAt + DAY },
        },
      ]),
    ),
    fails: { 'claimed-token': ['expires'] },
  },
  endlessClaimedAssertion: {
    description: 'accepts the assertion of a claim after it has expired (RFC 7523 §3, exp)',
    parts: believing(async ({ assertion }, { clock, keys }) => {
      const claims = (await keys.verifyOwn(assertion))?.payload;
      const exp = Math.ceil((clock.now() + HOUR) / SECOND);
      return claims && (Number(claims['ver']) > 1 ? { ...claims, exp } : claims);
    }),
    fails: { 'claimed-token': ['assertion-expires'] },
  },
  ignoredScopeOfNextIdJag: {
    description: 'keeps the scope of the first ID-JAG whatever a later one names',
    parts: ({ db, idJags }) => ({
      idJags: replacing(idJags, {
        accept: async (idJag, ...given) => {
          const find = idJags.queries.findRegistration;
          const before = await db.transaction((tx) => find(tx, idJag));
          const accepted = await idJags.accept(idJag, ...given);
          const { id, postClaimScopes = [] } = before?.facts ?? {};
          await db.transaction(async (tx) => {
            if (id !== undefined) await rewriteFacts(tx, 'id = ?', [id], { postClaimScopes });
          });
          return accepted;
        },
      }),
    }),
    fails: { 'confirmed-scope': ['renewed'] },
  },
  ignoredScopeOfConfirmed: {
    description: 'gives a confirmed link every scope, whatever its ID-JAG names',
    parts: (mock) =>
      writing((right) => ({
        complete_claim: (tx, registration, effect) => {
          const { postClaim: postClaimScopes } = mock.config.scopes;
          return right.complete_claim(tx, withFacts(registration, { postClaimScopes }), effect);
        },
      }))(mock),
    fails: { 'confirmed-scope': ['confirmed', 'exchanged'] },
  },
  extraScopeAfterDenial: {
    description: 'gives the post-claim scope once a claim was denied (attack A-25)',
    decisions: at(
      'exchange',
      ['lapsed'],
      inState('claimed', ({ attempt }) => attempt?.deniedAt !== undefined),
    ),
    fails: { 'before-claim': ['denied'] },
  },
  extraScopeAfterWrongCodes: {
    description: 'gives the post-claim scope once wrong codes have ended an attempt (attack A-25)',
    decisions: at(
      'exchange',
      ['lapsed'],
      inState('claimed', ({ attempt }) => attempt?.deniedAt === undefined),
    ),
    fails: { 'before-claim': ['wrong-codes'] },
  },
  extraScopeWhileReopened: {
    description: 'gives the post-claim scope while a second attempt is open (attack A-25)',
    decisions: at(
      'exchange',
      ['pending'],
      inState('claimed', ({ wrongCodes }) => wrongCodes > 0),
    ),
    fails: { 'before-claim': ['reopened'] },
  },
  acceptedClaimAfterClaim: {
    description: 'hands a claimed registration over to another email (attack A-24)',
    decisions: at('start', ['claimed'], inState('unclaimed')),
    parts: writing((right) => ({
      open_attempt: (tx, registration, effect) =>
        right.open_attempt(tx, withFacts(registration, { claimedAt: undefined }), effect),
    })),
    fails: { 'claimed-takeover': ['kept', 'still-works'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

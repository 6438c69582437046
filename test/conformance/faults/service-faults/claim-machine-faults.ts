import { json } from '../../../../src/mock/http/response.ts';
import { refuse } from '../../../../src/mock-service/claim-machine/events.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import { asOwner, isDenied } from '../../../../src/mock-service/faults/claim-faults.ts';
import { BEFORE_CLAIM } from '../../../../src/mock-service/faults/redeciding.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { DAY, HOUR } from '../../../../src/protocol/durations.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { sentMembers } from './sent-members.ts';

const { answering, inState, at, atHandler, everywhere, withInput, replacing, withFacts, without } =
  rewire;

/** Faults: what it decides wrongly about attempts to claim, and about their codes. */
export const CLAIM_MACHINE_FAULTS = {
  endlessClaimWindow: {
    description: 'never ends the outer claim window',
    decisions: everywhere((facts) => ({ ...facts, windowEndsAt: Number.MAX_SAFE_INTEGER })),
    parts: ({ assertions }) => ({
      assertions: replacing(assertions, {
        sign: (facts, times) => {
          const isClaimed = facts.claimedAt !== undefined || !facts.needsClaim;
          const expiresAt = times.expiresAt + (isClaimed ? 0 : DAY);
          return assertions.sign(facts, { ...times, expiresAt });
        },
      }),
    }),
    fails: {
      'window-expiry': ['assertion-over', 'assertion-code', 'no-fresh-attempt', 'late-code'],
    },
  },
  refusedClaimByEmail: {
    description: 'starts a claim by type and login_hint alone, as v0.7 has it',
    parts: ({ reader }) => ({
      reader: {
        ...reader,
        json: (text) => {
          const read = reader.json(text);
          if (!read.ok || read.value['claim_token'] === undefined) return read;
          const { claim_token, login_hint, type } = read.value;
          const email = type === 'login_hint' ? login_hint : 0;
          return { ...read, value: { claim_token, email } };
        },
      },
    }),
    fails: { 'claim-start': ['body'] },
  },
  shortClaimWindow: {
    description: 'ends the outer claim window an hour early',
    decisions: everywhere((facts) => ({ ...facts, windowEndsAt: facts.windowEndsAt - HOUR })),
    fails: { 'window-expiry': ['still-open'] },
  },
  ignoredEarlierTries: {
    description: 'forgets earlier wrong codes with each new attempt (attack A-17)',
    decisions: everywhere((facts) => ({ ...facts, wrongCodes: facts.attempt?.wrongCodes ?? 0 })),
    fails: { 'wrong-codes': ['overall-limit'] },
  },
  acceptedClaimedReopen: {
    description: 'opens an attempt for a claimed registration',
    decisions: at('start', ['claimed'], inState('unclaimed')),
    fails: { 'claim-start': ['claimed-refused'], 'claimed-for-good': ['no-fresh-attempt'] },
  },
  acceptedRevokedReopen: {
    description: 'opens an attempt for a registration that was ended',
    decisions: at('start', ['revoked'], inState('unclaimed')),
    fails: { connections: ['for-good'], 'event-confirmed': ['not-reopened'] },
  },
  refusedAttemptAfterExpiry: {
    description: 'refuses a new attempt after one has expired (wire contract §4)',
    decisions: at('start', ['lapsed'], answering(refuse('claim', 'claim_expired'))),
    fails: { 'attempt-expiry': ['reopened'] },
  },
  refusedNewAttempt: {
    description: 'refuses a new attempt while one is open (wire contract §4)',
    decisions: at('start', ['pending'], answering(refuse('claim', 'claimed_or_in_flight'))),
    fails: { reopen: ['reopened'] },
  },
  staleAttempt: {
    description: 'keeps the old attempt open beside the new one (wire contract §4)',
    decisions: at('start', ['pending'], without('open_attempt')),
    fails: { reopen: ['old-attempt-over'] },
  },
  acceptedEmailChange: {
    description: 'hands a registration made for one email over to another (attack A-16)',
    decisions: at(
      'start',
      BEFORE_CLAIM,
      withFacts((facts) => ({ ...facts, type: 'anonymous' })),
    ),
    fails: { 'reopen-by-email': ['other-refused'] },
  },
  uncheckedSubmitAccount: {
    description: 'checks the account when it shows the claim page, but not when the form is sent',
    decisions: at(
      'submit',
      ['pending'],
      // The page looks at what is stored without a code.
      withInput((input, facts) => (input.code === 'malformed' ? input : asOwner(input, facts))),
    ),
    fails: { 'wrong-account': ['form-refused'] },
  },
  uncheckedDenialAccount: {
    description: 'lets any signed-in account deny a claim',
    decisions: at('deny', ['pending'], withInput(asOwner)),
    fails: { 'wrong-account': ['not-denied'] },
  },
  acceptedDeniedUserCode: {
    description: 'accepts the user code of an attempt that was denied',
    decisions: at('submit', ['lapsed'], inState('pending', isDenied)),
    fails: { denial: ['no-way-back'] },
  },
  extraRevocationOnRepeat: {
    description: 'revokes a registration when its code is sent twice (attack A-26)',
    decisions: at('submit', ['claimed'], (right) => (facts, input, context) => {
      if (input.code !== 'right') return right(facts, input, context);
      const { effects } = context.matrix.revoke.claimed.decide(facts, {}, context);
      return { outcome: { kind: 'claimed' }, effects };
    }),
    fails: { 'claim-races': ['twice-completed'] },
  },
  staleAssertionVersion: {
    description: 'completes a claim without raising the version of the assertion',
    decisions: at('submit', ['pending'], without('raise_version')),
    fails: { anonymous: ['versions', 'first-assertion-powerless', 'first-assertion-refused'] },
  },
  acceptedQueryAsClaimToken: {
    description: 'hands a claim_token that is an object to its database as a query (CWE-943)',
    parts: (mock) =>
      atHandler(mock, { path: PATHS.claim, method: 'POST' }, (_mock, right) => async (c) => {
        const { claim_token: token } = await sentMembers(c);
        return typeof token === 'object' && token !== null
          ? json({ claim_attempt: { user_code: '123456', verification_uri: c.req.url } })
          : right(c);
      }),
    fails: { 'unknown-claims': ['no-query'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

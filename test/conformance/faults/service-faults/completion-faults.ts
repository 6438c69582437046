import { withoutCsrf } from '../../../../src/mock/faults/without-csrf.ts';
import type { EventName } from '../../../../src/mock-service/claim-machine/events.ts';
import { COMPLETION } from '../../../../src/mock-service/faults/claim-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { withFacts } from '../../../../src/mock-service/store/apply-effects.ts';
import { normalizeUserCode } from '../../../../src/protocol/user-code.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import { randomDigits } from '../../../../src/runtime/random-token.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { decidingLate } from './deciding-late.ts';
import { sentMembers } from './sent-members.ts';
import { rewrite, writing } from './writing.ts';

const { atEndpoint, atHandler, replacing } = rewire;

/** What two people may do to one claim at the same time. */
const RACING: ReadonlySet<EventName> = new Set(['start', 'submit', 'deny']);

/** Faults: what it does wrong when a claim is completed: secrets, sessions, the transaction. */
export const COMPLETION_FAULTS = {
  shortUserCodeEntropy: {
    description: 'makes user codes from two random digits (RFC 8628 §5.1)',
    parts: ({ random, secrets }) => ({
      secrets: { ...secrets, userCode: () => randomDigits(random, 2).padStart(6, '0') },
    }),
    fails: { 'code-format': ['unpredictable'] },
  },
  refusedUserCodeSpelling: {
    description: 'refuses a user code with spaces or dashes (RFC 8628 §6.1)',
    parts: ({ secrets }) => ({
      secrets: {
        ...secrets,
        checkUserCode: (facts, typed) => {
          const checked = secrets.checkUserCode(facts, typed);
          return checked === 'right' && /\D/.test(typed) ? 'wrong' : checked;
        },
      },
    }),
    fails: { 'code-format': ['spelling'] },
  },
  acceptedPartOfUserCode: {
    description: 'compares a user code as far as what was typed goes (CWE-187)',
    parts: ({ secrets }) => {
      const codes = new Map<string, string>();
      return {
        secrets: {
          ...secrets,
          userCode: (attemptId) => {
            const code = secrets.userCode(attemptId);
            codes.set(attemptId, normalizeUserCode(code));
            return code;
          },
          checkUserCode: (facts, typed) => {
            const begun = normalizeUserCode(typed);
            const code = codes.get(facts.attempt?.id ?? '');
            const fits = begun !== '' && code?.startsWith(begun) === true;
            return fits ? 'right' : secrets.checkUserCode(facts, typed);
          },
        },
      };
    },
    fails: { 'whole-code': ['needed'] },
  },
  acceptedUserCodeList: {
    description: 'looks at each of several codes in one form, and counts one try (attack A-17)',
    parts: (mock) =>
      atHandler(mock, COMPLETION, (service, right) => async (c) => {
        const typed = new URLSearchParams(await c.req.raw.clone().text()).getAll('user_code');
        const { checkUserCode } = service.secrets;
        if (typed.length < 2) return right(c);
        const anyOf: typeof checkUserCode = (facts) =>
          typed.some((code) => checkUserCode(facts, code) === 'right') ? 'right' : 'wrong';
        const { reader } = service;
        return right(c, {
          secrets: { ...service.secrets, checkUserCode: anyOf },
          reader: {
            ...reader,
            form: (text) =>
              reader.form(
                new URLSearchParams(Object.fromEntries(new URLSearchParams(text))).toString(),
              ),
          },
        });
      }),
    fails: { 'whole-code': ['needed'] },
  },
  uncheckedClaimCsrfToken: {
    description: 'checks the Origin of a claim form, but not its token (attack A-13)',
    parts: (mock) =>
      atEndpoint(mock, COMPLETION, ({ sessions }) => ({
        sessions: replacing(sessions, {
          checkCsrf: (c, session) => sessions.checkCsrf(c, session, session.csrfToken),
        }),
      })),
    fails: { 'completion-forgery': ['token-needed'] },
  },
  acceptedSiblingClaimForm: {
    description: 'accepts a claim form from another origin of its site, without a token (A-13)',
    parts: (mock) =>
      atEndpoint(mock, COMPLETION, ({ sessions }) => ({
        sessions: replacing(sessions, {
          checkCsrf: (c, ...given) => {
            if (c.req.header('sec-fetch-site') === 'same-site') return;
            sessions.checkCsrf(c, ...given);
          },
        }),
      })),
    fails: { 'completion-forgery': ['sibling-page'] },
  },
  uncheckedDenialCsrf: {
    description: 'accepts a denial from any page (attack A-13)',
    parts: (mock) =>
      atHandler(mock, COMPLETION, ({ sessions }, right) => async (c) => {
        const { decision } = await sentMembers(c);
        return right(c, decision === 'deny' ? { sessions: withoutCsrf(sessions) } : {});
      }),
    fails: { 'completion-forgery': ['foreign-denial'] },
    needs: { with: ['exposedSessionToSites'] },
  },
  uncheckedSession: {
    description: 'completes a claim for whoever has its link and code, signed in or not',
    parts: (mock) =>
      atHandler(
        mock,
        COMPLETION,
        ({ clock, registrations, sessions, users }, right) =>
          async (c) => {
            const session = await sessions.find(c);
            if (session?.visitor !== undefined) return right(c);
            const { claim_attempt_token: link } = await sentMembers(c);
            const value = sha256(String(link));
            const email = (await registrations.find({ by: 'attempt_token_hash', value }))?.facts
              .email;
            if (email === undefined) return right(c);
            // As though the one whose claim it is was signed in.
            const visitor = { email, key: await users.signIn(email), signedInAt: clock.now() };
            const find = async () => ({ csrfToken: '', visitor });
            return right(c, { sessions: replacing(withoutCsrf(sessions), { find }) });
          },
      ),
    fails: { 'json-complete': ['nobody-completes'], 'wrong-account': ['nobody-completes'] },
  },
  extraCompletedClaims: {
    description: 'completes every claim of an email with one of them',
    parts: writing((right) => ({
      complete_claim: async (tx, registration, effect) => {
        const { at, userId } = effect;
        await rewrite(tx, 'email = ?', [registration.facts.email ?? ''], (other) => {
          const isMeant =
            other.facts.type === 'service_auth' && other.facts.claimedAt === undefined;
          return isMeant ? withFacts(other, { claimedAt: at, userId }) : other;
        });
        return right.complete_claim(tx, registration, effect);
      },
    })),
    fails: { 'unknown-claims': ['others-untouched'] },
  },
  racyDecision: {
    description: 'decides on what it read before it locked the registration (attack A-26)',
    parts: (mock) => ({
      registrations: decidingLate({ late: (event) => RACING.has(event) })(mock),
    }),
    fails: { 'claim-races': ['reopen-or-complete', 'deny-or-complete', 'guesses-counted'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

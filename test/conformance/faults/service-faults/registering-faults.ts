import type { RightHandler } from '../../../../src/mock/faults/endpoint.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import { BEFORE_CLAIM } from '../../../../src/mock-service/faults/redeciding.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import { findUserBy } from '../../../../src/mock-service/store/users.ts';
import { IDENTITY_TYPES } from '../../../../src/protocol/constants.ts';
import { normalizeEmail } from '../../../../src/protocol/email.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import { randomDigits, randomToken } from '../../../../src/runtime/random-token.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { readingMembers, sentMembers } from './sent-members.ts';

const { at, atEndpoint, atHandler, replacing, withFacts, withMembers } = rewire;

const registering =
  (rewire: Rewire): Rewired =>
  (mock) =>
    atEndpoint(mock, REGISTRATION, rewire);

type Rewire = (mock: ServiceContext) => Partial<ServiceContext>;

const REGISTRATION = { path: PATHS.identity, method: 'POST' } as const;

const START = { path: PATHS.claim, method: 'POST' } as const;

/** Shows by its answer whether the email that was sent has an account. */
const tellingAccount =
  ({ db }: ServiceContext, right: RightHandler<ServiceContext>): RightHandler<ServiceContext> =>
  async (c) => {
    const { email, login_hint: hint } = await sentMembers(c);
    const response = await right(c);
    const normalized = normalizeEmail(String(email ?? hint));
    if (normalized === undefined) return response;
    const user = await db.transaction((tx) => findUserBy(tx, 'email', normalized));
    return withMembers({ account: user ? 'known' : 'new' })(response, c.req.raw);
  };

const starting =
  (rewire: Rewire): Rewired =>
  (mock) =>
    atEndpoint(mock, START, rewire);

/** Email addresses are read another way. */
const readingEmails =
  (read: (text: string, right: typeof normalizeEmail) => string | undefined): Rewire =>
  ({ decisions }) => ({
    decisions: { ...decisions, readEmail: (text) => read(text, decisions.readEmail) },
  });

/** Letters of other scripts, and those that they look like. */
const LOOK_ALIKES = new Map(
  Array.from('аеорсхуіјѕһοανιρ', (letter, index) => [letter, 'aeopcxyijshoavip'.charAt(index)]),
);

/** Makes one email of many: as spoofing filters compare, and as mail providers do with tags. */
function folded(email: string): string {
  return Array.from(
    email.normalize('NFKC').replace(/\p{Cf}/gu, ''),
    (letter) => LOOK_ALIKES.get(letter) ?? letter,
  )
    .join('')
    .replace(/\+[^@]*@/, '@');
}

/** As databases compare that go by upper case, or by letters without their accents. */
function plain(email: string): string {
  return email.toUpperCase().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}

/** Ids of registrations whose request said that they are claimed. */
const SENT_AS_CLAIMED = new Set<string>();

/** Faults: what it does wrong when somebody registers, or opens a claim. */
export const REGISTERING_FAULTS = {
  uncheckedIdentityType: {
    description: 'treats an unknown registration type as anonymous (wire contract §3)',
    parts: registering((mock) => ({
      config: { ...mock.config, identityTypes: IDENTITY_TYPES },
      // As a `switch` does that ends in `default: anonymous`.
      ...readingMembers(mock, (members) =>
        IDENTITY_TYPES.some((type) => type === members['type'])
          ? members
          : { ...members, type: 'anonymous' },
      ),
    })),
    fails: { 'registration-types': ['refused'] },
  },
  exposedAccountExistence: {
    description: 'shows whether an email has an account (CIBA §13)',
    parts: (mock) =>
      atHandler(atHandler(mock, REGISTRATION, tellingAccount), START, tellingAccount),
    fails: { enumeration: ['registrations-alike', 'claims-alike'] },
  },
  trustedSentScopes: {
    description: 'takes the pre-claim scopes of a registration from its request (attack A-25)',
    parts: registering((mock) => {
      let sent: readonly string[] | undefined;
      const { scopes } = mock.config;
      return {
        ...readingMembers(mock, (members) => {
          const { pre_claim_scopes: named } = members;
          sent = Array.isArray(named)
            ? named.filter((each) => typeof each === 'string')
            : undefined;
          return members;
        }),
        config: {
          ...mock.config,
          scopes: {
            ...scopes,
            get preClaim() {
              return sent ?? scopes.preClaim;
            },
          },
        },
      };
    }),
    fails: { 'sent-members': ['scopes'] },
  },
  trustedSentState: {
    description: 'takes the state of a registration from its request (attack A-25)',
    parts: (mock) =>
      atHandler(mock, REGISTRATION, (_mock, right) => async (c) => {
        const { state } = await sentMembers(c);
        const response = await right(c);
        const { registration_id: id } = (await response.clone().json()) as JsonObject;
        if (state === 'claimed') SENT_AS_CLAIMED.add(String(id));
        return response;
      }),
    decisions: at(
      'exchange',
      BEFORE_CLAIM,
      withFacts((facts) =>
        SENT_AS_CLAIMED.has(facts.id) ? { ...facts, preClaimScopes: facts.postClaimScopes } : facts,
      ),
    ),
    fails: { 'sent-members': ['state'] },
  },
  uncheckedLoginHint: {
    description: 'accepts any text as the email address of a login_hint (wire contract §3)',
    parts: registering((mock) => ({
      ...readingEmails((text, right) => right(text) ?? text)(mock),
      ...readingMembers(mock, (members) =>
        members['type'] === 'service_auth'
          ? { ...members, login_hint: String(members['login_hint']) }
          : members,
      ),
    })),
    fails: { 'login-hints': ['no-address', 'line-breaks', 'other-types'] },
  },
  sharedLookAlikeEmail: {
    description: 'treats look-alike and tagged emails as one (attack A-21)',
    parts: registering(readingEmails((text, right) => right(folded(text)))),
    fails: { 'login-hints': ['look-alikes', 'no-address'] },
  },
  sharedFoldedEmail: {
    description: 'compares emails in upper case and without accents (attack A-21, UTS 36 §3.2)',
    parts: registering(readingEmails((text, right) => right(plain(text)))),
    fails: { 'login-hints': ['look-alikes'] },
  },
  noLoginHintNormalization: {
    description: 'treats an email in another letter case as another email (wire contract §3)',
    parts: registering(readingEmails((text, right) => right(text) && text)),
    fails: { 'login-hints': ['letter-case'] },
  },
  shortClaimToken: {
    description: 'issues claim tokens of sixteen digits (RFC 8628 §5.2)',
    parts: ({ random, secrets }) => ({
      secrets: { ...secrets, claimToken: () => `clm_${randomDigits(random, 16)}` },
    }),
    fails: { 'registration-answers': ['claim-tokens-random'] },
  },
  extraPreClaimAssertion: {
    description: 'issues an assertion for an email that no user has proven',
    decisions: at(
      'exchange',
      BEFORE_CLAIM,
      withFacts((facts) => {
        const { postClaimScopes, type } = facts;
        return type === 'anonymous'
          ? facts
          : { ...facts, type: 'anonymous', preClaimScopes: postClaimScopes };
      }),
    ),
    parts: (mock) =>
      atHandler(mock, REGISTRATION, (mock, right) => async (c) => {
        const { assertions, clock, random, registrations } = mock;
        const response = await right(c);
        const answer = (await response.clone().json()) as JsonObject;
        const id = String(answer['registration_id']);
        const found = await registrations.find({ by: 'id', value: id });
        if (found?.facts.type !== 'service_auth') return response;
        const identity_assertion = await assertions.sign(found.facts, {
          jti: randomToken(random, 'ia_'),
          issuedAt: clock.now(),
          expiresAt: found.facts.windowEndsAt,
        });
        return withMembers({ identity_assertion })(response, c.req.raw);
      }),
    fails: { 'service-auth': ['nothing-before'] },
  },
  uncheckedClaimToken: {
    description: 'opens a claim attempt for an unknown claim token',
    parts: starting((mock) => {
      const { config, random, registrations } = mock;
      return {
        registrations: replacing(registrations, {
          decide: async (event, selector, actor, input) => {
            const decided = await registrations.decide(event, selector, actor, input);
            if (decided !== undefined) return decided;
            await registrations.enroll(
              {
                id: randomToken(random, 'reg_'),
                type: 'anonymous',
                claimTokenHash: selector.value,
                email: undefined,
                preClaimScopes: config.scopes.preClaim,
                postClaimScopes: config.scopes.postClaim,
              },
              undefined,
            );
            return registrations.decide(event, selector, actor, input);
          },
        }),
      };
    }),
    fails: { 'claim-start': ['unknown-refused'] },
  },
  repeatedVerificationUri: {
    description: 'gives every attempt the same link (wire contract §4)',
    parts: (mock) =>
      atHandler(mock, START, ({ secrets }, right) => async (c) => {
        const { claim_token: claimToken } = await sentMembers(c);
        const token = `cat_${sha256(String(claimToken))}`;
        return right(c, { secrets: { ...secrets, attemptToken: () => token } });
      }),
    fails: { reopen: ['fresh'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

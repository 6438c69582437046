import {
  atEndpoint,
  atHandler,
  html,
  raw,
  replacing,
  userActor,
  type View,
  withoutCsrf,
} from '../../mock/index.ts';
import { sha256 } from '../../runtime/index.ts';
import { type CodeCheck, type RegistrationFacts, refuse } from '../claim-machine/index.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { ClaimView } from '../pages/claim-view.ts';
import { formValue, withFormValue } from './form-value.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

/** The claim page shows something else. */
function claimPage(change: (view: ClaimView) => Partial<ClaimView>): Rewired {
  return ({ views }) => ({
    views: { ...views, claim: (view) => views.claim({ ...view, ...change(view) }) },
  });
}

/** The page for another account says more, with whose claim it is. */
function wrongAccountPage(more: (email: string) => View): Rewired {
  return ({ views }) => ({
    views: {
      ...views,
      wrongAccount: (view) => html`${views.wrongAccount(view)} ${more(view.boundTo ?? '')}`,
    },
  });
}

/** What a look at a link submits, by the code in its URL; undefined when nothing. */
type Submitted = (
  service: ServiceContext,
  facts: RegistrationFacts,
  typed: string | undefined,
) => CodeCheck | undefined;

/** A look at a link is taken for a try. */
function lookSubmits(submitted: Submitted): Rewired {
  return (service) =>
    atHandler(service, { path: PATHS.claimPage }, (mock, right) => async (c) => {
      const { registrations, sessions } = mock;
      const value = sha256(c.req.query('claim_attempt_token') ?? '');
      const link = { by: 'attempt_token_hash', value } as const;
      const visitor = (await sessions.find(c))?.visitor;
      const found = await registrations.find(link);
      const code = found && submitted(mock, found.facts, c.req.query('user_code'));
      if (visitor === undefined || code === undefined) return right(c);
      const account = { userId: visitor.key, email: visitor.email };
      await registrations.decide('submit', link, userActor(visitor.email), () => ({
        account,
        code,
      }));
      return right(c);
    });
}

type Endpoint = (mock: ServiceContext) => Partial<ServiceContext>;

const atEnd =
  (rewire: Endpoint): Rewired =>
  (service) =>
    atEndpoint(service, { path: PATHS.connections, method: 'POST' }, rewire);

const atReview =
  (rewire: Endpoint): Rewired =>
  (service) =>
    atEndpoint(service, { path: PATHS.linkReview, method: 'POST' }, rewire);

/** Faults of the pages on which a user gives, sees and ends access. */
export const PAGE_FAULTS = {
  acceptedUserCodeByGet: {
    description: 'completes a claim with a user code in the URL of its page (RFC 9110 §9.2.1)',
    parts: lookSubmits(({ secrets }, facts, typed) =>
      typed === undefined ? undefined : secrets.checkUserCode(facts, typed),
    ),
    breaks: ['A-13'],
    fails: { 'completion-forgery': ['by-address'], 'claim-page': [] },
  },
  extraTryForView: {
    description: 'counts each view of the claim page as a wrong code (RFC 9110 §9.2.1)',
    parts: lookSubmits(() => 'wrong'),
    breaks: ['A-13-LOOKING'],
    fails: { 'claim-page': ['looking-changes-nothing'] },
  },
  extraPromptAfterClaim: {
    description: 'asks for a user code although the claim is complete',
    decisions: ({ matrix, ...rest }) => {
      const { claimed } = matrix.submit;
      return {
        ...rest,
        matrix: {
          ...matrix,
          submit: {
            ...matrix.submit,
            claimed: {
              ...claimed,
              decide: (facts, input, context) =>
                input.code === 'malformed'
                  ? refuse('complete', 'invalid_user_code')
                  : claimed.decide(facts, input, context),
            },
          },
        },
      };
    },
    breaks: ['W5-24'],
    fails: { 'claim-page': ['finished-link'] },
  },
  missingAccountOnPage: {
    description: 'does not show on its claim page who is signed in',
    parts: claimPage(() => ({ signedInAs: 'you' })),
    breaks: ['W5-13'],
    fails: { 'claim-page': ['account-shown'] },
  },
  missingScopesOnPage: {
    description:
      'does not show on its claim page what an agent will be allowed to do (RFC 8628 §5.4)',
    parts: claimPage(() => ({ scopes: [] })),
    breaks: ['DEV-15', 'W5-13'],
    fails: { 'claim-page': ['scopes-shown'] },
  },
  missingAdvisories: {
    description: 'does not warn of the first agent or provider of an account',
    parts: claimPage(() => ({ advisories: [] })),
    breaks: ['AMD-06', 'W5-15'],
    fails: { 'claim-page': ['first-agent'], 'provider-name': ['first-time'] },
  },
  missingProviderOnPage: {
    description: 'does not show on its claim page which provider asks (RFC 8628 §5.4)',
    parts: claimPage(({ advisories }) => ({
      type: 'service_auth',
      providerName: undefined,
      advisories: advisories.filter((advisory) => advisory !== 'first_time_provider'),
    })),
    breaks: ['DEV-15', 'W5-13', 'AMD-06', 'W5-15'],
    fails: { 'provider-name': ['provider-told', 'first-time'] },
  },
  unescapedUserCode: {
    description: 'writes the user code that was typed into its page unescaped (attack A-30)',
    parts: (service) =>
      atHandler(service, { path: PATHS.complete }, ({ views }, right) => async (c) => {
        const typed = raw((await formValue(c, 'user_code')) ?? '');
        return right(c, {
          views: {
            ...views,
            claim: (view) =>
              views.claim({
                ...view,
                ...(view.problem !== undefined && { problem: html`${view.problem} ${typed}` }),
              }),
          },
        });
      }),
    breaks: ['A-30.service'],
    fails: { 'page-injection': ['claim-form'] },
  },
  exposedClaimEmail: {
    description: 'shows another account whom a claim is for (wire contract §5)',
    parts: wrongAccountPage((email) => html`This link is for ${email}.`),
    breaks: ['W5-22'],
    fails: { 'wrong-account': ['address-hidden'] },
  },
  unescapedClaimEmail: {
    description:
      'writes the email of a claim into the page for another account unescaped (attack A-30)',
    parts: wrongAccountPage((email) => raw(email)),
    breaks: ['A-30.service'],
    fails: { 'page-injection': ['agent-words'] },
    needs: { with: ['uncheckedLoginHint'] },
  },
  noLinkReview: {
    description: 'does not ask at the first sign-in whether to keep the link to a provider',
    parts: ({ users }) => ({
      users: replacing(users, {
        find: async (id) => {
          const user = await users.find(id);
          return user && { ...user, provisionedBy: undefined };
        },
      }),
    }),
    breaks: ['W3-23'],
    fails: { 'link-review': ['asked'] },
  },
  repeatedLinkReview: {
    description: 'asks at every sign-in whether to keep the link to a provider',
    parts: ({ users }) => ({
      users: replacing(users, {
        find: async (id) => {
          const user = await users.find(id);
          return user && { ...user, linkReviewedAt: undefined };
        },
      }),
    }),
    breaks: ['W3-23'],
    fails: { 'link-review': ['kept', 'asked-once'] },
  },
  ignoredLinkKeep: {
    description: 'ends the link to a provider that its user wants to keep',
    parts: atReview(({ reader }) => ({ reader: withFormValue(reader, 'decision', () => 'end') })),
    breaks: ['W3-23'],
    fails: { 'link-review': ['kept'] },
  },
  ignoredLinkEnd: {
    description: 'keeps the link to a provider that its user wants to end',
    parts: atReview(({ registrations }) => ({
      registrations: replacing(registrations, { decide: async () => undefined }),
    })),
    breaks: ['W3-23'],
    fails: { 'link-review': ['ended'] },
  },
  missingConnections: {
    description: 'does not list who has access',
    parts: (service) =>
      atEndpoint(service, { path: PATHS.connections, method: 'GET' }, ({ registrations }) => ({
        registrations: replacing(registrations, { listOf: async () => [] }),
      })),
    breaks: ['W5-17'],
    fails: { connections: ['listed'] },
  },
  uncheckedDisconnectCsrf: {
    description: 'ends a registration at the request of any page (attack A-13)',
    parts: atEnd(({ sessions }) => ({ sessions: withoutCsrf(sessions) })),
    breaks: ['A-13'],
    fails: { connections: ['foreign-page'] },
    needs: { with: ['exposedSessionToSites'] },
  },
  uncheckedDisconnectAccount: {
    description: 'ends the registration of another account',
    parts: atEnd(({ registrations }) => ({
      registrations: replacing(registrations, { listOf: () => registrations.latest(1_000) }),
    })),
    breaks: ['W5-37'],
    fails: { connections: ['others-kept'] },
  },
  ignoredDisconnect: {
    description: 'says that access has ended without ending it',
    parts: atEnd(({ registrations }) => ({
      registrations: replacing(registrations, { decide: async () => undefined }),
    })),
    breaks: ['W5-17', 'W5-18', 'W8-07'],
    fails: { connections: ['ended', 'for-good', 'end-told'] },
  },
  extraDisconnects: {
    description: 'ends every registration of an account instead of one',
    parts: atEnd(({ registrations }) => ({
      registrations: replacing(registrations, {
        decide: async (event, selector, actor, input) => {
          const asked = await registrations.find(selector);
          for (const { facts } of await registrations.listOf(asked?.facts.userId ?? '')) {
            await registrations.decide(event, { by: 'id', value: facts.id }, actor, input);
          }
          return undefined;
        },
      }),
    })),
    breaks: ['W5-17'],
    fails: { connections: ['only-that'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;

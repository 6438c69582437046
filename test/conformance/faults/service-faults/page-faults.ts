import { userActor } from '../../../../src/mock/audit/audit.ts';
import { withoutCsrf } from '../../../../src/mock/faults/without-csrf.ts';
import { html, raw, type View } from '../../../../src/mock/pages/html.ts';
import type { CodeCheck } from '../../../../src/mock-service/claim-machine/events.ts';
import type { RegistrationFacts } from '../../../../src/mock-service/claim-machine/facts.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import type { ClaimView } from '../../../../src/mock-service/pages/claim-view.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { formValue } from './form-value.ts';

const { atEndpoint, atHandler, replacing } = rewire;

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

/** Faults of the pages on which a user gives, sees and ends access. */
export const PAGE_FAULTS = {
  acceptedUserCodeByGet: {
    description: 'completes a claim with a user code in the URL of its page (RFC 9110 §9.2.1)',
    parts: lookSubmits(({ secrets }, facts, typed) =>
      typed === undefined ? undefined : secrets.checkUserCode(facts, typed),
    ),
    fails: { 'completion-forgery': ['by-address'], 'claim-page': [] },
  },
  extraTryForView: {
    description: 'counts each view of the claim page as a wrong code (RFC 9110 §9.2.1)',
    parts: lookSubmits(() => 'wrong'),
    fails: { 'claim-page': ['looking-changes-nothing'] },
  },
  missingAccountOnPage: {
    description: 'does not show on its claim page who is signed in',
    parts: claimPage(() => ({ signedInAs: 'you' })),
    fails: { 'claim-page': ['account-shown'] },
  },
  missingScopesOnPage: {
    description:
      'does not show on its claim page what an agent will be allowed to do (RFC 8628 §5.4)',
    parts: claimPage(() => ({ scopes: [] })),
    fails: { 'claim-page': ['scopes-shown'] },
  },
  missingProviderOnPage: {
    description: 'does not show on its claim page which provider asks (RFC 8628 §5.4)',
    parts: claimPage(({ advisories }) => ({
      type: 'service_auth',
      providerName: undefined,
      advisories: advisories.filter((advisory) => advisory !== 'first_time_provider'),
    })),
    fails: { 'provider-name': ['provider-told'] },
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
    fails: { 'page-injection': ['claim-form'] },
  },
  unescapedClaimEmail: {
    description:
      'writes the email of a claim into the page for another account unescaped (attack A-30)',
    parts: wrongAccountPage((email) => raw(email)),
    fails: { 'page-injection': ['agent-words'] },
    needs: { with: ['uncheckedLoginHint'] },
  },
  uncheckedDisconnectCsrf: {
    description: 'ends a registration at the request of any page (attack A-13)',
    parts: atEnd(({ sessions }) => ({ sessions: withoutCsrf(sessions) })),
    fails: { connections: ['foreign-page'] },
    needs: { with: ['exposedSessionToSites'] },
  },
  uncheckedDisconnectAccount: {
    description: 'ends the registration of another account',
    parts: atEnd(({ registrations }) => ({
      registrations: replacing(registrations, { listOf: () => registrations.latest(1_000) }),
    })),
    fails: { connections: ['others-kept'] },
  },
  ignoredDisconnect: {
    description: 'says that access has ended without ending it',
    parts: atEnd(({ registrations }) => ({
      registrations: replacing(registrations, { decide: async () => undefined }),
    })),
    fails: { connections: ['for-good'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

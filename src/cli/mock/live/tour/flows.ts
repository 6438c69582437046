import { approveConsent, approveSignIn } from '../../../../user/user-steps.ts';
import { approveStep, callStep, collectStep, curl } from './common-steps.ts';
import type { TourFlow, TourPlace } from './tour-flow.ts';
import { expectOutcome } from './tour-player.ts';

const ALICE = 'alice@example.com';
const BOB = 'bob@example.com';
const DANA = 'dana@example.com';

const JSON_BODY = "-H 'content-type: application/json' -d";

/** The flows that the mocks of this process can show. */
export function tourFlows(place: TourPlace): readonly TourFlow[] {
  const { provider } = place;
  const both = [anonymous(place), serviceAuth(place)];
  return provider === undefined ? both : [...both, identityAssertion(place, provider)];
}

/** Works at once, is claimed later. */
function anonymous(place: TourPlace): TourFlow {
  const { call, line, service } = place;
  return {
    flow: 'anonymous',
    steps: [
      {
        id: 'anonymous.discover',
        title: 'Discover',
        text: 'The agent knows one URL. It calls without a token, is refused, and the challenge leads it to the metadata.',
        curl: `curl -i -X ${call.method} ${service}${call.path}`,
        line: line(`discover ${service}${call.path}`),
        run: async ({ agent }) => {
          await agent.discover({ resource: service + call.path });
          return 'The agent knows the endpoints now.';
        },
      },
      {
        id: 'anonymous.register',
        title: 'Register',
        text: 'Without naming a user: the agent gets an assertion, trades it for a token, and may read at once.',
        curl: curl(place, `${service}/agent/identity ${JSON_BODY} '{"type":"anonymous"}'`),
        line: line(`register ${service} --type anonymous`),
        run: async (player) => {
          const made = await player.agent.register({ service, type: 'anonymous', reuse: false });
          player.registrationId = expectOutcome(made, 'registered').registration.id;
          return 'Registered: it works, and belongs to nobody.';
        },
      },
      callStep(place, 'anonymous.call', {
        title: 'Call the API',
        text: 'With the scopes that a registration has before anybody claimed it.',
      }),
      {
        id: 'anonymous.claim',
        title: 'Ask for a claim',
        text: `The agent names ${ALICE} and gets a code and the page to type it on.`,
        curl: curl(
          place,
          `${service}/agent/identity/claim ${JSON_BODY} '{"claim_token":"…","email":"${ALICE}"}'`,
        ),
        line: line(`claim --email ${ALICE} --no-wait`),
        run: async (player) => {
          const opened = await player.agent.startClaim({ email: ALICE });
          player.ceremony = expectOutcome(opened, 'open').ceremony;
          return 'A claim is open, for ten minutes.';
        },
      },
      approveStep(place, 'anonymous.approve', ALICE),
      collectStep(place, 'anonymous.collect'),
    ],
  };
}

/** No access before its user confirms; later the user ends it. */
function serviceAuth(place: TourPlace): TourFlow {
  const { line, service } = place;
  return {
    flow: 'service_auth',
    steps: [
      {
        id: 'service_auth.register',
        title: 'Register for a user',
        text: `The agent names ${BOB}. It gets no access before Bob confirms.`,
        curl: curl(
          place,
          `${service}/agent/identity ${JSON_BODY} '{"type":"service_auth","login_hint":"${BOB}"}'`,
        ),
        line: line(`register ${service} --email ${BOB}`),
        run: async (player) => {
          const made = expectOutcome(
            await player.agent.register({
              service,
              type: 'service_auth',
              loginHint: BOB,
              reuse: false,
            }),
            'claim_pending',
          );
          player.registrationId = made.registration.id;
          player.ceremony = made.ceremony;
          return 'Registered: it waits for its user.';
        },
      },
      approveStep(place, 'service_auth.approve', BOB),
      collectStep(place, 'service_auth.collect'),
      callStep(place, 'service_auth.call', {
        title: 'Call the API',
        text: 'In the name of its user.',
      }),
      {
        id: 'service_auth.end',
        title: 'End it, as its user',
        text: `Bob sees the agent among his connections and ends its access: tokens and assertions are worth nothing any more. This is done in a browser: open ${service}/connections, sign in as ${BOB} and press “End access”; or press the button, and it is done for you.`,
        curl: '',
        line: '',
        run: async (player) => {
          await player.revoke();
          return 'Bob has ended the access of the agent.';
        },
      },
    ],
  };
}

/** The provider identifies the user. */
function identityAssertion(place: TourPlace, provider: string): TourFlow {
  const { line, service } = place;
  const exchange = [
    `${provider}/oauth2/token -d client_id=agent-auth`,
    'grant_type=urn:ietf:params:oauth:grant-type:token-exchange',
    'requested_token_type=urn:ietf:params:oauth:token-type:id-jag',
    'subject_token_type=urn:ietf:params:oauth:token-type:id_token',
    'subject_token=$id_token',
    `audience=${service}`,
  ].join(' -d ');
  return {
    flow: 'identity_assertion',
    steps: [
      {
        id: 'identity_assertion.sign_in',
        title: 'Ask for a sign-in',
        text: 'At the provider, by device code: the agent gets a code and the page for its user.',
        curl: `curl ${provider}/oauth2/device_authorization -d client_id=agent-auth -d 'scope=openid email'`,
        line: line(`provider login ${provider} --no-wait`),
        run: async (player) => {
          const login = await player.agent.providerLogin({ provider });
          player.ceremony = login.ceremony;
          player.signIn = async (signal) =>
            expectOutcome(await login.wait({ signal }), 'signed_in');
          return 'A sign-in is open.';
        },
      },
      {
        id: 'identity_assertion.approve',
        title: 'Be the user',
        text: `${DANA} opens ${provider}/device in a browser, signs in, types the code and approves; the line waits for that. Or press the button, and it is done for you.`,
        curl: '',
        line: line(`provider login wait ${provider}`),
        run: async (player, patience) => {
          const { ceremony, user } = player;
          if (ceremony?.kind !== 'type_there') throw new Error('No sign-in is open.');
          await approveSignIn(user, ceremony.verificationUri, ceremony.userCode.reveal(), DANA);
          await player.signIn?.(patience);
          return `${DANA} is signed in, and the agent has a session.`;
        },
      },
      {
        id: 'identity_assertion.ask',
        title: 'Try to register',
        text: 'The provider tells a service who the user is only after their consent: it leads to its page.',
        curl: `curl ${exchange}`,
        line: line(`register ${service} --provider ${provider}`),
        run: async (player) => {
          const made = await player.agent.register({
            service,
            type: 'identity_assertion',
            provider,
            reuse: false,
          });
          if (made.status === 'registered') {
            player.registrationId = made.registration.id;
            return 'Registered: Dana had consented already.';
          }
          player.page = expectOutcome(made, 'consent_required').consentUri;
          return 'The provider wants the consent of its user.';
        },
      },
      {
        id: 'identity_assertion.consent',
        title: 'Consent, as the user',
        text: 'Dana allows the provider to tell this service who she is. This is done in a browser: the line shows the page and waits for her. Or press the button, and it is done for you.',
        curl: '',
        line: line(`provider consent ${provider} --audience ${service}`),
        run: async (player) => {
          if (player.page === '') return 'She had consented already.';
          await approveConsent(player.user, player.page, DANA);
          return 'Dana consented.';
        },
      },
      {
        id: 'identity_assertion.register',
        title: 'Register',
        text: 'The agent mints an ID-JAG for this service alone and registers with it; no further confirmation is needed for an account that is new.',
        curl: curl(
          place,
          `${service}/agent/identity ${JSON_BODY} '{"type":"identity_assertion","assertion_type":"urn:ietf:params:oauth:token-type:id-jag","assertion":"…"}'`,
        ),
        line: line(`register ${service} --provider ${provider}`),
        run: async (player) => {
          const made = expectOutcome(
            await player.agent.register({ service, type: 'identity_assertion', provider }),
            'registered',
          );
          player.registrationId = made.registration.id;
          return 'Registered in the name of Dana.';
        },
      },
      callStep(place, 'identity_assertion.call', {
        title: 'Call the API',
        text: 'In the name of its user.',
      }),
    ],
  };
}

import { expect, it } from 'vitest';
import { PROVIDER_FAULTS, type ProviderFault } from '../../src/mock-provider/index.ts';
import { Harness, open, SERVICE } from './harness.ts';

/** What a stranger sees of a provider: the same story, told to a good one and to one with the fault. */
interface Told {
  readonly story: (h: Harness) => Promise<unknown>;
  readonly good: unknown;
  readonly faulty: unknown;
}

const ALICE = 'alice@example.com';

async function mint(h: Harness) {
  const idToken = await h.signIn();
  const first = await h.mint(idToken);
  const answer = first.status === 200 ? first : await h.mintWithConsent(idToken);
  return { idToken, ...open(answer.body['access_token']) };
}

/** Every other fault is told by `npm run test:faults`. */
const FAULTS = {
  wrongAudience: {
    story: async (h) => (await mint(h)).claims.aud,
    good: SERVICE,
    faulty: 'https://other.example',
  },
  wrongType: {
    story: async (h) => (await mint(h)).header['typ'],
    good: 'oauth-id-jag+jwt',
    faulty: 'JWT',
  },
  unverifiedEmail: {
    story: async (h) => (await mint(h)).claims['email_verified'],
    good: true,
    faulty: false,
  },
  missingAuthTime: {
    story: async (h) => typeof (await mint(h)).claims['auth_time'],
    good: 'number',
    faulty: 'undefined',
  },
  longLived: {
    story: async (h) => {
      const { claims } = await mint(h);
      return Number(claims.exp) - Number(claims.iat);
    },
    good: 300,
    faulty: 7200,
  },
  reusedJti: {
    story: async (h) => {
      const first = await mint(h);
      const again = open((await h.mint(first.idToken)).body['access_token']);
      return first.claims.jti === again.claims.jti;
    },
    good: false,
    faulty: true,
  },
  consentSkipped: {
    story: async (h) => {
      const { body, status } = await h.mint(await h.signIn());
      return body['error'] ?? status;
    },
    good: 'consent_required',
    faulty: 200,
  },
  eventsUnsent: {
    story: async (h) => {
      const idToken = await h.signIn();
      await h.decideConsent(await h.mint(idToken), ALICE);
      const { body } = await h.form('/oauth2/consents/revoke', {
        client_id: 'agent-auth',
        subject_token: idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        audience: SERVICE,
      });
      return body['event'];
    },
    // Nobody answers in this world: a good provider says that the event is still to be sent.
    good: 'pending',
    faulty: 'delivered',
  },
  keysUnavailable: {
    story: async (h) => (await h.send('GET', '/.well-known/jwks.json')).status,
    good: 200,
    faulty: 503,
  },
  unavailable: {
    story: async (h) => (await h.send('GET', '/')).status,
    good: 200,
    faulty: 503,
  },
} satisfies Readonly<Partial<Record<ProviderFault, Told>>>;

const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[];

it.each(names)('%s is seen from outside, and only while it is on', async (fault) => {
  const { story, good, faulty }: Told = FAULTS[fault];
  const tell = async (on: readonly ProviderFault[]) => {
    const h = await Harness.start();
    await h.provider.controls.setFaults(on);
    return story(h);
  };
  expect(await tell([])).toEqual(good);
  expect(await tell([fault])).toEqual(faulty);
});

it('every fault says what it does', () => {
  for (const says of Object.values(PROVIDER_FAULTS)) expect(says).toMatch(/^[a-z].{10,}$/);
});

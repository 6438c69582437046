import { expect, it } from 'vitest';
import type {
  ProviderConfig,
  ProviderContext,
  ProviderDecisions,
  ProviderFaultName,
} from '../../src/mock-provider/index.ts';
import { MINUTE, TOKEN_EXCHANGE_GRANT } from '../../src/protocol/index.ts';
import { Harness, open, SERVICE } from './harness.ts';
import { Receiver, refusedConnection } from './outbox/support.ts';

/** What a client sees of a provider by the same exchange, without the fault and with it. */
interface FaultCase {
  readonly exchange: (h: Harness) => Promise<unknown>;
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

/** One of each way to be wrong. What sees each fault is tested by `npm run test:judged`. */
const FAULTS = {
  wrongIdJagAudience: {
    exchange: async (h) => (await mint(h)).claims.aud,
    good: SERVICE,
    faulty: 'https://other.example',
  },
  longIdJagLifetime: {
    exchange: async (h) => {
      const { claims } = await mint(h);
      return Number(claims.exp) - Number(claims.iat);
    },
    good: 300,
    faulty: 7200,
  },
  noEvent: {
    exchange: async (h) => {
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
  unavailable: {
    exchange: async (h) => [
      (await h.send('GET', '/')).status,
      (await h.send('GET', '/nothing/here')).status,
    ],
    good: [200, 404],
    faulty: [503, 503],
  },
} satisfies Readonly<Partial<Record<ProviderFaultName, FaultCase>>>;

const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[];

it.each(names)('%s is seen from outside, and only while it is on', async (fault) => {
  const { exchange, good, faulty }: FaultCase = FAULTS[fault];
  const seen = async (on: readonly ProviderFaultName[]) => {
    const h = await Harness.start();
    await h.provider.controls.setFaults(on);
    return exchange(h);
  };
  expect(await seen([])).toEqual(good);
  expect(await seen([fault])).toEqual(faulty);
});

it('what is sent later is sent as the faults want it by then', async () => {
  const receiver = new Receiver();
  receiver.onEvent = refusedConnection;
  const h = await Harness.start({ fetch: receiver.fetch });
  await h.revoke(await h.consented());
  const { controls, outbox } = h.provider;
  const state = async () => (await outbox.list())[0]?.state;
  expect(await state()).toBe('pending');
  await controls.setFaults(['noEventRetry']);
  h.clock.advance(MINUTE);
  await outbox.deliverDue();
  expect(await state()).toBe('parked');
});

it('takes a fault of one’s own: a check that this provider has and no other', async () => {
  const h = await Harness.start({
    autoApprove: ALICE,
    faults: [
      {
        description: 'wants a resource to be named',
        decisions: (right) => ({
          ...right,
          exchangeChecks: [
            ...right.exchangeChecks,
            {
              name: 'resourceGiven',
              description: 'A resource is named.',
              check: ({ form }) =>
                form.get('resource') === undefined ? { code: 'invalid_target' } : undefined,
            },
          ],
        }),
      },
    ],
  });
  const idToken = await h.signIn();
  expect((await h.mint(idToken)).body['error']).toBe('invalid_target');
  expect((await h.mint(idToken, { resource: `${SERVICE}/api` })).status).toBe(200);
});

it('takes a fault of one’s own that is wrong in configuration, decisions and parts', async () => {
  const long = ({ lifetimes, ...right }: ProviderConfig): ProviderConfig => ({
    ...right,
    lifetimes: { ...lifetimes, idJag: 42 * MINUTE },
  });
  const unasked = (right: ProviderDecisions): ProviderDecisions => ({
    ...right,
    mint: (facts, ...rest) => right.mint({ ...facts, autoApproved: true }, ...rest),
  });
  const renamed = ({ grants }: ProviderContext): Pick<ProviderContext, 'grants'> => ({
    grants: new Map([...grants].map(([type, grant]) => [`${type}:again`, grant])),
  });
  const h = await Harness.start({
    faults: [
      { name: 'renamed', description: 'knows no grant', config: long, parts: renamed },
      { name: 'hasty', description: 'asks no user', decisions: unasked },
    ],
  });
  const { controls } = h.provider;
  await controls.setFaults(['hasty']);
  const idToken = await h.signIn();
  await controls.setFaults(['renamed', 'hasty']);
  expect((await h.mint(idToken)).body['error']).toBe('unsupported_grant_type');
  const { body } = await h.mint(idToken, { grant_type: `${TOKEN_EXCHANGE_GRANT}:again` });
  expect(body['expires_in']).toBe(42 * 60);
});

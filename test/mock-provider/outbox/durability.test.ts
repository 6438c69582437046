import { beforeEach, describe, expect, it } from 'vitest';
import { createMockProvider, type MockProvider } from '../../../src/mock-provider/index.ts';
import { createMockService } from '../../../src/mock-service/index.ts';
import { ID_JAG_TOKEN_TYPE, MINUTE, SECOND } from '../../../src/protocol/index.ts';
import { type Fetch, NetworkError, SeededRandom, silentLog } from '../../../src/runtime/index.ts';
import { describeWithPostgres } from '../../support/postgres.ts';
import { fileStores, type NewStore, type Open, postgresStores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { Harness, ISSUER, open, SERVICE } from '../harness.ts';
import { json, metadata, Receiver } from './support.ts';

let openStore: Open;
let receiver: Receiver;
let harness: Harness;

describe('in a file', () => itEndures(fileStores()));
describeWithPostgres('in PostgreSQL', (server) => itEndures(postgresStores(server)));

/** Another provider on the same store, in the same moment. */
async function replica(seed: number, fetch: Fetch = receiver.fetch): Promise<MockProvider> {
  const { clock, log } = harness;
  const random = new SeededRandom(seed);
  const db = await openStore();
  return createMockProvider({ baseUrl: ISSUER, clock, random, fetch, log, db });
}

function itEndures(newStore: NewStore): void {
  beforeEach(async () => {
    openStore = await newStore();
    receiver = new Receiver();
    harness = await Harness.start({ fetch: receiver.fetch, db: await openStore() });
  });

  describe('two providers on one store', () => {
    it('send an event once, whoever comes first', async () => {
      receiver.onMetadata = () => new Response(null, { status: 503 });
      for (const name of ['ann', 'ben', 'cem', 'dov', 'eve', 'fay', 'gil', 'hal', 'ivo', 'joy']) {
        const idToken = await harness.consented(`${name}@example.com`);
        await harness.revoke(idToken);
      }
      receiver.onMetadata = () => json(metadata());
      harness.clock.advance(MINUTE);
      const providers = [harness.provider, await replica(2), await replica(3)];
      await Promise.all(providers.map(({ outbox }) => outbox.deliverDue()));
      const states = (await harness.provider.outbox.list()).map(({ state }) => state);
      expect(states).toEqual(Array.from({ length: 10 }, () => 'delivered'));
      const sent = receiver.events.map((event) => open(event).claims.jti);
      expect(new Set(sent).size).toBe(10);
      expect(sent).toHaveLength(10);
    });

    it('leave alone what the other one is sending', async () => {
      const arrive = holdEvents(receiver);
      const idToken = await harness.consented();
      const revoking = harness.revoke(idToken);
      await until(() => receiver.events.length === 1);

      const other = await replica(2);
      const [entry] = await other.outbox.list();
      expect(entry).toMatchObject({ state: 'pending', attempts: 0 });
      expect(await other.outbox.deliverDue()).toEqual([]);
      await other.outbox.sendAgain(entry?.id ?? '');
      expect(receiver.events).toHaveLength(1);

      arrive(new Response(null, { status: 202 }));
      expect((await revoking).body['event']).toBe('delivered');
      expect(await other.outbox.list()).toMatchObject([{ state: 'delivered' }]);
    });
  });

  describe('a provider that is killed', () => {
    it('while it sends: another one sends again once the lease is over, under the same jti', async () => {
      // It never hears the answer, nor does it ever end: killed, as far as the store can tell.
      receiver.onEvent = () => new Promise(() => {});
      const idToken = await harness.consented();
      harness.revoke(idToken);
      await until(() => receiver.events.length === 1);

      receiver.onEvent = () => new Response(null, { status: 202 });
      const next = await replica(2);
      harness.clock.advance(MINUTE - 1);
      expect(await next.outbox.deliverDue()).toEqual([]);
      harness.clock.advance(1);
      expect(await next.outbox.deliverDue()).toMatchObject([{ state: 'delivered' }]);
      const [first, second] = receiver.events.map((event) => open(event).claims);
      expect(second?.jti).toBe(first?.jti);
      expect(second?.['toe']).toBe(first?.['toe']);
    });

    it('is not listened to when it comes back late with what became of it', async () => {
      const arrive = holdEvents(receiver);
      const idToken = await harness.consented();
      const revoking = harness.revoke(idToken);
      await until(() => receiver.events.length === 1);
      harness.clock.advance(MINUTE);
      receiver.onEvent = () => new Response(null, { status: 202 });
      await (await replica(2)).outbox.deliverDue();
      arrive(new Response(null, { status: 400 }));
      expect((await revoking).body['event']).toBe('delivered');
    });

    it('with its service away: the event outlives it, and has one effect', async () => {
      const { effects, exchange, notify, reach, register } = await startService();
      const idToken = await harness.consented();
      const first = await register((await harness.mint(idToken)).body['access_token']);
      expect(await exchange(first)).toBe(200);

      harness.clock.advance(5 * SECOND);
      expect((await harness.revoke(idToken)).body['event']).toBe('pending');
      expect(await exchange(first)).toBe(200);

      // The first one is gone without a word: a second one starts over its file.
      const next = await replica(2, reach);
      harness.clock.advance(MINUTE);
      expect(await next.outbox.deliverDue()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
      expect(await exchange(first)).toBe(400);

      // Meanwhile the user has agreed again: the same event once more changes nothing.
      await harness.mintWithConsent(idToken);
      const second = await register((await harness.mint(idToken)).body['access_token']);
      expect(await exchange(second)).toBe(200);
      const before = await effects();
      expect((await notify()).status).toBe(202);
      expect(await exchange(second)).toBe(200);
      expect(await effects()).toEqual(before);
      expect(before.filter((action) => action === 'event.received')).toHaveLength(1);
    });

    it('and consent given again before the event arrives: only what is older ends (SET-10)', async () => {
      const { exchange, reach, register } = await startService();
      const idToken = await harness.consented();
      const first = await register((await harness.mint(idToken)).body['access_token']);
      harness.clock.advance(5 * SECOND);
      expect((await harness.revoke(idToken)).body['event']).toBe('pending');

      harness.clock.advance(5 * SECOND);
      const minted = await harness.mintWithConsent(idToken);
      const second = await register(minted.body['access_token']);
      expect(second['registration_id']).toBe(first['registration_id']);
      expect([await exchange(first), await exchange(second)]).toEqual([200, 200]);

      const next = await replica(2, reach);
      harness.clock.advance(MINUTE);
      expect(await next.outbox.deliverDue()).toMatchObject([{ state: 'delivered' }]);
      expect([await exchange(first), await exchange(second)]).toEqual([400, 200]);
    });
  });

  /** A service that is away for the first provider; `reach` gets there. */
  async function startService() {
    const service = await createMockService({
      baseUrl: SERVICE,
      clock: harness.clock,
      random: new SeededRandom(5),
      fetch: (url) => harness.provider.fetch(new Request(url)),
      log: silentLog,
      trust: [{ issuer: ISSUER }],
    });
    const post = (path: string, body: string, type: string) =>
      service.fetch(
        new Request(SERVICE + path, { method: 'POST', body, headers: { 'content-type': type } }),
      );
    const register = async (assertion: unknown) => {
      const body = { type: 'identity_assertion', assertion_type: ID_JAG_TOKEN_TYPE, assertion };
      const answer = await post('/agent/identity', JSON.stringify(body), 'application/json');
      return (await answer.json()) as Record<string, string>;
    };
    const exchange = async ({ identity_assertion: assertion = '' }: Record<string, string>) => {
      const form = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      });
      const type = 'application/x-www-form-urlencoded';
      return (await post('/oauth2/token', form.toString(), type)).status;
    };
    const toService: Fetch = async (url, init = {}) => {
      const { body, ...rest } = init;
      return service.fetch(new Request(url, { ...rest, ...(body !== undefined && { body }) }));
    };
    receiver.onMetadata = () => {
      throw new NetworkError('refused', 'Nothing listens there.');
    };
    const received: string[] = [];
    const reach: Fetch = (url, init = {}) => {
      if (url.endsWith('/event/notify')) received.push(String(init.body));
      return toService(url, init);
    };
    /** The last event once more, as it came. */
    const notify = () =>
      post('/agent/event/notify', received.at(-1) ?? '', 'application/secevent+jwt');
    /** What the service did because of events. */
    const effects = async () => {
      const actions = (await service.controls.audit()).map(({ action }) => action);
      return actions.filter((action) => /^(event|credentials|registration\.revoked)/.test(action));
    };
    return { effects, exchange, notify, reach, register };
  }
}

/** Lets the receiver answer when it is told to. */
function holdEvents(receiver: Pick<Receiver, 'onEvent'>): (answer: Response) => void {
  let arrive: (answer: Response) => void = () => {};
  receiver.onEvent = () =>
    new Promise((resolve) => {
      arrive = resolve;
    });
  return (answer) => arrive(answer);
}

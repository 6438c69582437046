import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/runtime/index.ts';
import {
  ANSWER,
  Bench,
  ENDPOINT,
  failure,
  lost,
  refusal,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { html, json, members, type Reply } from './support/fake-web.ts';

const gone = () => new Response(null, { status: 200 });

async function registered(revocation: Reply = gone): Promise<Bench> {
  const bench = new Bench();
  await bench.anonymous();
  bench.web.on(ENDPOINT.revoke, revocation);
  return bench;
}

describe('revoking', () => {
  it('sends the token by itself and removes it, not the registration', async () => {
    const bench = await registered();
    expect(await bench.agent.revoke()).toMatchObject({ status: 'revoked', source: 'store' });
    const [request] = bench.web.sent(ENDPOINT.revoke);
    expect(members(request)).toEqual({ token: 'at_1', token_type_hint: 'access_token' });
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(await bench.stored()).toMatchObject({ id: 'reg_1', token: null });
    expect((await bench.agent.revoke()).status).toBe('no_token');
  });

  it('leaves a token that another process got meanwhile', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_2' })));
    const { update } = bench.store;
    let renewed = false;
    const renewFirst: typeof update = async (change) => {
      if (!renewed) {
        renewed = true;
        await bench.another().token({ renew: true });
      }
      return update(change);
    };
    Object.assign(bench.store, { update: renewFirst });
    expect((await bench.agent.revoke()).status).toBe('revoked');
    expect(members(bench.web.sent(ENDPOINT.revoke)[0])['token']).toBe('at_1');
    expect((await bench.stored()).token?.value.reveal()).toBe('at_2');
  });

  it('takes a 200 for done, whatever its body', async () => {
    const bench = await registered(() => html());
    expect((await bench.agent.revoke()).status).toBe('revoked');
  });

  it.each<[string, () => Response | Error, string, string]>([
    ['a 503', () => refusal('temporarily_unavailable', 503), 'temporarily_unavailable', 'network'],
    ['a page of a 502', () => html(502), 'server_error', 'network'],
    ['no answer', lost, 'unreachable', 'network'],
    ['a refusal', () => refusal('unsupported_token_type'), 'unsupported_token_type', 'refused'],
    ['a redirect', () => Response.redirect(SERVICE, 307), 'redirected', 'failed'],
    ['a 202', () => new Response('', { status: 202 }), 'bad_answer', 'failed'],
  ])('keeps the token after %s: it may still be active', async (_what, reply, code, kind) => {
    const bench = await registered(reply);
    expect(await failure(bench.agent.revoke())).toMatchObject({ code, kind });
    expect((await bench.stored()).token?.value.reveal()).toBe('at_1');
  });

  it.each(['60', 'Thu, 01 Jan 2026 00:01:00 GMT'])('hands on Retry-After: %s', async (value) => {
    const headers = { 'retry-after': value };
    const bench = await registered(() => json({ error: 'temporarily_unavailable' }, 503, headers));
    expect((await failure(bench.agent.revoke())).problem?.retryAfter).toBe(60_000);
  });

  it('says when the service has no such endpoint', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata({ revocation_endpoint: undefined })));
    expect(await failure(bench.another().revoke())).toMatchObject({ code: 'not_offered' });
  });

  it('takes the token of the environment when there is one', async () => {
    const bench = await registered();
    const agent = bench.another({
      environmentToken: new Secret('at_env'),
      environmentService: SERVICE,
    });
    expect(await agent.revoke()).toMatchObject({ status: 'revoked', source: 'environment' });
    expect(members(bench.web.sent(ENDPOINT.revoke)[0])['token']).toBe('at_env');
    expect((await bench.stored()).token).not.toBeNull();
  });
});

describe('forgetting', () => {
  it('revokes first and removes then', async () => {
    const bench = await registered();
    expect(await bench.agent.forget()).toMatchObject({
      registration: { id: 'reg_1' },
      revocation: 'revoked',
      tokenRemaining: null,
    });
    expect(await bench.store.read()).toEqual({
      lastService: null,
      services: [],
      providers: [],
      signIns: [],
    });
  });

  it.each<[string, () => Response | Error, string]>([
    ['cannot be reached', lost, 'unreachable'],
    ['is busy', () => html(503), 'refused'],
    ['refuses', () => refusal('invalid_request'), 'refused'],
  ])(
    'removes when the server %s, and says how long the token stays valid',
    async (_what, reply, revocation) => {
      const bench = await registered(reply);
      bench.clock.advance(600_000);
      expect(await bench.agent.forget()).toMatchObject({
        revocation,
        tokenRemaining: 3_000_000,
      });
      expect((await bench.store.read()).services).toEqual([]);
    },
  );

  it('removes when not even the metadata can be had', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.serverMetadata, lost());
    expect((await bench.another().forget()).revocation).toBe('unreachable');
  });

  it('removes the one registration that is named, and goes back to the one before', async () => {
    const bench = await registered();
    await bench.anonymous({ registration_id: 'reg_9' });
    await bench.agent.forget({ registrationId: 'reg_9' });
    const [service] = (await bench.store.read()).services;
    expect(service).toMatchObject({ current: 'reg_1', registrations: [{ id: 'reg_1' }] });
  });

  it('revokes nothing where the removal could not be stored', async () => {
    const bench = await registered();
    const probeWritable = async () => {
      throw new Error('the disk is full');
    };
    Object.assign(bench.store, { probeWritable });
    await expect(bench.agent.forget()).rejects.toThrow('the disk is full');
    expect(bench.web.sent(ENDPOINT.revoke)).toEqual([]);
  });

  it('removes nothing when it is interrupted', async () => {
    const bench = await registered();
    const signal = AbortSignal.abort();
    expect((await failure(bench.another().forget({ signal }))).code).toBe('aborted');
    expect((await bench.store.read()).services).toHaveLength(1);
  });
});

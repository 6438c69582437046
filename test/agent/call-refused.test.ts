import { describe, expect, it } from 'vitest';
import { ANSWER, Bench, ENDPOINT, failure, pending, refusal, SERVICE } from './support/bench.ts';
import { json } from './support/fake-web.ts';

async function registered(): Promise<Bench> {
  const bench = new Bench();
  await bench.anonymous();
  return bench;
}

/** A 401 whose body tells when nobody wants it any more. */
function refusing(onLetGo: () => void): Response {
  const body = new ReadableStream({ cancel: onLetGo });
  return new Response(body, { status: 401 });
}

describe('a call that is refused', () => {
  it('lets go of the body that nobody will read, and keeps the last one', async () => {
    const bench = await registered();
    const letGo: number[] = [];
    let refusals = 0;
    bench.web.on(ENDPOINT.resource, () => {
      refusals += 1;
      const number = refusals;
      return refusing(() => letGo.push(number));
    });
    bench.web.on(ENDPOINT.token, json(ANSWER.token()), pending());
    expect((await failure(bench.agent.call('/api/resource'))).answer?.status).toBe(401);
    expect({ refusals, letGo }).toEqual({ refusals: 2, letGo: [1] });
  });

  it('has the metadata of its challenge read once, however often it is refused', async () => {
    const bench = await registered();
    const named = `${SERVICE}/meta/later`;
    const headers = { 'www-authenticate': `Bearer resource_metadata="${named}"` };
    bench.web.on(ENDPOINT.resource, () => new Response(null, { status: 401, headers }));
    bench.web.on(
      `GET ${named}`,
      json({ resource: SERVICE, authorization_servers: [SERVICE] }),
      json({ resource: SERVICE, authorization_servers: ['https://other.example'] }),
    );
    bench.web.on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_2' })), pending());
    expect((await failure(bench.agent.call('/api/resource'))).code).toBe('token_refused');
    expect(bench.web.sent(ENDPOINT.resource)).toHaveLength(2);
    expect(bench.web.sent(`GET ${named}`)).toHaveLength(1);
  });

  it('leaves an open claim as it is: the user may still complete it', async () => {
    const bench = await registered();
    bench.web.on(ENDPOINT.resource, () => new Response(null, { status: 401 }));
    bench.web.on(ENDPOINT.token, refusal('invalid_grant'), pending());
    expect((await failure(bench.agent.call('/api/resource'))).code).toBe('registration_over');
    expect(await bench.stored()).toMatchObject({ ended: null, claim: { attempt: null } });
  });
});

describe('a URL to call', () => {
  it.each(['https://user@service.example/', 'https://:secret@service.example/'])(
    'is not sent with what it says before its host: %s',
    async (target) => {
      const bench = await registered();
      const before = bench.web.requests.length;
      expect((await failure(bench.agent.call(target))).code).toBe('bad_address');
      expect(bench.web.requests).toHaveLength(before);
    },
  );
});

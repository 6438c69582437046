import { describe, expect, it } from 'vitest';
import { registered, SERVICE } from '../support/mocks.ts';
import type { Handler } from '../support/run-cli.ts';

/** The service as it is, but for the answer at one path. */
async function withAnswerAt(path: string, answer: () => Response) {
  const { machine, run } = await registered();
  const real = machine.servers.get(SERVICE) as Handler;
  machine.servers.set(SERVICE, (request) =>
    new URL(request.url).pathname === path ? answer() : real(request),
  );
  return run;
}

const refused = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

const BEARER = 'We want our issuer as aud.';

describe('the own words of a service that refuses', () => {
  it.each(['invalid_request', 'invalid_audience'])(
    'stand beside ours, and in JSON: %s dropped them',
    async (error) => {
      const run = await withAnswerAt('/agent/identity', () =>
        refused(400, { error, error_description: BEARER }),
      );
      expect((await run('register --new')).stderr).toContain(`It says: "${BEARER}".`);
      expect((await run('register --new --json')).json()[0]).toMatchObject({
        error: { code: error },
        answer: { status: 400, error, description: BEARER },
      });
    },
  );

  it('are null in JSON where there are none', async () => {
    const run = await withAnswerAt('/oauth2/token', () => refused(400, { error: 'invalid_scope' }));
    expect((await run('token --renew --json')).json()[0]).toMatchObject({
      answer: { error: 'invalid_scope', description: null },
    });
  });

  it('are not said twice where they are ours', async () => {
    const run = await withAnswerAt('/agent/identity', () =>
      refused(400, { error: 'invalid_request', message: 'The request is malformed.' }),
    );
    const { stderr } = await run('register --new');
    expect(stderr.match(/The request is malformed/g)).toHaveLength(1);
  });
});

describe('answer.error in JSON', () => {
  it('was our word for it: it is that of the service, or null', async () => {
    const slow = await withAnswerAt('/agent/identity', () => refused(429, { error: 'slow' }));
    expect((await slow('register --new --json')).json()[0]).toMatchObject({
      error: { code: 'rate_limited' },
      answer: { status: 429, error: 'slow' },
    });
    const mute = await withAnswerAt('/agent/identity', () => new Response(null, { status: 429 }));
    expect((await mute('register --new --json')).json()[0]).toMatchObject({
      error: { code: 'rate_limited' },
      answer: { status: 429, error: null },
    });
  });

  it('of a call is what its challenge names', async () => {
    const header = { 'www-authenticate': 'Bearer error="invalid_token"' };
    const run = await withAnswerAt('/api/resource', () => refused(401, {}, header));
    expect((await run('call /api/resource --json')).json()[0]).toMatchObject({
      answer: { status: 401, error: 'invalid_token' },
    });
  });
});

describe('a service that answers 429', () => {
  const busy = () =>
    new Response('<h1>Slow</h1>', { status: 429, headers: { 'retry-after': '42' } });
  it.each([
    ['/agent/identity', 'register --new'],
    ['/agent/identity/claim', 'claim --email a@b.example --no-wait'],
    ['/oauth2/token', 'token --renew'],
    ['/oauth2/revoke', 'revoke'],
  ])('at %s has the seconds told, and is no unknown problem', async (path, line) => {
    const run = await withAnswerAt(path, busy);
    const shown = await run(line);
    expect(shown).toMatchObject({ code: 5 });
    expect(shown.stderr).toMatch(/too many requests\. The server asks to wait 42 seconds\./);
    expect((await run(`${line} --json`)).json()[0]).toMatchObject({
      error: { code: 'rate_limited' },
      answer: { status: 429, retry_after: 42 },
    });
  });

  it('to a call has the seconds told, and its body shown', async () => {
    const run = await withAnswerAt('/api/resource', busy);
    const shown = await run('call /api/resource');
    expect(shown).toMatchObject({ code: 5, stdout: '<h1>Slow</h1>' });
    expect(shown.stderr).toContain('answered 429. It asks to wait 42 seconds.');
    expect((await run('call /api/resource --json')).json()[0]).toMatchObject({ retry_after: 42 });
  });

  it('without saying for how long has null for the seconds', async () => {
    const run = await withAnswerAt('/oauth2/token', () => new Response(null, { status: 429 }));
    expect((await run('token --renew --json')).json()[0]).toMatchObject({
      error: { code: 'rate_limited' },
      answer: { retry_after: null },
    });
  });
});

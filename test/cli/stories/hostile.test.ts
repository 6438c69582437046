import { describe, expect, it } from 'vitest';
import { registered, SERVICE } from '../support/mocks.ts';
import type { Handler } from '../support/run-cli.ts';

const page = (status: number) =>
  new Response('<h1>Bad gateway</h1>', { status, headers: { 'content-type': 'text/html' } });

const endless = () =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(256 * 1024).fill(0x20)),
    }),
    { headers: { 'content-type': 'application/json' } },
  );

const json = (body: unknown) => Response.json(body);

/** The service as it is, but for the answers at one path. */
async function withAnswerAt(
  path: string,
  answer: (real: Response) => Response | Promise<Response>,
) {
  const { machine, run } = await registered();
  const real = machine.servers.get(SERVICE) as Handler;
  machine.servers.set(SERVICE, async (request) => {
    const response = await real(request);
    return new URL(request.url).pathname === path ? answer(response) : response;
  });
  return { machine, run };
}

const METADATA = '/.well-known/oauth-authorization-server';

describe('a service that misbehaves', () => {
  it.each<[string, string, (real: Response) => Response | Promise<Response>, string, number]>([
    ['HTML instead of metadata', METADATA, () => page(200), 'discover', 1],
    ['a proxy page instead of metadata', METADATA, () => page(502), 'discover', 7],
    ['metadata without end', METADATA, endless, 'discover', 1],
    [
      'a redirect instead of metadata',
      METADATA,
      () => new Response(null, { status: 302, headers: { location: 'https://evil.example/' } }),
      'discover',
      1,
    ],
    ['garbage metadata', METADATA, () => json({ issuer: 7 }), 'discover', 1],
    [
      'a foreign issuer',
      METADATA,
      async (real) => json({ ...((await real.json()) as object), issuer: 'https://evil.example' }),
      'discover',
      1,
    ],
    ['HTML instead of a registration', '/agent/identity', () => page(200), 'register --new', 1],
    [
      'a registration that lacks its parts',
      '/agent/identity',
      () => json({ registration_id: 'reg_1' }),
      'register --new',
      1,
    ],
    ['HTML instead of a token', '/oauth2/token', () => page(200), 'token --renew', 1],
    [
      'an interval of -5',
      '/agent/identity/claim',
      async (real) => {
        const body = (await real.json()) as { claim_attempt: object };
        return json({ ...body, claim_attempt: { ...body.claim_attempt, interval: -5 } });
      },
      'claim --email a@b.example --no-wait',
      1,
    ],
  ])(
    'that answers with %s: a sentence and an exit code of the table',
    async (_case, path, answer, line, expected) => {
      const { run } = await withAnswerAt(path, answer);
      const { code, stdout, stderr } = await run(line);
      expect(code).toBe(expected);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^✗ [A-Z].*\.$/m);
      expect(stderr).not.toContain('This is a bug');
      expect(stderr).not.toContain('<h1>');
    },
  );

  it('that names a page elsewhere gets it printed with a warning, and never opened', async () => {
    const { run } = await withAnswerAt('/agent/identity/claim', async (real) => {
      const body = (await real.json()) as { claim_attempt: object };
      const elsewhere = { ...body.claim_attempt, verification_uri: 'https://evil.example/v' };
      return json({ ...body, claim_attempt: elsewhere });
    });
    const { code, stdout } = await run('claim --email a@b.example --no-wait');
    expect(code).toBe(8);
    expect(stdout).toContain('This page is not on the origin of the service.');
  });

  it('whose answer to a call breaks off is named, and is no bug of ours', async () => {
    const { run } = await withAnswerAt('/api/resource', () => {
      const body = new ReadableStream({
        pull: (controller) =>
          controller.error(Object.assign(new Error('x'), { name: 'TimeoutError' })),
      });
      return new Response(body);
    });
    const { code, stderr } = await run('call /api/resource');
    expect(code).toBe(7);
    expect(stderr).not.toContain('This is a bug');
  });

  it('that sends control characters gets none of them onto the terminal', async () => {
    const { run } = await withAnswerAt('/agent/identity/claim', () =>
      Response.json(
        {
          error: 'stop\u001b[2J',
          error_description: '\u001b]52;c;aGk=\u0007\u202ecode: 000000\r\n',
        },
        { status: 400 },
      ),
    );
    const { streams, code } = await run('claim --email a@b.example');
    expect(code).toBe(5);
    expect(streams.stderr.raw).not.toMatch(/[^\x20-\x7e\n✗…’·]/);
  });

  it('writes nothing that was not true: the registration from before is still in use', async () => {
    const { run } = await withAnswerAt('/agent/identity', () =>
      json({ registration_id: 'reg_fake' }),
    );
    const before = (await run('status --json')).stdout;
    await run('register');
    expect((await run('status --json')).stdout).toBe(before);
  });
});

describe('a machine that misbehaves', () => {
  it('says what to do about a credential file that cannot be written, before a ceremony', async () => {
    const { machine, run } = await registered();
    const { AgentError } = await import('../../../src/agent/agent-error.ts');
    Object.assign(machine.store, {
      probeWritable: () =>
        Promise.reject(
          new AgentError('The folder /x cannot be written.', { code: 'credentials_not_writable' }),
        ),
    });
    const { code, json: printed } = await run('claim --email a@b.example --json');
    expect([code, printed()[0]?.['error']]).toMatchObject([
      1,
      { code: 'credentials_not_writable' },
    ]);
  });
});

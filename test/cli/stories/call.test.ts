import { describe, expect, it } from 'vitest';
import { step } from '../../support/step.ts';
import { machineWithService, registered, SERVICE, shell } from '../support/mocks.ts';
import { runCli } from '../support/run-cli.ts';

describe('call, not registered yet', () => {
  const entry = '/v2/buildings/list.json';

  /** A machine that notes what a service of it was asked for, and nothing else. */
  async function fresh() {
    const machine = await machineWithService();
    const serve = machine.servers.get(SERVICE);
    const requests: string[] = [];
    machine.servers.set(SERVICE, async (request) => {
      requests.push(new URL(request.url).pathname);
      return serve?.(request) ?? new Response(null, { status: 503 });
    });
    return { run: shell(machine), requests };
  }

  it('walks from the 401 of a directory entry to its answer, when told so with --yes', async () => {
    const { run, requests } = await fresh();
    const { code, stdout, stderr } = await run(`call ${SERVICE}${entry} --yes`);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { meta: { status: 204 }, data: [] }]);
    expect(stderr).toContain('anonymously');
    expect(requests).toEqual([
      entry,
      `/.well-known/oauth-protected-resource${entry}`,
      '/.well-known/oauth-authorization-server',
      '/agent/identity',
      '/oauth2/token',
      entry,
    ]);
  });

  it('asks first at a terminal, also for a path of a named service', async () => {
    const { run, requests } = await fresh();
    const agreed = await run(`call ${entry} --service ${SERVICE}`, { tty: true, answers: [true] });
    expect([agreed.code, agreed.asked]).toEqual([0, [expect.stringContaining('anonymously')]]);
    expect(requests.filter((path) => path === '/agent/identity')).toHaveLength(1);
  });

  it('makes no identity that nobody agreed to', async () => {
    const { run, requests } = await fresh();
    expect((await run(`call ${SERVICE}${entry}`)).code).toBe(4);
    const refused = await run(`call ${SERVICE}${entry}`, { tty: true, answers: [false] });
    expect(refused.code).toBe(4);
    expect(requests).toEqual([]);
  });
});

describe('call --yes registers on a 401 alone', () => {
  /** A service that answers one path by itself. */
  async function answering(status: number, headers: Record<string, string> = {}) {
    const machine = await machineWithService();
    const serve = machine.servers.get(SERVICE);
    const requests: string[] = [];
    machine.servers.set(SERVICE, async (request) => {
      const { pathname } = new URL(request.url);
      const token = request.headers.has('authorization') ? ' token' : '';
      requests.push(`${request.method} ${pathname}${token}`);
      if (pathname === '/open') return new Response('{"open":true}', { status, headers });
      return serve?.(request) ?? new Response(null, { status: 503 });
    });
    return { machine, run: shell(machine), requests };
  }

  it.each([
    [200, 0],
    [403, 5],
    [404, 1],
    [500, 1],
  ])('and not on a %i, which is the answer', async (status, exit) => {
    const { machine, run, requests } = await answering(status);
    const { code, stdout } = await run(`call ${SERVICE}/open --yes`);
    expect([code, stdout]).toEqual([exit, '{"open":true}']);
    expect(requests).toEqual(['GET /open']);
    expect((await machine.store.read()).services).toEqual([]);
  });

  it('and sends nothing that changes something without a token', async () => {
    const { machine, run, requests } = await answering(405);
    const { code, stderr } = await run(`call ${SERVICE}/open -d x=1 --yes`);
    expect([code, stderr]).toEqual([4, expect.stringContaining(`register ${SERVICE}/open`)]);
    expect(requests).toEqual(['GET /open']);
    expect((await machine.store.read()).services).toEqual([]);
  });

  it('also of what is sent by POST', async () => {
    const { run, requests } = await answering(200);
    // Registered; the answer is that an anonymous token may not write.
    expect((await run(`call ${SERVICE}/api/resource -d x=1 --yes`)).code).toBe(5);
    expect(requests.filter((line) => line.startsWith('POST /api'))).toEqual([
      'POST /api/resource token',
    ]);
  });

  it('and at the root of a service, by what its challenge names', async () => {
    const machine = await machineWithService();
    const serve = machine.servers.get(SERVICE);
    const api = 'http://127.0.0.1:4810';
    const field = `Bearer resource_metadata="${api}/prm"`;
    machine.servers.set(api, (request) =>
      request.url.endsWith('/prm')
        ? Response.json({ resource: api, authorization_servers: [SERVICE] })
        : new Response(null, { status: 401, headers: { 'www-authenticate': field } }),
    );
    machine.servers.set(SERVICE, (request) => serve?.(request) ?? new Response());
    const { stderr } = await shell(machine)(`call ${api} --yes`);
    // Found by the challenge; what the server's metadata says then is another matter.
    expect(stderr).toContain(`serves ${SERVICE}, not ${api}`);
  });

  it('and not where a registration failed', async () => {
    const { machine, run } = await registered();
    const identities: string[] = [];
    const serve = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, async (request) => {
      if (request.url.endsWith('/agent/identity')) identities.push(request.url);
      if (request.url.endsWith('/api/resource')) return new Response(null, { status: 401 });
      if (request.url.endsWith('/oauth2/token')) {
        return Response.json({ error: 'invalid_grant' }, { status: 400 });
      }
      return serve?.(request) ?? new Response();
    });
    expect((await run(`call ${SERVICE}/api/resource --yes`)).code).toBe(4);
    await run(`call ${SERVICE}/api/resource --yes`);
    expect(identities).toEqual([]);
  });
});

describe('call', () => {
  it('prints the body as it is', async () => {
    const { run } = await registered();
    const { code, stdout, stderr } = await run('call /api/resource');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ scope: 'api.read' });
    expect(stdout.endsWith('}')).toBe(true);
  });

  it('ends the line on a terminal', async () => {
    const { run } = await registered();
    expect((await run('call /api/resource', { tty: true })).stdout.endsWith('}\n')).toBe(true);
  });

  it('takes a URL of the service as well as a path', async () => {
    const { run } = await registered();
    expect((await run(`call ${SERVICE}/api/resource`)).code).toBe(0);
  });

  it('prints status and headers with -i', async () => {
    const { run } = await registered();
    const { stdout } = await run('call /api/resource -i');
    expect(stdout).toMatch(/^HTTP 200\n[\s\S]*content-type: application\/json\n[\s\S]*\n\n\{/);
  });

  it('has a JSON form with status, headers and body', async () => {
    const { run } = await registered();
    expect((await run('call /api/resource --json')).json()).toEqual([
      {
        schema: 'agent-auth.call/1',
        url: `${SERVICE}/api/resource`,
        warnings: [],
        status: 200,
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        body: expect.objectContaining({ scope: 'api.read' }),
      },
    ]);
  });

  it.each([
    ['application/json; charset=utf-8', '[1,{"a":null}]', [1, { a: null }]],
    ['application/problem+json', '{"title":"no"}', { title: 'no' }],
    ['application/json', '{"broken":', '{"broken":'],
    ['text/plain', '{"a":1}', '{"a":1}'],
  ])('parses a body for --json that says it is JSON: %s %s', async (type, body, expected) => {
    const machine = await machineWithService();
    const serve = machine.servers.get(SERVICE);
    machine.servers.set(SERVICE, (request) =>
      request.url.endsWith('/any')
        ? new Response(body, { headers: { 'content-type': type } })
        : (serve?.(request) ?? new Response()),
    );
    const { json } = await runCli(machine, ['call', '/any', '--json'], {
      env: { AGENT_AUTH_TOKEN: 'at_environment', AGENT_AUTH_SERVICE: SERVICE },
    });
    expect(json()[0]).toMatchObject({ body: expected });
  });

  it('exits 5 when the scope is missing, and names the claim', async () => {
    const { run } = await registered();
    const { code, json } = await run('call /api/resource -X POST --json');
    expect(code).toBe(5);
    expect(json()[0]).toMatchObject({
      error: { code: 'insufficient_scope', next: step('agent-auth claim --email EMAIL') },
    });
  });

  it('exits 1 for any other refusal, with the body on stdout', async () => {
    const { run } = await registered();
    const { code, stdout, stderr } = await run('call /nothing/here?key=of-mine');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toHaveProperty('error');
    expect(stderr).toContain('http://127.0.0.1:4800/nothing/here answered 404.');
  });

  describe('prints the body of a refusal, then what it means:', () => {
    const refusing = async (status: number, challenge: string) => {
      const { machine } = await registered();
      const service = machine.servers.get(SERVICE);
      machine.servers.set(SERVICE, (request) =>
        request.url.endsWith('/api/refused')
          ? new Response('{"why":"because"}', {
              status,
              headers: { 'www-authenticate': challenge },
            })
          : (service?.(request) ?? new Response()),
      );
      return machine;
    };
    const scope = 'Bearer error="insufficient_scope", scope="api.admin"';

    it.each([
      [403, scope, 5, 'api.admin'],
      [401, 'Bearer error="invalid_token"', 4, 'Next: '],
    ])('a %i', async (status, challenge, exit, text) => {
      const machine = await refusing(status, challenge);
      const { code, stdout, stderr } = await runCli(machine, ['call', '/api/refused']);
      expect([code, stdout]).toEqual([exit, '{"why":"because"}']);
      expect(stderr).toContain(text);
    });

    it('with status and headers under --include', async () => {
      const machine = await refusing(403, scope);
      const { stdout } = await runCli(machine, ['call', '/api/refused', '-i']);
      expect(stdout).toMatch(/^HTTP 403\n.*\n\n\{"why":"because"\}$/s);
    });

    it('as a member of the error under --json', async () => {
      const machine = await refusing(403, scope);
      const { json } = await runCli(machine, ['call', '/api/refused', '--json']);
      expect(json()).toMatchObject([
        {
          schema: 'agent-auth.error/1',
          error: { code: 'insufficient_scope', next: step('agent-auth claim --email EMAIL') },
          answer: { status: 403, error: 'insufficient_scope', body: '{"why":"because"}' },
        },
      ]);
    });
  });

  it('heals a dead token by itself', async () => {
    const { run } = await registered();
    await run('revoke');
    expect((await run('call /api/resource')).code).toBe(0);
  });

  it('sends the token nowhere else: exit 5', async () => {
    const { machine, run } = await registered();
    machine.servers.set('http://127.0.0.1:9', () => {
      throw new Error('must not be reached');
    });
    expect((await run('call http://127.0.0.1:9/x')).code).not.toBe(0);
  });

  describe('what is sent', () => {
    const echo = async (line: readonly string[], stdin = '') => {
      const { machine } = await registered();
      let seen:
        | { method: string; type: string | null; body: string; note: string | null }
        | undefined;
      const service = machine.servers.get(SERVICE);
      machine.servers.set(SERVICE, async (request) => {
        if (!request.url.endsWith('/echo')) return service?.(request) ?? new Response();
        seen = {
          method: request.method,
          type: request.headers.get('content-type'),
          note: request.headers.get('x-note'),
          body: await request.text(),
        };
        return new Response('ok');
      });
      const { code } = await runCli(machine, ['call', '/echo', ...line], { stdin });
      return { code, ...seen };
    };

    it.each([
      ['GET without data', [], { method: 'GET', body: '' }],
      [
        'POST with data',
        ['-d', 'a=1'],
        { method: 'POST', body: 'a=1', type: 'application/x-www-form-urlencoded' },
      ],
      ['JSON by its look', ['-d', '{"a":1}'], { type: 'application/json' }],
      ['JSON that is no object (it was a form)', ['-d', '"a"'], { type: 'application/json' }],
      [
        'the type that was given',
        ['-d', '{"a":1}', '-H', 'Content-Type: text/plain'],
        { type: 'text/plain' },
      ],
      ['the method that was given', ['-X', 'put', '-d', 'x'], { method: 'PUT' }],
      ['stdin for -', ['-d', '-'], { body: 'from stdin' }],
      ['repeated headers joined', ['-H', 'X-Note: a', '-H', 'X-Note: b'], { note: 'a, b' }],
    ])('is %s', async (_case, line, expected) => {
      expect(await echo(line, 'from stdin')).toMatchObject({ code: 0, ...expected });
    });

    it('exits 2 for a header that is none, without repeating it', async () => {
      const { run } = await registered();
      const { code, stderr } = await run('call /x -H secret');
      expect(code).toBe(2);
      expect(stderr).not.toContain('secret');
    });

    it('exits 2 for an Authorization header: the agent sets it', async () => {
      const { machine } = await registered();
      const { code } = await runCli(machine, ['call', '/x', '-H', 'Authorization: Bearer x']);
      expect(code).toBe(2);
    });
  });
});

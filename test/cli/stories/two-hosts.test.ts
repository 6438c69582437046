import { describe, expect, it } from 'vitest';
import type { CommandLine } from '../../../src/cli/terminal/child.ts';
import { machineWithService, SERVICE, shell } from '../support/mocks.ts';
import type { Run } from '../support/run-cli.ts';
import { API, AUTH, machineWithTwoHosts } from '../support/two-hosts.ts';

const nextOf = (run: Run): string => {
  const { next } = run.json()[0] ?? {};
  const line = typeof next === 'string' ? next : (next as { line: string } | null)?.line;
  return String(line).replace(/^agent-auth /, '');
};

describe('an API whose authorization server is on another host', () => {
  it('is registered with at the URL that was typed, and the token goes there alone', async () => {
    const { machine, seen } = await machineWithTwoHosts();
    const run = shell(machine);
    const next = nextOf(await run(`discover ${API} --json`));
    expect(next).toBe(`register ${API}`);
    expect((await run(next)).code).toBe(0);
    expect((await run('call /api/resource')).code).toBe(0);
    expect((await run(`call ${API}/api/resource`)).code).toBe(0);
    expect(seen.filter((line) => line.endsWith(' token'))).toEqual([
      `GET ${API}/api/resource token`,
      `GET ${API}/api/resource token`,
    ]);
  });

  it('is what every command goes by afterwards that names no service', async () => {
    const { machine, seen } = await machineWithTwoHosts();
    const run = shell(machine);
    await run(`register ${API}`);
    const [status] = (await run('status --json')).json();
    expect(status).toMatchObject({
      last_service: API,
      services: [{ issuer: AUTH, resource: API, registrations: [{ resource: API }] }],
    });
    expect((await run('status')).stdout).toContain(`${API}, by ${AUTH}`);
    expect((await run('discover --json')).json()).toMatchObject([{ service: { resource: API } }]);
    expect((await run('register')).code).toBe(0);
    expect((await run('forget')).code).toBe(0);
    expect((await machine.store.read()).services.every(({ resource }) => resource === API)).toBe(
      true,
    );
    expect(seen.filter((line) => line.endsWith(' token'))).toEqual([]);
  });

  it('is where exec sends its command', async () => {
    const { machine } = await machineWithTwoHosts(`${API}/`);
    const run = shell(machine);
    await run(`register ${API}/`);
    const started: { line: CommandLine; env: Readonly<Record<string, string | undefined>> }[] = [];
    await run('exec -- true', {
      startChild: (line, env) => {
        started.push({ line, env });
        return { ended: Promise.resolve({ status: 'exited', code: 0 }), send: () => {} };
      },
    });
    const { AGENT_AUTH_SERVICE: service, AGENT_AUTH_TOKEN: token } = started[0]?.env ?? {};
    const answer = await machine.servers.get(API)?.(
      new Request(`${service}/api/resource`, { headers: { authorization: `Bearer ${token}` } }),
    );
    expect([service, answer?.status]).toEqual([API, 200]);
  });

  it('may lie under a path, which exec hands over without a final slash', async () => {
    const { machine, seen } = await machineWithTwoHosts(`${API}/v1/`);
    const run = shell(machine);
    expect((await run(`register ${API}/v1/ --strict`)).stderr).toBe('');
    const env: (string | undefined)[] = [];
    await run('exec -- true', {
      startChild: (_line, given) => {
        env.push(given['AGENT_AUTH_SERVICE']);
        return { ended: Promise.resolve({ status: 'exited', code: 0 }), send: () => {} };
      },
    });
    expect(env).toEqual([`${API}/v1`]);
    expect((await run('call api/resource')).code).toBe(0);
    expect(seen.at(-1)).toBe(`GET ${API}/v1/api/resource token`);
  });

  it('keeps its registration beside that of another API of the same server', async () => {
    const { machine } = await machineWithTwoHosts();
    const other = 'http://127.0.0.1:4820';
    const second = await machineWithTwoHosts(other);
    machine.servers.set(other, (request) => {
      const handler = second.machine.servers.get(other);
      if (handler === undefined) throw new Error('The other API is missing.');
      return handler(request);
    });
    const auth = machine.servers.get(AUTH);
    machine.servers.set(AUTH, async (request) => {
      const body = request.method === 'POST' ? await request.text() : undefined;
      const asked = body?.replace(encodeURIComponent(other), encodeURIComponent(API));
      const { method, headers, url } = request;
      const again = new Request(url, {
        method,
        headers,
        ...(asked !== undefined && { body: asked }),
      });
      return auth?.(again) ?? new Response(null, { status: 503 });
    });
    const run = shell(machine);
    await run(`register ${API}`);
    await run(`register ${other}`);
    expect((await run(`call ${API}/api/resource`)).code).toBe(0);
    const { services, lastService } = await machine.store.read();
    expect(services.map(({ resource }) => resource).sort()).toEqual([API, other]);
    expect(services.map(({ registrations }) => registrations.length)).toEqual([1, 1]);
    expect(lastService).toBe(API);
  });

  it('is what the server points to when the server was typed', async () => {
    const { machine } = await machineWithTwoHosts(API, { resource: API });
    const run = shell(machine);
    const typed = await run(`register ${AUTH}`);
    expect([typed.code, typed.stderr]).toEqual([1, expect.stringContaining(`discover ${API}`)]);
    expect((await run(`register ${API}`)).code).toBe(0);
  });

  it('has its clock beside that of the server, by which ends are judged', async () => {
    const { machine } = await machineWithTwoHosts();
    const run = shell(machine);
    await run(`register ${API}`);
    const api = machine.servers.get(API);
    machine.servers.set(API, async (request) => {
      const answer = await api?.(request);
      const headers = new Headers(answer?.headers);
      headers.set('date', new Date(machine.clock.now() + 7_200_000).toUTCString());
      return new Response(answer?.body, { status: answer?.status ?? 500, headers });
    });
    await run('call /api/resource');
    expect((await machine.store.read()).services[0]?.clockOffset).toBe(0);
    expect((await run('token --json')).json()).toMatchObject([{ expires_in: 3600 }]);
  });
});

describe('the next step of a service', () => {
  it.each([
    [['service_auth', 'identity_assertion'], `register ${SERVICE} --email EMAIL`],
    [['identity_assertion'], `register ${SERVICE} --provider URL`],
    [['anonymous', 'identity_assertion'], `register ${SERVICE}`],
  ] as const)('is a type that it offers: %j', async (identityTypes, line) => {
    const machine = await machineWithService({ identityTypes });
    const run = shell(machine);
    expect(nextOf(await run(`discover ${SERVICE} --json`))).toBe(line);
    const refused = await run(`register ${SERVICE} --type anonymous --json`);
    if (refused.code === 0) return;
    expect(refused.json()).toMatchObject([{ error: { code: 'type_not_supported' } }]);
    expect(JSON.stringify(refused.json())).toContain(line);
    const doctor = await run(`doctor ${SERVICE} --json`);
    const checks = doctor.json()[0]?.['checks'] as { id: string; next: unknown }[];
    expect(JSON.stringify(checks.find(({ id }) => id === 'registration')?.next)).toContain(line);
  });

  it('is never to register where discovery failed', async () => {
    const machine = await machineWithService();
    machine.servers.set('http://127.0.0.1:9', () => new Response('<h1>Shop</h1>'));
    const doctor = await shell(machine)('doctor http://127.0.0.1:9 --json');
    const checks = doctor.json()[0]?.['checks'] as { next: unknown }[];
    expect(doctor.code).toBe(1);
    expect(JSON.stringify(checks.map(({ next }) => next))).not.toContain('register');
  });
});

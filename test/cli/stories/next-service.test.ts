import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../src/runtime/ports.ts';
import { step } from '../../support/step.ts';
import { shell } from '../support/mocks.ts';
import { type Machine, newMachine, type Run } from '../support/run-cli.ts';
import { API, AUTH, machineWithTwoHosts } from '../support/two-hosts.ts';

const ASM = '/.well-known/oauth-authorization-server';
const PRM = '/.well-known/oauth-protected-resource';

const errorOf = (run: Run) => run.json().at(-1)?.['error'];

/** From now on that host answers otherwise at that path. */
function answerAt(machine: Machine, host: string, path: string, answer: () => Response): void {
  const usual = machine.servers.get(host);
  if (usual === undefined) throw new Error('The host is missing.');
  machine.servers.set(host, (request) =>
    new URL(request.url).pathname === path ? answer() : usual(request),
  );
}

const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
const answer = (status: number) => () =>
  new Response(null, { status, headers: { location: 'https://elsewhere.example/' } });
const hangs = () => {
  throw new NetworkError('timeout', 'No.');
};

describe('a step to doctor named no service, or that of the authorization server', () => {
  it.each([
    ['a page for server metadata', AUTH, ASM, page],
    ['403 for server metadata', AUTH, ASM, answer(403)],
    ['500 for server metadata', AUTH, ASM, answer(500)],
    ['a redirect for server metadata', AUTH, ASM, answer(302)],
    ['server metadata that hangs', AUTH, ASM, hangs],
    ['a wrong issuer', AUTH, ASM, () => Response.json({ issuer: 'https://a.example' })],
    ['500 for resource metadata', API, PRM, answer(500)],
    ['a 307 at identity', AUTH, '/agent/identity', answer(307)],
    ['an identity endpoint that hangs', AUTH, '/agent/identity', hangs],
  ])('after %s', async (_what, host, path, bad) => {
    const { machine } = await machineWithTwoHosts();
    answerAt(machine, host, path, bad);
    const run = await shell(machine)(`register ${API} --json`);
    expect(errorOf(run)).toMatchObject({ next: step(`agent-auth doctor ${API}`) });
  });

  it.each([
    ['a 307', answer(307)],
    ['500', answer(500)],
    ['invalid_client', () => Response.json({ error: 'invalid_client' }, { status: 401 })],
    ['nothing in time', hangs],
  ])('after %s at token', async (_what, bad) => {
    const { machine } = await machineWithTwoHosts();
    const run = shell(machine);
    await run(`register ${API}`);
    answerAt(machine, AUTH, '/oauth2/token', bad);
    expect(errorOf(await run('token --renew --json'))).toMatchObject({
      next: step(`agent-auth doctor ${API}`),
    });
  });

  it('also where the service is the one used last', async () => {
    const { machine } = await machineWithTwoHosts();
    const run = shell(machine);
    await run(`register ${API}`);
    machine.servers.delete(AUTH);
    expect(errorOf(await run('token --renew --json'))).toMatchObject({
      code: 'unreachable',
      next: step(`agent-auth doctor ${API}`),
    });
  });

  it('and keeps what looks like a token out of the line', async () => {
    const run = await shell(newMachine())('discover https://a.example/x/at_secret123 --json');
    expect(errorOf(run)).toMatchObject({ next: step('agent-auth doctor https://a.example') });
  });
});

it.each(['discover', 'connect'])(
  'a foreign origin led from %s to a discover without a URL, and nobody was asked to allow it',
  async (command) => {
    const foreign = 'https://login.example';
    const { machine } = await machineWithTwoHosts(API, {
      agent_auth: {
        identity_endpoint: `${foreign}/agent/identity`,
        identity_types_supported: ['anonymous'],
      },
    });
    const run = shell(machine);
    expect(errorOf(await run(`${command} ${API} --json`))).toMatchObject({
      code: 'foreign_origin',
      hint: expect.stringContaining(`--allow-origin ${foreign}`),
      next: step(`agent-auth ${command} ${API} --json --allow-origin ORIGIN`),
    });
    const hidden = `call ${API}/api/resource --header X-A:b --yes --json`;
    expect(errorOf(await run(hidden))).toMatchObject({
      next: step(`agent-auth discover ${API}/api/resource --allow-origin ORIGIN`),
    });
  },
);

it.each([
  ['token', 'connect URL'],
  ['revoke', 'connect URL'],
  ['forget', 'connect URL'],
  ['call /api/resource', 'call /api/resource --json --service URL --yes'],
])(
  '%s with nothing registered led to a line that failed for want of a service',
  async (line, next) => {
    expect(errorOf(await shell(newMachine())(`${line} --json`))).toMatchObject({
      message: expect.not.stringContaining('used yet'),
      next: { ...step(`agent-auth ${next}`), needs: ['URL'] },
    });
  },
);

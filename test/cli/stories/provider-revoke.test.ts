import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/protocol/durations.ts';
import { step } from '../../support/step.ts';
import { machineWithBoth, PROVIDER, SERVICE, shell } from '../support/mocks.ts';
import type { Machine } from '../support/run-cli.ts';
import { attentiveUser, consented, signedIn } from '../support/signed-in.ts';

const register = `register ${SERVICE} --provider ${PROVIDER}`;
const revoke = `provider revoke --audience ${SERVICE}`;

const REVOKED_WITH = ['client_id', 'audience', 'subject_token', 'subject_token_type'];

/** Registered through the provider, a moment ago. */
async function registered() {
  const made = await consented();
  await made.run(`${register} --json`);
  made.machine.clock.advance(2000);
  return made;
}

/** What the service does with events is the test's choice. */
function answerEvents(machine: Machine, answer: () => Response): void {
  const service = machine.servers.get(SERVICE);
  machine.servers.set(SERVICE, async (request) =>
    request.url.endsWith('/event/notify')
      ? answer()
      : ((await service?.(request)) ?? new Response(null, { status: 404 })),
  );
}

describe('provider revoke', () => {
  it('takes the consent back, and the service, which is told, ends the access [AR-DOES-1] [AR-EVENT-1]', async () => {
    const { run } = await registered();
    expect((await run('call /api/resource')).code).toBe(0);
    const { code, stdout, stderr } = await run('provider revoke');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `✓ ${PROVIDER} no longer identifies you to ${SERVICE}.\n` +
        '  The service was notified and ends the access that depends on it.\n',
    );
    const call = await run('call /api/resource --json');
    expect([call.code, call.json()[0]?.['error']]).toMatchObject([
      4,
      {
        code: 'consent_needed',
        next: step(`agent-auth provider consent ${PROVIDER} --audience ${SERVICE}`),
      },
    ]);
  });

  it('has a JSON form', async () => {
    const { run } = await registered();
    expect((await run(`${revoke} --json`)).json()).toEqual([
      {
        schema: 'agent-auth.provider-revoke/1',
        status: 'revoked',
        provider: PROVIDER,
        audience: SERVICE,
        event: 'delivered',
        event_problem: null,
        next: null,
      },
    ]);
  });

  it('says that there was none: done all the same', async () => {
    const { run } = await signedIn();
    const { code, stdout } = await run(revoke);
    expect([code, stdout]).toEqual([0, `There is no consent at ${PROVIDER} for ${SERVICE}.\n`]);
  });

  it('works while the service is away, which is told later', async () => {
    const { machine, run } = await registered();
    const service = machine.servers.get(SERVICE);
    machine.servers.delete(SERVICE);
    // Not even named: the service in use is known without asking it.
    const { code, stdout } = await run('provider revoke');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'The service has not been notified yet (network_refused); the provider keeps trying. Until then the access remains.',
    );
    if (service) machine.servers.set(SERVICE, service);
    expect((await run('call /api/resource')).code).toBe(0);
  });

  it('exits 8 when the service refuses the notification: a user has to look', async () => {
    const { machine, run } = await registered();
    answerEvents(machine, () => Response.json({ err: 'invalid_issuer' }, { status: 400 }));
    const { code, stdout } = await run(revoke);
    expect(code).toBe(8);
    expect(stdout).toContain(
      `The service was not notified (invalid_issuer), and the provider does not try again: revoke again once the service accepts events.\n  Next: agent-auth provider revoke ${PROVIDER} --audience ${SERVICE}\n`,
    );
    expect((await run(`${revoke} --json`)).json()[0]).toMatchObject({
      status: 'no_consent',
      event: 'parked',
      event_problem: { code: 'invalid_issuer', status: 400 },
      next: step(`agent-auth provider revoke ${PROVIDER} --audience ${SERVICE}`),
    });
  });

  it('is not at exit 8 for ever: revoking again tells the service again', async () => {
    const { machine, run } = await registered();
    const service = machine.servers.get(SERVICE);
    answerEvents(machine, () => Response.json({ err: 'invalid_issuer' }, { status: 400 }));
    await run(`${revoke} --json`);
    if (service) machine.servers.set(SERVICE, service);
    expect((await run('call /api/resource')).code).toBe(0);
    const { code, stdout } = await run(`provider revoke ${PROVIDER} --audience ${SERVICE}`);
    expect([code, stdout]).toEqual([
      0,
      `There is no consent at ${PROVIDER} for ${SERVICE}.\n` +
        '  The service was notified and ends the access that depends on it.\n',
    ]);
    expect((await run('call /api/resource')).code).toBe(4);
  });

  it('says when only another issuer URL of the provider could notify the service: exit 8, no command', async () => {
    const { machine, run } = await consented();
    const provider = machine.servers.get(PROVIDER);
    machine.servers.set(PROVIDER, async (request) => {
      const answer = (await provider?.(request)) ?? new Response();
      if (!request.url.endsWith('/revoke')) return answer;
      const event_problem = { code: 'other_issuer' };
      return Response.json({ audience: SERVICE, revoked: true, event: 'pending', event_problem });
    });
    const { code, stdout } = await run(revoke);
    expect([code, stdout]).toEqual([
      8,
      `✓ ${PROVIDER} no longer identifies you to ${SERVICE}.\n` +
        '  The service registered the user under another issuer URL of the provider; only that issuer can notify it: revoke the access at the service.\n',
    ]);
    expect((await run(`${revoke} --json`)).json()[0]?.['next']).toBeNull();
  });

  it('says that a service takes no events', async () => {
    const { machine, run } = await registered();
    machine.servers.set(SERVICE, () => Response.json({ issuer: SERVICE }));
    const { code, stdout } = await run(revoke);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'The service cannot be notified (no_events_endpoint): revoke the access there as well.',
    );
  });

  it('takes the user to a sign-in where the last one has ended', async () => {
    const { machine, run } = await consented();
    machine.clock.advance(13 * HOUR);
    const nobody = await run(`${revoke} --json`);
    expect([nobody.code, nobody.json()[0]?.['error']]).toMatchObject([
      8,
      { code: 'login_required', next: step(`agent-auth provider login ${PROVIDER}`) },
    ]);
    const { code, stdout } = await run(`${revoke} --yes`, attentiveUser(machine));
    expect(code).toBe(0);
    expect(stdout).toContain('no longer identifies');
  });

  it('points to the pages of a provider that has no such endpoint: exit 5', async () => {
    const { machine, run } = await consented();
    const provider = machine.servers.get(PROVIDER);
    machine.servers.set(PROVIDER, async (request) => {
      const answer = await provider?.(request);
      if (answer === undefined || !request.url.includes('.well-known')) {
        return answer ?? new Response();
      }
      const { consent_revocation_endpoint: _, ...rest } = (await answer.json()) as object & {
        consent_revocation_endpoint?: string;
      };
      return Response.json(rest);
    });
    const { code, stderr } = await run(revoke);
    expect(code).toBe(5);
    expect(stderr).toBe(
      `✗ ${PROVIDER} offers no request that revokes a consent: the user revokes it on the provider's own pages.\n`,
    );
  });

  it('is undone by agreeing again: a new registration, which works', async () => {
    const { machine, run } = await registered();
    await run(revoke);
    const { code, stdout, asked } = await run(register, {
      tty: true,
      answers: [true],
      ...attentiveUser(machine),
    });
    expect([code, asked.length]).toEqual([0, 1]);
    expect(stdout).toContain('Registered at Test Service');
    expect((await run('call /api/resource')).code).toBe(0);
  });
});

describe('register, when the consent goes away', () => {
  it('between agreeing and registering: the user is asked once, not in a circle', async () => {
    const { machine, run } = await signedIn();
    const provider = machine.servers.get(PROVIDER);
    // Somebody takes the consent back whenever it has been of use.
    machine.servers.set(PROVIDER, async (request) => {
      const form = new URLSearchParams(await request.clone().text());
      const answer = (await provider?.(request)) ?? new Response();
      if (answer.ok && form.has('requested_token_type')) {
        const body = new URLSearchParams([...form].filter(([name]) => REVOKED_WITH.includes(name)));
        const url = `${PROVIDER}/oauth2/consents/revoke`;
        await provider?.(new Request(url, { method: 'POST', body }));
      }
      return answer;
    });
    const { code, stderr } = await run(`${register} --yes`, attentiveUser(machine));
    expect(code).toBe(5);
    expect(stderr).toContain(
      `The provider still asks for consent, although it was just given.\n  Next: agent-auth provider consent ${PROVIDER} --audience ${SERVICE}`,
    );
  });
});

describe('a URL that is no provider', () => {
  const page = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });

  it.each([
    'provider login URL',
    `provider consent URL --audience ${SERVICE}`,
    `provider mint URL --audience ${SERVICE}`,
    `provider revoke URL --audience ${SERVICE}`,
    `register ${SERVICE} --provider URL`,
  ])('is said so: %s', async (line) => {
    const machine = await machineWithBoth();
    machine.servers.set('http://127.0.0.1:1', page);
    machine.servers.set('http://127.0.0.1:2', () => new Response('', { status: 404 }));
    const said = async (url: string) => {
      const { code, stderr } = await shell(machine)(line.replace('URL', url));
      return [code, stderr.split('\n')[0]];
    };
    const html = await said('http://127.0.0.1:1');
    expect(html[0]).toBe(1);
    expect(html[1]).toContain('http://127.0.0.1:1 does not answer as an agent provider.');
    expect(await said('http://127.0.0.1:2')).toEqual([
      1,
      '✗ http://127.0.0.1:2 is not an agent provider: it publishes no authorization server metadata.',
    ]);
    expect(await said(SERVICE)).toEqual([
      1,
      `✗ ${SERVICE} is a service that agents register at, not an agent provider.`,
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { step } from '../../support/step.ts';
import { registered, SERVICE } from '../support/mocks.ts';

describe('discover', () => {
  it('shows each hop and what is offered', async () => {
    const { run } = await registered();
    const { code, stdout } = await run(`discover ${SERVICE}/api/resource`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^.+: agents can register\n├─ asked\n│ {2}├─ 401 {2}GET http:\/\/127/);
    expect(stdout).toContain('├─ speaks flat, else nested: the first answer shows it');
    expect(stdout).toContain('anonymous, identity_assertion, service_auth');
    expect(stdout).toContain('No problems found.');
  });

  it('has a JSON form', async () => {
    const { run } = await registered();
    expect((await run('discover --json')).json()).toEqual([
      {
        schema: 'agent-auth.discover/1',
        service: expect.objectContaining({
          issuer: SERVICE,
          claim_grant_type: 'urn:vendor:agent-auth:grant-type:claim',
        }),
        recognition: expect.objectContaining({
          verdict: 'usable',
          dialects: ['flat', 'nested'],
          defects: [],
        }),
        hops: [
          expect.objectContaining({ step: 'resource_metadata', status: 200 }),
          expect.objectContaining({ step: 'server_metadata', status: 200 }),
        ],
        warnings: [],
        next: step(`agent-auth register ${SERVICE}`),
      },
    ]);
  });

  it('shows how far it came when it fails', async () => {
    const { machine, run } = await registered();
    machine.servers.set(
      'http://127.0.0.1:9',
      () => new Response('<h1>no</h1>', { status: 404, headers: { 'content-type': 'text/html' } }),
    );
    const { code, json } = await run('discover http://127.0.0.1:9 --json');
    expect(code).toBe(1);
    expect(json()[0]).toMatchObject({
      error: { code: expect.any(String) },
      hops: expect.arrayContaining([expect.objectContaining({ status: 404 })]),
    });
  });

  it('prints one line for each request with --debug, and no query value', async () => {
    const { run } = await registered();
    const { stderr } = await run(`discover ${SERVICE}/api/resource?key=value --debug`);
    expect(stderr).toMatch(
      /debug {2}GET http:\/\/127\.0\.0\.1:4800\/api\/resource\?key=\*\*\* → 401 \(\d+ ms\)/,
    );
    expect(stderr).not.toContain('value');
  });
});

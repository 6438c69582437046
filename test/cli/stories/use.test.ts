import { describe, expect, it } from 'vitest';
import { step } from '../../support/step.ts';
import { ALICE, registered, SERVICE } from '../support/mocks.ts';

describe('token', () => {
  it('prints the token and nothing else', async () => {
    const { run } = await registered();
    const { code, stdout, stderr } = await run('token');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^at_[\w-]+\n$/);
  });

  it('keeps a good token, exchanges for --renew and after its end', async () => {
    const { machine, run } = await registered();
    const first = (await run('token')).stdout;
    expect((await run('token')).stdout).toBe(first);
    const renewed = (await run('token --renew')).stdout;
    expect(renewed).not.toBe(first);
    machine.clock.advance(3_600_000);
    expect((await run('token')).stdout).not.toBe(renewed);
  });

  it('has a JSON form', async () => {
    const { run } = await registered();
    expect((await run('token --json')).json()).toEqual([
      {
        schema: 'agent-auth.token/1',
        access_token: expect.stringMatching(/^at_/),
        token_type: 'Bearer',
        scopes: ['api.read'],
        expires_at: '2026-01-01T01:00:00.000Z',
        expires_in: 3600,
        direct: false,
        header: null,
        login_url: null,
        warnings: [],
        source: 'store',
        registration_id: expect.stringMatching(/^reg_/),
      },
    ]);
  });

  it('is AGENT_AUTH_TOKEN when that is set', async () => {
    const { run } = await registered();
    expect((await run('token', { env: { AGENT_AUTH_TOKEN: 'at_mine' } })).stdout).toBe('at_mine\n');
  });

  it('exits 4 when nothing is registered', async () => {
    const { run } = await registered('forget');
    expect(await run('token')).toMatchObject({ code: 4, stdout: '' });
  });
});

describe('status', () => {
  it('shows state, scopes, ends, and where the credentials are', async () => {
    const { run } = await registered(`claim --email ${ALICE} --no-wait`);
    const { code, stdout } = await run('status');
    expect(code).toBe(0);
    expect(stdout).toContain('Test Service  http://127.0.0.1:4800');
    expect(stdout).toContain('waiting for its user');
    expect(stdout).toContain(ALICE);
    expect(stdout).toMatch(/code until +2026-01-01 00:10 \S+ \(in 10 minutes\)/);
    expect(stdout).toContain('Credential file: memory');
  });

  it('has a JSON form', async () => {
    const { run } = await registered();
    const [json] = (await run('status --json')).json();
    expect(json).toEqual({
      schema: 'agent-auth.status/1',
      location: 'memory',
      credential_source: 'file',
      last_service: SERVICE,
      checked: false,
      services: [
        {
          issuer: SERVICE,
          resource: SERVICE,
          name: 'Test Service',
          clock_offset_ms: 0,
          clock_seen: false,
          registrations: [
            expect.objectContaining({
              registration_id: expect.stringMatching(/^reg_/),
              state: 'unclaimed',
              current: true,
              scopes: ['api.read'],
            }),
          ],
        },
      ],
      not_understood: [],
      providers: [],
      next: null,
    });
  });

  it('exits 4 when nothing is registered, and names the command', async () => {
    const { run } = await registered('forget');
    const { code, stdout } = await run('status');
    expect(code).toBe(4);
    expect(stdout).toContain('Next: agent-auth connect URL');
  });

  it('says when AGENT_AUTH_TOKEN beats the file', async () => {
    const { run } = await registered();
    const env = { AGENT_AUTH_TOKEN: 'at_mine' };
    expect((await run('status', { env })).stdout).toContain('AGENT_AUTH_TOKEN is set');
    expect((await run('status --json', { env })).json()[0]).toMatchObject({
      credential_source: 'environment',
    });
  });
});

describe('revoke', () => {
  it('revokes the token and keeps the registration', async () => {
    const { run } = await registered();
    const old = (await run('token')).stdout;
    expect((await run('revoke --json')).json()).toMatchObject([
      { schema: 'agent-auth.revoke/1', status: 'revoked', next: step('agent-auth token') },
    ]);
    expect((await run('token')).stdout).not.toBe(old);
  });

  it('says when there is nothing to revoke', async () => {
    const { run } = await registered('revoke');
    expect((await run('revoke')).stdout).toContain('There was no access token');
  });
});

describe('forget', () => {
  it('revokes and removes', async () => {
    const { run } = await registered();
    expect((await run('forget --json')).json()).toMatchObject([
      {
        schema: 'agent-auth.forget/1',
        status: 'forgotten',
        revocation: 'revoked',
        token_expires: null,
      },
    ]);
    expect((await run('status')).code).toBe(4);
  });

  it('removes it too when the server is gone, and says what that means', async () => {
    const { machine, run } = await registered();
    machine.servers.clear();
    const { code, stdout } = await run('forget');
    expect(code).toBe(0);
    expect(stdout).toContain('its access token may still be valid. It expires in 1 hour.');
  });
});

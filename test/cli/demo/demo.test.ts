import { beforeAll, describe, expect, it } from 'vitest';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { step } from '../../support/step.ts';
import { newMachine, type Run, runCli } from '../support/run-cli.ts';

interface Message {
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown> | null;
}

interface Line {
  readonly schema: string;
  readonly act: string;
  readonly from: string;
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly request: Message;
  readonly status: number;
  readonly response: Message;
  readonly meaning: string;
  readonly state: string | null;
}

let narrated: Run;
let transcript: Run;
let lines: Line[];
beforeAll(async () => {
  const machine = { ...newMachine(), network: createSystemFetch() };
  narrated = await runCli(machine, ['demo']);
  transcript = await runCli(machine, ['demo', '--json']);
  lines = transcript.json().slice(0, -1) as unknown as Line[];
});

const states = (act: string) => [
  ...new Set(lines.filter((line) => line.act === act).map(({ state }) => state)),
];
const exchanges = (act: string, path: string) =>
  lines.filter((line) => line.act === act && line.path === path);

describe('the demo', () => {
  it('ends well and says nothing on stderr', () => {
    expect([narrated.code, narrated.stderr]).toEqual([0, '']);
    expect([transcript.code, transcript.stderr]).toEqual([0, '']);
  });

  it('shows all three flows', () => {
    const types = lines
      .filter(({ path }) => path === '/agent/identity')
      .map(({ request }) => request.body?.['type']);
    expect(new Set(types)).toEqual(new Set(['anonymous', 'service_auth', 'identity_assertion']));
  });

  it('goes through the states of an anonymous registration', () => {
    expect(states('Anonymous')).toEqual([null, 'unclaimed', 'pending', 'lapsed', 'claimed']);
  });

  it('shows a wrong code, an expired code, and a new one', () => {
    const path = '/agent/identity/claim/complete';
    expect(exchanges('Anonymous', path).map(({ status }) => status)).toEqual([400, 200]);
    expect(exchanges('Anonymous', '/agent/identity/claim')).toHaveLength(2);
    expect(lines.map(({ response }) => response.body?.['error'])).toContain('expired_token');
  });

  it('shows that the claim ends the token from before, and revocation the one after', () => {
    const calls = exchanges('Anonymous', '/api/resource').map(({ method, status }) => [
      method,
      status,
    ]);
    expect(calls).toEqual([
      ['GET', 401],
      ['GET', 200],
      ['POST', 403],
      ['GET', 401],
      ['POST', 200],
      ['GET', 401],
      ['GET', 200],
    ]);
  });

  it('shows that a user ends a registration for good', () => {
    expect(states('Service auth').at(-1)).toBe('revoked');
  });

  it('shows consent before the first ID-JAG, and the service fetching the keys', () => {
    const errors = lines.map(({ response }) => response.body?.['error']);
    expect(errors.indexOf('consent_required')).toBeLessThan(errors.indexOf('interaction_required'));
    const byService = lines.filter(({ from }) => from === 'service').map(({ path }) => path);
    expect(byService).toEqual([
      '/.well-known/oauth-authorization-server',
      '/.well-known/jwks.json',
    ]);
  });

  it('gives every exchange a meaning', () => {
    expect(lines.filter(({ meaning }) => meaning === '')).toEqual([]);
  });

  it('prints fingerprints instead of secrets', () => {
    for (const { stdout } of [narrated, transcript]) {
      expect(stdout).not.toMatch(/eyJ[\w-]{10}|(?:at|clm|cat)_[\w-]{10}/);
    }
    expect(transcript.stdout).not.toMatch(/"user_code":"\d/);
  });

  it('shows as JSON what was on the wire: URLs, headers, bodies with their own structure', () => {
    const [registered] = exchanges('Anonymous', '/agent/identity');
    expect(registered?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/agent\/identity$/);
    expect(registered?.request).toMatchObject({
      headers: expect.objectContaining({ 'content-type': 'application/json' }),
      body: { type: 'anonymous' },
    });
    expect(registered?.response.body).toMatchObject({
      pre_claim_scopes: ['api.read'],
      identity_assertion: {
        jwt: expect.stringMatching(/^secret~/),
        header: { typ: 'agent-identity+jwt' },
        claims: { sub: registered?.response.body?.['registration_id'] },
      },
    });
    const [metadata] = exchanges('Anonymous', '/.well-known/oauth-authorization-server');
    expect(metadata?.response.body).toMatchObject({
      agent_auth: { identity_endpoint: expect.any(String) },
    });
    const [exchanged] = exchanges('Anonymous', '/oauth2/token');
    expect(exchanged?.request.body).toMatchObject({
      grant_type: expect.stringMatching(/jwt-bearer$/),
    });
    const [, called] = exchanges('Anonymous', '/api/resource');
    expect(called?.request.headers['authorization']).toMatch(/^Bearer secret~[\w-]+$/);
  });

  it('ends with a summary of where each registration stands', () => {
    expect(transcript.json().at(-1)).toEqual({
      schema: 'agent-auth.demo-summary/1',
      exchanges: lines.length,
      told_ms: expect.any(Number),
      took_ms: expect.any(Number),
      registrations: [
        expect.objectContaining({ act: 'Anonymous', state: 'claimed' }),
        expect.objectContaining({ act: 'Service auth', state: 'revoked' }),
        expect.objectContaining({ act: 'Identity assertion', state: 'claimed' }),
        expect.objectContaining({ act: 'Identity assertion, account exists', state: 'claimed' }),
      ],
      next: step('agent-auth mock up'),
      others: expect.arrayContaining([step('agent-auth connect')]),
    });
    expect(narrated.stdout).toContain('Summary');
    expect(narrated.stdout).toMatch(/assertion #[\w-]{8} → token #[\w-]{8}/);
  });
});

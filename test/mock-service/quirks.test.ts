import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIALECT_NAMES, QUIRK_NAMES, QUIRKS } from '../../src/mock-service/dialects/index.ts';
import type { MockServiceOptions, QuirkName } from '../../src/mock-service/index.ts';
import { HOUR } from '../../src/protocol/index.ts';
import { Harness } from './harness.ts';

const ALICE = 'alice@example.com';

const start = (quirk: QuirkName, options: Partial<MockServiceOptions> = {}) =>
  Harness.start({ quirks: [quirk], ...options });

describe('the quirks', () => {
  it('stand in the docs, each with the dialects that it fits', () => {
    const docs = readFileSync(join(import.meta.dirname, '../../docs/mocks.md'), 'utf8');
    const rows = Object.entries(QUIRKS).map(([name, { description, fits }]) => {
      const where = fits.length === DIALECT_NAMES.length ? 'all' : fits.join(', ');
      return `| \`${name}\` | ${where} | ${description} |`;
    });
    expect(docs).toContain(`| quirk | in | what it does |\n|---|---|---|\n${rows.join('\n')}\n\n`);
  });

  it.each(
    QUIRK_NAMES.flatMap((name) => QUIRKS[name].fits.map((dialect) => [name, dialect] as const)),
  )('%s starts in %s, and names its endpoints', async (name, dialect) => {
    const h = await start(name, { dialect });
    const { status } = await h.send('GET', '/.well-known/oauth-authorization-server');
    expect(status).toBe(200);
  });

  it('spell instants as numbers', async () => {
    for (const [quirk, unit] of [
      ['epoch-seconds', 1000],
      ['epoch-milliseconds', 1],
    ] as const) {
      const h = await start(quirk);
      const { body } = await h.register({ type: 'anonymous' });
      expect(body['claim_token_expires']).toBe((h.clock.now() + 24 * HOUR) / unit);
      expect(body['assertion_expires']).toBe((h.clock.now() + 24 * HOUR) / unit);
      const started = await h.startClaim(body['claim_token'], ALICE);
      expect(started.body['expires_at']).toBe((h.clock.now() + HOUR / 6) / unit);
    }
  });

  it('answer 201 or 202 where something is made, and to nothing else', async () => {
    for (const [quirk, status] of [
      ['created', 201],
      ['accepted', 202],
    ] as const) {
      const h = await start(quirk);
      const { body, status: made } = await h.register({ type: 'anonymous' });
      const { status: started } = await h.startClaim(body['claim_token'], ALICE);
      const { status: exchanged } = await h.exchange(body['identity_assertion']);
      const { status: refused } = await h.register({ type: 'nothing' });
      expect([made, started, exchanged, refused]).toEqual([status, status, 200, 400]);
    }
  });

  it('spell errors as an object, or as err and description, of every endpoint', async () => {
    const nested = await start('nested-errors');
    expect((await nested.register({ type: 'nothing' })).body).toEqual({
      error: { code: 'invalid_request', message: 'The type is unknown.', retryable: false },
    });
    expect((await nested.exchange('no assertion')).body).toMatchObject({
      error: { code: 'invalid_grant' },
    });
    const err = await start('err-description');
    expect((await err.register({ type: 'nothing' })).body).toEqual({
      err: 'invalid_request',
      description: 'The type is unknown.',
    });
    expect((await err.exchange('no assertion')).body['err']).toBe('invalid_grant');
  });

  it('demand a member, and name it', async () => {
    for (const [quirk, member] of [
      ['required-client-id', 'client_id'],
      ['required-member', 'source'],
    ] as const) {
      const h = await start(quirk);
      const without = await h.register({ type: 'anonymous' });
      expect([without.status, without.body['error_description']]).toEqual([
        400,
        `${member} is missing.`,
      ]);
      expect((await h.register({ type: 'anonymous', [member]: 'x' })).status).toBe(200);
    }
  });

  it('take one body of a claim alone', async () => {
    const bodies = {
      'claim-by-login-hint': { login_hint: ALICE },
      'claim-by-typed-hint': { type: 'login_hint', login_hint: ALICE },
      'claim-by-token-only': {},
    } as const;
    for (const quirk of Object.keys(bodies) as (keyof typeof bodies)[]) {
      const h = await start(quirk);
      const { body } = await h.register({ type: 'service_auth', login_hint: ALICE });
      for (const other of Object.keys(bodies) as (keyof typeof bodies)[]) {
        const members = { claim_token: body['claim_token'], ...bodies[other] };
        const { status } = await h.post('/agent/identity/claim', members);
        expect([quirk, other, status]).toEqual([quirk, other, other === quirk ? 200 : 400]);
      }
      expect((await h.startClaim(body['claim_token'], ALICE)).status).toBe(400);
    }
  });

  it('name endpoints twice', async () => {
    for (const dialect of DIALECT_NAMES) {
      const h = await start('both-name-sets', { dialect });
      const { body } = await h.send('GET', '/.well-known/oauth-authorization-server');
      const block = body['agent_auth'] as Record<string, unknown>;
      expect(block['register_uri']).toBe(block['identity_endpoint']);
      expect(block['claim_uri']).toBe(block['claim_endpoint']);
      expect(block['claim_uri']).toMatch(/^https:/);
    }
  });
});

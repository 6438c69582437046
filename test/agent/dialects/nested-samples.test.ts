import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IdentityProof } from '../../../src/agent/dialects/dialect.ts';
import { readClaimStart, readCompletion } from '../../../src/agent/dialects/read-claim.ts';
import { readRegistration } from '../../../src/agent/dialects/read-registration.ts';
import { AgentError } from '../../../src/agent/index.ts';
import { readProblem } from '../../../src/agent/problems/problem.ts';
import { Secret } from '../../../src/runtime/index.ts';
import { answerOf, NOW } from './answer-of.ts';

const folder = join(import.meta.dirname, '../../../fixtures/wild');
const sample = (name: string): object =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

const ANONYMOUS: IdentityProof = { type: 'anonymous' };
const EMAIL: IdentityProof = { type: 'service_auth', loginHint: 'alice@example.com' };
const ID_JAG: IdentityProof = { type: 'identity_assertion', assertion: new Secret('a.b.c') };

const at = (time: string) => Date.parse(time);
const register = (body: object, proof: IdentityProof = ANONYMOUS) =>
  readRegistration('nested', answerOf(body), proof);

describe('published answers', () => {
  it('an anonymous registration of AuthKit', () => {
    const grant = register(sample('resp-authkit-docs-register-anonymous'));
    expect(grant.assertion?.value.reveal()).toBe('eyJ.x.y');
    expect(grant.claim?.token.reveal()).toBe('clm_01J9Q2Z3X4Y5W6V7U8T9S0R1Q');
    expect(grant).toMatchObject({
      id: 'agent_reg_01J9Q2Z3X4Y5W6V7U8T9S0R1Q',
      assertion: { expiresAt: at('2025-01-15T12:00:00Z') },
      preClaimScopes: ['read:public'],
      postClaimScopes: ['read:public', 'write:data'],
      claim: {
        url: 'https://auth.example.com/claim',
        expiresAt: at('2025-01-15T13:00:00Z'),
        attempt: null,
      },
    });
  });

  it('a registration by email of AuthKit: the page shows the code', () => {
    const now = at('2025-01-15T12:20:00Z');
    const answer = answerOf(sample('resp-authkit-docs-register-service-auth'));
    expect(readRegistration('nested', { ...answer, sentAt: now }, EMAIL)).toMatchObject({
      assertion: null,
      preClaimScopes: [],
      postClaimScopes: ['read:public', 'write:data'],
      claim: {
        attempt: {
          kind: 'read_back',
          verificationUri: 'https://auth.example.com/claim?token=att_01J9Q2Z3X4Y5W6V7U8T9S0R1Q',
          expiresAt: at('2025-01-15T12:30:00Z'),
        },
      },
    });
  });

  it('a link that its user has to confirm', () => {
    const answer = answerOf(sample('resp-workos-reconciled-interaction-required'), 401);
    expect(readProblem(answer, 'identity')).toMatchObject({ move: 'confirm' });
    expect(readRegistration('nested', answer, ID_JAG)).toMatchObject({
      id: 'reg_x',
      assertion: null,
      postClaimScopes: ['api.read', 'api.write'],
      claim: { attempt: { kind: 'read_back' } },
    });
  });

  it('a claim that was started: its attempt is at the top', () => {
    const answer = answerOf(sample('resp-workos-reconciled-claim-start'));
    expect(readClaimStart('nested', answer)).toEqual({
      kind: 'attempt',
      attempt: {
        kind: 'read_back',
        verificationUri: 'https://auth.example.com/agent-claim?token=x',
        submitUrl: null,
        expiresAt: at('2026-05-21T17:31:25.994Z'),
        ended: null,
      },
    });
  });

  it('a completed claim, with its refresh token', () => {
    const answer = answerOf(sample('resp-workos-reconciled-claim-complete'));
    const grant = readCompletion(answer);
    expect(grant.assertion?.value.reveal()).toBe('eyJ.x.y');
    expect(grant.refresh?.value.reveal()).toBe('art_x');
    expect(grant.refresh?.expiresAt).toBe(at('2026-06-21T17:31:25.994Z'));
  });
});

describe('a nested registration', () => {
  const claim = { token: 'clm_1' };

  it.each([
    ['RFC 3339', '2026-01-01T00:10:00Z'],
    ['seconds since the epoch', NOW / 1000 + 600],
    ['milliseconds since the epoch', NOW + 600_000],
    ['seconds from now', 600],
  ])('reads an end in %s', (_what, expires_at) => {
    const attempt = { verification_uri: 'https://service.example/claim', expires_at };
    const grant = register({ id: 'reg_1', claim: { ...claim, expires_at, attempt } }, EMAIL);
    expect(grant.claim).toMatchObject({
      expiresAt: NOW + 600_000,
      attempt: { expiresAt: NOW + 600_000 },
    });
  });

  it('takes scopes as a list where no claim follows', () => {
    const identity = { assertion: 'a.b.c' };
    const scopes = ['api.read'];
    expect(register({ id: 'reg_1', identity, scopes }, ID_JAG)).toMatchObject({
      preClaimScopes: [],
      postClaimScopes: ['api.read'],
      claim: null,
    });
  });

  it('has no identity before the claim where its object is empty', () => {
    const grant = register({ id: 'reg_1', identity: {}, claim }, EMAIL);
    expect(grant).toMatchObject({ assertion: null, claim: { attempt: null } });
  });

  it('is told apart by its claim token where it has no id', () => {
    const one = register({ claim });
    expect(one.id).toMatch(/^unnamed_/);
    expect(register({ claim: { token: 'clm_2' } }).id).not.toBe(one.id);
  });

  it('follows the members of a claim that has a code: the user types it', () => {
    const attempt = { verification_uri: 'https://service.example/claim', user_code: '012345' };
    const grant = register({ id: 'reg_1', claim: { ...claim, attempt } }, EMAIL);
    expect(grant.claim?.attempt).toMatchObject({ kind: 'type_there', interval: 5000 });
  });

  it('sends no one to a page where the code comes by mail', () => {
    const grant = register({ id: 'reg_1', claim: { ...claim, attempt: {} } }, EMAIL);
    expect(grant.claim?.attempt).toMatchObject({ kind: 'read_back', verificationUri: null });
  });

  it.each<[string, object]>([
    ['neither identity nor claim', { id: 'reg_1', type: 'anonymous' }],
    ['an assertion that is no text', { identity: { assertion: 7 } }],
    ['an assertion that fits no form', { identity: { assertion: 'a b' } }],
    ['a page that is none', { claim: { ...claim, attempt: { verification_uri: 'javascript:1' } } }],
    ['a time that is none', { claim: { ...claim, expires_at: {} } }],
  ])('refuses %s', (_what, body) => {
    expect(() => register(body, EMAIL)).toThrow(AgentError);
  });
});

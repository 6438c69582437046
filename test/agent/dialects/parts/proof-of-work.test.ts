import { describe, expect, it } from 'vitest';
import {
  leadingZeros,
  readChallenge,
  solve,
} from '../../../../src/agent/dialects/parts/proof-of-work.ts';
import { AgentError } from '../../../../src/agent/index.ts';
import { hashOf } from '../../../../src/runtime/index.ts';

const CHALLENGE = { algorithm: 'sha3-256', bits: 12, nonce: 'n-1' } as const;
const sleep = (_ms: number, signal?: AbortSignal) =>
  signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve();

describe('the challenge of a proof of work', () => {
  it.each<[string, object]>([
    ['an answer of its own', { algorithm: 'sha3-256', bits: 12, nonce: 'n-1' }],
    ['a member of an answer', { challenge: CHALLENGE, expires_in: 60 }],
    ['a refusal', { error: 'proof_of_work_required', challenge: CHALLENGE }],
    ['an error object', { error: { code: 'pow_required', challenge: CHALLENGE } }],
    ['other names', { proof_of_work: { difficulty: 12, challenge: 'n-1' } }],
    ['another spelling', { algorithm: 'SHA3_256', difficulty: 12, challenge: 'n-1' }],
  ])('is read from %s', (_what, json) => {
    expect(readChallenge(json as Record<string, unknown>)).toEqual(CHALLENGE);
  });

  it.each<[string, object]>([
    ['a refusal without one', { error: 'invalid_request', message: 'type: Invalid input' }],
    ['a challenge that is a word', { challenge: 'xyz' }],
  ])('is not in %s', (_what, json) => {
    expect(readChallenge(json as Record<string, unknown>)).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ['no nonce', { challenge: { bits: 12 } }, 'bad_answer'],
    ['bits that are no number', { challenge: { bits: '12', nonce: 'n' } }, 'bad_answer'],
    ['less than one bit', { challenge: { bits: 0, nonce: 'n' } }, 'bad_answer'],
    [
      'another algorithm',
      { challenge: { algorithm: 'argon2', bits: 2, nonce: 'n' } },
      'not_offered',
    ],
  ])('is refused with %s', (_what, json, code) => {
    expect(() => readChallenge(json as Record<string, unknown>)).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('a proof of work', () => {
  it.each(['sha3-256', 'sha-256'] as const)(
    'has the zero bits that are wanted (%s)',
    async (algorithm) => {
      const { nonce, solution } = await solve({ sleep }, { ...CHALLENGE, algorithm });
      expect(nonce).toBe('n-1');
      expect(solution).toMatch(/^\d+$/);
      expect(leadingZeros(hashOf(algorithm, `n-1:${solution}`))).toBeGreaterThanOrEqual(12);
    },
  );

  it('is SHA3-256 as published (FIPS 202)', () => {
    const hex = Buffer.from(hashOf('sha3-256', '')).toString('hex');
    expect(hex).toBe('a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a');
  });

  it.each<[number[], number]>([
    [[0xff], 0],
    [[0x7f], 1],
    [[0x01], 7],
    [[0x00, 0x80], 8],
    [[0x00, 0x01], 15],
    [[0x00, 0x00], 16],
  ])('counts the zero bits of %j', (bytes, bits) => {
    expect(leadingZeros(new Uint8Array(bytes))).toBe(bits);
  });

  it('lets others work between batches', async () => {
    let yielded = 0;
    const counted = async () => {
      yielded += 1;
    };
    const { solution } = await solve({ sleep: counted }, { ...CHALLENGE, bits: 14 });
    expect(yielded).toBe(Math.floor(Number(solution) / 4096));
    expect(yielded).toBeGreaterThan(0);
  });

  it('is not begun where it would take minutes', async () => {
    const promise = solve({ sleep }, { ...CHALLENGE, bits: 27 });
    await expect(promise).rejects.toThrow(/27 bits; this agent does at most 26/);
  });

  it('ends when it is aborted', async () => {
    const controller = new AbortController();
    const later = async () => controller.abort();
    const promise = solve({ sleep: later }, { ...CHALLENGE, bits: 26 }, controller.signal);
    const error = await promise.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ code: 'aborted' });
  });
});

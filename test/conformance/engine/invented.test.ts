import { describe, expect, it } from 'vitest';
import { drawSeed, Invented } from '../../../src/conformance/engine/invented.ts';
import type { ScenarioResult } from '../../../src/conformance/index.ts';
import { normalizeEmail } from '../../../src/protocol/index.ts';
import { SeededRandom } from '../../../src/runtime/index.ts';
import { judgeMock } from '../support/judge-mock.ts';

const KINDS = [
  'word',
  'name',
  'member',
  'header',
  'scope',
  'host',
  'origin',
  'email',
  'urn',
  'token',
  'capitals',
] as const satisfies readonly (keyof Invented)[];

/** One of each kind, in order. */
function drawAll(invented: Invented): readonly string[] {
  return KINDS.map((kind) => invented[kind]());
}

/** The grants that a run asked for at the token endpoint, in order. */
function grantsOf(results: readonly ScenarioResult[]): readonly string[] {
  return results
    .filter(({ id }) => id === 'grants')
    .flatMap(({ exchanges }) => exchanges)
    .map(({ request }) => new URLSearchParams(request.body).get('grant_type') ?? '');
}

describe('what the suite makes up', () => {
  it('is the same for the same seed and place', () => {
    expect(drawAll(new Invented(5, 'one'))).toEqual(drawAll(new Invented(5, 'one')));
  });

  it.each([
    ['another seed', new Invented(6, 'one')],
    ['another place', new Invented(5, 'two')],
  ])('is another for %s', (_what, other) => {
    const first = drawAll(new Invented(5, 'one'));
    expect(drawAll(other).filter((value, at) => value === first[at])).toEqual([]);
  });

  it('does not repeat itself', () => {
    const invented = new Invented(5, 'one');
    const words = Array.from({ length: 500 }, () => invented.word());
    expect(new Set(words).size).toBe(words.length);
  });

  it.each([1, 2, 3, 4, 5])('keeps the shape of its kind (seed %i)', (seed) => {
    const invented = new Invented(seed, 'shapes');
    expect(invented.word()).toMatch(/^[a-z]{8}$/);
    expect(invented.capitals()).toMatch(/^[A-Z]{8}$/);
    expect(invented.name()).toMatch(/^[A-Z][a-z]{7} [A-Z][a-z]{7}$/);
    // RFC 9110 §5.6.2
    expect(invented.header()).toMatch(/^x-[a-z]+$/);
    expect(invented.member()).toMatch(/^[a-z]+([-_][a-z]+)?$/);
    // RFC 6749 §3.3
    expect(invented.scope()).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(new URL(invented.origin()).hostname).toMatch(/^[a-z]{8}\.invalid$/);
    const email = invented.email();
    expect(normalizeEmail(email)).toBe(email);
    expect(new URL(invented.urn()).protocol).toBe('urn:');
    // RFC 6750 §2.1
    expect(invented.token()).toMatch(/^[A-Za-z0-9\-._~+/]+=*$/);
  });

  it('picks each of what it may pick from', () => {
    const invented = new Invented(5, 'one');
    const picked = Array.from({ length: 60 }, () => invented.pick(['a', 'b', 'c']));
    expect(new Set(picked)).toEqual(new Set(['a', 'b', 'c']));
  });
});

describe('a seed', () => {
  it('is drawn as a whole number that --seed takes', () => {
    const random = new SeededRandom(1);
    const seeds = Array.from({ length: 20 }, () => drawSeed(random));
    expect(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)).toBe(true);
    expect(new Set(seeds).size).toBe(seeds.length);
  });

  it('makes a run send the same names again, whatever else runs', async () => {
    const alone = grantsOf(await judgeMock([], ['grants'], { seed: 11 }));
    const among = grantsOf(
      await judgeMock([], ['challenge', 'error-texts', 'grants'], { seed: 11 }),
    );
    expect(alone.at(-1)).toMatch(/^urn:example:/);
    expect(among).toEqual(alone);
  });

  it('makes a run send other names than another one does', async () => {
    const [one, other] = [
      grantsOf(await judgeMock([], ['grants'], { seed: 11 })),
      grantsOf(await judgeMock([], ['grants'], { seed: 12 })),
    ];
    expect(other.at(-1)).toMatch(/^urn:example:/);
    expect(other.at(-1)).not.toBe(one.at(-1));
    const isNamed = (grant: string) => !grant.startsWith('urn:example:');
    expect(other.filter(isNamed)).toEqual(one.filter(isNamed));
    expect(one.filter(isNamed).length).toBeGreaterThan(3);
  });

  it('is drawn where none is given', async () => {
    const runs = [undefined, undefined].map((seed) => judgeMock([], ['grants'], { seed }));
    const [one, other] = (await Promise.all(runs)).map((results) => grantsOf(results).at(-1));
    expect(one).toMatch(/^urn:example:/);
    expect(other).not.toBe(one);
  });
});

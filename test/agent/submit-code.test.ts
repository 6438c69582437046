import { describe, expect, it } from 'vitest';
import { readCode } from '../../src/agent/claim/submit-code.ts';
import { Secret } from '../../src/runtime/index.ts';
import { ANSWER, Bench, ENDPOINT, failure } from './support/bench.ts';
import { json } from './support/fake-web.ts';

const code = new Secret('123456');

describe('a code that the user reads back', () => {
  it.each([
    ['123 456', '123456'],
    [' 123-456\n', '123456'],
    ['012345', '012345'],
    ['wdjb mjht', 'wdjbmjht'],
    ['WDJB–MJHT', 'WDJB-MJHT'],
    ['AB12-CD34', 'AB12-CD34'],
  ])('is handed in without what makes it readable: %j', (read, sent) => {
    expect(readCode(new Secret(read)).reveal()).toBe(sent);
  });

  it.each([' ', '--', 'a\u0000b', '😀', 'x'.repeat(65)])(
    'is refused where it is none: %j',
    (read) => {
      expect(() => readCode(new Secret(read))).toThrow(
        expect.objectContaining({ code: 'bad_code' }),
      );
    },
  );
});

describe('handing in a code', () => {
  it('needs a claim that was started', async () => {
    const bench = new Bench();
    await bench.anonymous();
    expect(await failure(bench.agent.submitCode({ code }))).toMatchObject({
      code: 'claim_not_started',
      kind: 'usage',
    });
  });

  it('sends nothing where the user types the code on a page', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    const before = bench.web.requests.length;
    expect(await failure(bench.agent.submitCode({ code }))).toMatchObject({
      code: 'code_for_page',
      kind: 'usage',
      next: { command: 'claim wait' },
    });
    expect(bench.web.requests).toHaveLength(before);
  });

  it('says that a claimed registration, or one that has no claim, needs none', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, json(ANSWER.claimed()));
    await bench.agent.waitForClaim();
    expect((await failure(bench.agent.submitCode({ code }))).code).toBe('already_claimed');
  });
});

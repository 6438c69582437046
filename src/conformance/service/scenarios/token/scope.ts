import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { fullAssertion, someAssertion } from '../../steps/new-registration.ts';

export const scope = serviceScenario({
  id: 'token-scope',
  title: 'A request can narrow the scope of its token, and not widen it',
  checks: {
    asked: 'A scope that a plain request gets can be asked for.',
    narrowed: 'A token has no other scope than the one that was asked for.',
    told: 'A scope that is not the one asked for is told.',
    beyond: 'A scope beyond what the registration has is not given.',
    unknown: 'A scope that does not exist is not given.',
    'beyond-code': 'Both are answered invalid_scope.',
  },
  async run(judge, world) {
    const { client } = world;
    const wide = await fullAssertion(world);
    for (const word of wordsOf(await client.exchange(wide))) {
      const asked = await client.exchange(wide, { scope: word });
      judge.expect('asked', asked.status === 200, asked, {
        expected: `200 for the scope ${word}, which a plain request gets too`,
      });
      if (asked.status !== 200) continue;
      const got = asked.string('scope') === undefined ? word : wordsOf(asked).join(' ');
      judge.expect(
        'narrowed',
        got === word,
        // RFC 6749 §3.3 lets a server give another scope, if it tells.
        asked,
        { expected: `the scope ${word} alone`, warn: true },
      );
    }
    const assertion = await someAssertion(world);
    const plain = await client.exchange(assertion);
    const own = wordsOf(plain);
    const supported = world.facts.metadata['scopes_supported'];
    const wider = (Array.isArray(supported) ? supported : []).filter(
      (each): each is string => typeof each === 'string' && own.length > 0 && !own.includes(each),
    );
    if (wider.length === 0) judge.skip('beyond', 'The service lists no scope beyond those given.');
    const first = own[0] ?? (Array.isArray(supported) ? String(supported[0]) : 'api.read');
    for (const [check, word] of [
      ...wider.map((each) => ['beyond', each] as const),
      ['unknown', world.invented.scope()] as const,
    ]) {
      for (const value of [word, `${first} ${word}`, `${word} ${first}`]) {
        const answer = await client.exchange(assertion, { scope: value });
        const isTold = answer.string('scope') !== undefined;
        judge.expect('told', !answer.ok || isTold, answer, {
          expected: `the scope that was given instead of ${value} (RFC 6749 §5.1)`,
        });
        judge.expect(check, !(answer.ok && wordsOf(answer).includes(word)), answer, {
          expected: `no token with the scope ${word}`,
        });
        judge.expect('beyond-code', answer.errorCode === 'invalid_scope', answer, {
          expected: `invalid_scope for ${value}`,
          warn: answer.ok && isTold && !wordsOf(answer).includes(word),
        });
      }
    }
  },
});

function wordsOf(answer: Answer): readonly string[] {
  return (answer.string('scope') ?? '').split(' ').filter(Boolean);
}

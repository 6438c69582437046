import type { Answer } from '../../../http/answer.ts';
import { NotApplicable } from '../../../judge.ts';
import { serviceScenario } from '../service-scenario.ts';
import { someAssertion } from './some-assertion.ts';

export const scope = serviceScenario({
  id: 'token-scope',
  title: 'A request can narrow the scope of its token, and not widen it',
  checks: {
    asked: 'A token with the scope that was asked for is given.',
    told: 'A scope that is not the one asked for is told.',
    beyond: 'A scope beyond what the registration has is not given.',
    'beyond-code': 'It is answered invalid_scope.',
    unknown: 'A scope that does not exist is not given.',
  },
  async run(judge, world) {
    const { client } = world;
    const assertion = await someAssertion(world);
    const plain = await client.exchange(assertion);
    const own = wordsOf(plain);
    const [first] = own;
    if (first === undefined) throw new NotApplicable('The service says no scope.');
    const asked = await client.exchange(assertion, { scope: first });
    judge.expect('asked', asked.status === 200, {
      expected: `200 for the scope ${first}, which a plain request gets too`,
      seen: asked,
    });
    const got = asked.string('scope');
    judge.expect(
      'told',
      asked.status !== 200 || got === undefined || wordsOf(asked).join() === first,
      {
        expected: `${first}, or another scope told`,
        seen: asked,
        warn: true,
      },
    );
    const supported = world.facts.metadata['scopes_supported'];
    const wider = (Array.isArray(supported) ? supported : []).filter(
      (each): each is string => typeof each === 'string' && !own.includes(each),
    );
    for (const [check, word] of [
      ...wider.map((each) => ['beyond', each] as const),
      ['unknown', 'no-such-scope'] as const,
    ]) {
      for (const value of [word, `${first} ${word}`, `${word} ${first}`]) {
        const answer = await client.exchange(assertion, { scope: value });
        const isGiven =
          answer.ok && (answer.string('scope') === undefined || wordsOf(answer).includes(word));
        judge.expect(check, !isGiven, {
          expected: `no token with the scope ${word}`,
          seen: answer,
        });
        judge.expect('beyond-code', answer.errorCode === 'invalid_scope', {
          expected: `invalid_scope for ${value}`,
          seen: answer,
          // RFC 6749 §3.3 lets a server pass over what it does not give, if it tells.
          warn: answer.ok && !isGiven,
        });
      }
    }
  },
});

function wordsOf(answer: Answer): readonly string[] {
  return (answer.string('scope') ?? '').split(' ').filter(Boolean);
}

import { JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import { errorCode, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { fullAssertion, someAssertion } from '../../steps/new-registration.ts';

const OTHER_SCOPE =
  'RFC 6749 §3.3 lets a service give another scope than the requested one, if it says so.';

export const scope = serviceScenario({
  id: 'token-scope',
  title: 'A token request can narrow the scope, but not widen it',
  checks: {
    asked: 'A request for a scope that a plain request gets is answered with 200.',
    narrowed: 'A token has no other scope than the requested one.',
    spaces: 'A space between two scopes is read from + and from %20, and a plus from %2B.',
    told: 'Where another scope than the requested one is given, the answer has `scope`.',
    beyond: 'A scope beyond that of the registration is not given.',
    unknown: 'A scope that does not exist is not given.',
    'beyond-code': 'A scope that is not given is answered invalid_scope.',
  },
  restsOn: {
    spaces: ['token-scope.narrowed', 'token-scope.asked'],
    'beyond-code': ['token-scope.told', 'token-scope.beyond', 'token-scope.unknown'],
  },
  async run(judge, world) {
    const { client } = world;
    const wide = await fullAssertion(world);
    for (const word of wordsOf(await client.exchange(wide))) {
      const asked = await client.exchange(wide, { scope: word });
      if (!judge.table(asked, { asked: status(200) }, { case: word })) continue;
      const got = asked.string('scope') === undefined ? word : wordsOf(asked).join(' ');
      judge.expect('narrowed', got === word, asked, { case: word, reading: OTHER_SCOPE });
    }
    await judgeSpaces();
    const assertion = await someAssertion(world);
    const plain = await client.exchange(assertion);
    world.must(plain, 'access_token', 'an exchange');
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
        const isBeyond = answer.ok && wordsOf(answer).includes(word);
        const reading = answer.ok && isTold && !isBeyond ? OTHER_SCOPE : undefined;
        judge.table(
          answer,
          {
            told: { ok: !answer.ok || isTold },
            [check]: { ok: !isBeyond },
            'beyond-code': errorCode('invalid_scope', { reading }),
          },
          { case: value },
        );
      }
    }

    /** RFC 6749 App. B: the form of a token request is one of HTML. */
    async function judgeSpaces(): Promise<void> {
      const [one, two] = wordsOf(await client.exchange(wide));
      if (one === undefined || two === undefined) {
        return judge.skip('spaces', 'No registration without a user has two scopes.');
      }
      for (const space of ['+', '%20', '%2B']) {
        const form = new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion: wide });
        const body = `${form}&scope=${encodeURIComponent(one)}${space}${encodeURIComponent(two)}`;
        const answer = await world.send(client.endpoint('tokenEndpoint'), {
          from: 'agent',
          headers: [['content-type', 'application/x-www-form-urlencoded']],
          body,
        });
        // RFC 6749 §5.1: no `scope` in the answer says that it is the requested one.
        const isAsked = answer.string('scope') === undefined && space !== '%2B';
        const given = isAsked ? [one, two] : wordsOf(answer);
        const isBoth = answer.ok && given.includes(one) && given.includes(two);
        // Who is asked for a scope that it does not know may give what it would have given unasked.
        const reading = space === '%2B' && answer.ok ? OTHER_SCOPE : undefined;
        judge.table(
          answer,
          { spaces: { ok: isBoth === (space !== '%2B') } },
          { case: space, reading },
        );
      }
    }
  },
});

function wordsOf(answer: Answer): readonly string[] {
  return (answer.string('scope') ?? '').split(' ').filter(Boolean);
}

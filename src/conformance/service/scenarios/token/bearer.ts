import { status } from '../../../engine/rows.ts';
import type { Sending } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';

export const bearer = serviceScenario({
  id: 'bearer',
  title: 'A token is taken from the Authorization header alone',
  checks: {
    works: 'A call with a valid token is answered, and not with 401.',
    'letter-case': 'The scheme is case-insensitive.',
    query: 'A token in the query is refused, unless bearer_methods_supported has `query`.',
    body: 'A token in the body is refused, unless bearer_methods_supported has `body`.',
    repeated: 'A call with two Authorization headers is answered 400 or 401.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    const token = await world.accessToken(await someAssertion(world));
    const good = await client.call(token);
    if (!judge.expect('works', good.status !== 401 && good.status < 500, good)) return;
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      const headers = [['authorization', `${scheme} ${token}`]] as const;
      const answer = await client.call(undefined, { headers });
      const more = { case: scheme, expected: `${good.status}, as after Bearer` };
      judge.table(answer, { 'letter-case': status(good.status) }, more);
    }
    const listed = [facts.resourceMetadata, facts.metadata].flatMap(
      (document) => document['bearer_methods_supported'] ?? [],
    );
    const ways: readonly (readonly ['query' | 'body', string, Sending])[] = [
      ['query', `?access_token=${encodeURIComponent(token)}`, {}],
      [
        'body',
        '',
        {
          headers: [['content-type', 'application/x-www-form-urlencoded']],
          body: `access_token=${encodeURIComponent(token)}`,
        },
      ],
    ];
    for (const [way, query, sending] of ways) {
      if (facts.resource === undefined || listed.includes(way)) continue;
      const answer = await world.send(`${facts.resource}${query}`, { from: 'agent', ...sending });
      judge.expect(way, answer.refused && answer.status !== 403, answer);
    }
    const other = world.invented.token();
    for (const values of [
      [token, other],
      [other, token],
    ]) {
      const headers = values.map((value) => ['authorization', `Bearer ${value}`] as const);
      const answer = await client.call(undefined, { headers });
      judge.table(answer, { repeated: status(400, 401) });
    }
  },
});

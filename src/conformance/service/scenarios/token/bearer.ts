import type { Sending } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';

export const bearer = serviceScenario({
  id: 'bearer',
  title: 'A token is taken from the Authorization field, and from nowhere else',
  checks: {
    works: 'A call with a good token is not answered 401.',
    'letter-case': 'The scheme is read in any case spelling.',
    query: 'A token in the query is not taken, unless that is advertised.',
    body: 'A token in the body is not taken, unless that is advertised.',
    repeated: 'A call with two Authorization fields is refused.',
  },
  async run(judge, world) {
    const { client, facts } = world;
    const token = await world.accessToken(await someAssertion(world));
    const good = await client.call(token);
    const works = judge.expect('works', good.status !== 401 && good.status < 500, good);
    if (!works) return;
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      const sending = { headers: [['authorization', `${scheme} ${token}`]] as const };
      const answer = await client.call(undefined, sending);
      judge.expect('letter-case', answer.status === good.status, answer, {
        expected: `${good.status} after \`${scheme}\`, as after \`Bearer\``,
      });
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
      judge.expect(way, answer.refused && answer.status !== 403, answer, {
        expected: `a token in the ${way} counts for nothing: it is not in bearer_methods_supported`,
      });
    }
    const other = world.invented.token();
    for (const values of [
      [token, other],
      [other, token],
    ]) {
      const headers = values.map((value) => ['authorization', `Bearer ${value}`] as const);
      const answer = await client.call(undefined, { headers });
      judge.expect('repeated', answer.status === 400 || answer.status === 401, answer);
    }
  },
});

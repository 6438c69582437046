import { status } from '../../../engine/rows.ts';
import { isObject } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';
import { described, NO_WRITE, Writes } from '../../steps/writes.ts';
import type { WriteRequest } from '../../write-request.ts';

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
    if (!listed.includes('query')) {
      const url = new URL(client.protectedUrl());
      url.searchParams.set('access_token', token);
      const answer = await world.send(url.href, { from: 'agent' });
      // One that is read is answered as that of the header is, or is too narrow.
      const isRead = answer.status === good.status || answer.status === 403;
      judge.expect('query', answer.refused && !isRead, answer);
    }
    if (!listed.includes('body')) await judgeBody();
    const other = world.invented.token();
    for (const values of [
      [token, other],
      [other, token],
    ]) {
      const headers = values.map((value) => ['authorization', `Bearer ${value}`] as const);
      const answer = await client.call(undefined, { headers });
      judge.table(answer, { repeated: status(400, 401) });
    }

    async function judgeBody(): Promise<void> {
      const writes = new Writes(world);
      for (const write of writes.all().filter(({ body }) => body !== undefined)) {
        const withToken = { ...write, body: holding(write.body, token) };
        const answer = await writes.send(withToken, undefined);
        const outcome = await writes.outcome(write, answer);
        if (outcome === 'unknown') continue;
        // Whoever finds it too narrow has read it.
        const isRead =
          outcome === 'taken' ||
          (answer.status === 403 && (await writes.send(write, undefined)).status !== 403);
        judge.table(answer, { body: { ok: !isRead } }, { case: described(write) });
      }
      judge.skip('body', NO_WRITE, { needs: '--write-request' });
    }
  },
});

/** The same body with an access token in it, as RFC 6750 §2.2 has it, or as a member. */
function holding(body: WriteRequest['body'], token: string): WriteRequest['body'] {
  if (body?.type !== 'application/json') {
    const form = new URLSearchParams(body?.text);
    form.set('access_token', token);
    return { type: 'application/x-www-form-urlencoded', text: form.toString() };
  }
  const value: unknown = JSON.parse(body.text);
  return isObject(value)
    ? { ...body, text: JSON.stringify({ ...value, access_token: token }) }
    : body;
}

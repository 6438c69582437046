import { NotApplicable } from '../../../engine/judge.ts';
import { challengeParameter } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { Directory, metaOf } from '../../steps/directory.ts';

/** Answered without a token. */
const OPEN = /\/(api\/(services|methods|versions|changelog)|server\/(time|codes))\.\{format\}$/;

const CALLS = 5;

export const directoryGuarded = serviceScenario({
  id: 'directory-guarded',
  title: 'Somebody calls what else the catalog lists',
  checks: {
    guarded: 'Every other entry is answered 401, with a Bearer challenge and its metadata.',
    'key-required': '`meta.status` is 511 without a token, and 401 with a bad one.',
    'no-data': 'A token with the scope for reading gets 200, `meta.status` 204 and an empty list.',
    uncounted: 'Calls that are answered without data do not raise `meta.requests` of the listing.',
    'no-script': 'A call that carries a token is never answered as a script.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const entries = directory.methods().filter(({ template }) => !OPEN.test(template));
    const first = entries[0];
    if (first === undefined) throw new NotApplicable('The listing names nothing else.');
    for (const { template } of entries) {
      const answer = await directory.call(template);
      if (answer === undefined) continue;
      const field = answer.header('www-authenticate');
      const metadata = challengeParameter(field, 'bearer', 'resource_metadata');
      judge.expect('guarded', answer.status === 401 && metadata !== undefined, answer, {
        expected: `401 with a Bearer challenge at ${template}`,
      });
      judge.expect('key-required', metaOf(answer)['status'] === 511, answer);
    }
    const bearer = (token: string) => ({
      headers: [['authorization', `Bearer ${token}`]] as const,
    });
    const bad = await directory.call(first.template, 'json', bearer(world.invented.token()));
    judge.expect(
      'key-required',
      bad !== undefined && metaOf(bad)['status'] === 401,
      bad ?? 'nothing',
    );
    const token = await tokenOf(world);
    const served = await directory.call(first.template, 'json', bearer(token));
    if (served === undefined) return;
    const { message, status } = metaOf(served);
    judge.expect(
      'no-data',
      served.status === 200 &&
        status === 204 &&
        message === 'No data returned' &&
        isEmpty(served.member('data')),
      served,
    );
    // Others may call at the same time: only what these calls alone would add is held against it.
    const before = Number(metaOf(await directory.get('json'))['requests']);
    for (let n = 0; n < CALLS; n += 1) await directory.call(first.template, 'json', bearer(token));
    const after = Number(metaOf(await directory.get('json'))['requests']);
    judge.expect(
      'uncounted',
      !(after - before > CALLS),
      `${after}, after ${CALLS} calls without data`,
      { expected: `${before + 1}` },
    );
    const name = world.invented.word();
    const script = await directory.call(
      `${first.template}?callback=${name}`,
      'json',
      bearer(token),
    );
    const call = new RegExp(`\\b${name}\\s*\\(`);
    judge.expect('no-script', script === undefined || !call.test(script.text), script ?? 'nothing');
  },
});

function isEmpty(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0;
}

async function tokenOf(world: ServiceWorld): Promise<string> {
  const { assertion } = await world.anonymous();
  return world.accessToken(assertion);
}

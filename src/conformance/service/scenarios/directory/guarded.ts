import { NotApplicable } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { challengeParameter } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Directory, metaOf } from '../../steps/directory.ts';
import { isEmptyList } from '../../steps/members.ts';

/** Answered without a token. */
const OPEN = /\/(api\/(services|methods|versions|changelog)|server\/(time|codes))\.\{format\}$/;

const CALLS = 5;

export const directoryGuarded = serviceScenario({
  id: 'directory-guarded',
  title: 'The other methods of the catalog take a token',
  checks: {
    guarded: 'Every other method answers 401, with a Bearer challenge that has resource_metadata.',
    'key-required': '`meta.status` is 511 without a token, and 401 with a bad one.',
    'no-data':
      'A token with the read scope gets 200, `meta.status` 204, `No data returned` and `[]`.',
    uncounted: 'Calls answered without data do not raise `meta.requests` of the listing.',
    'no-script': 'A call with a token is never answered as a script.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const entries = directory.methods().filter(({ template }) => !OPEN.test(template));
    const first = entries[0];
    if (first === undefined) throw new NotApplicable('The listing has no other method.');
    for (const { template } of entries) {
      const answer = await directory.call(template);
      if (answer === undefined) continue;
      const field = answer.header('www-authenticate');
      const metadata = challengeParameter(field, 'bearer', 'resource_metadata');
      judge.table(
        answer,
        {
          guarded: { ok: answer.status === 401 && metadata !== undefined },
          'key-required': metaStatus(511),
        },
        { case: template },
      );
    }
    const call = (token: string, query = '') =>
      directory.call(`${first.template}${query}`, 'json', {
        headers: [['authorization', `Bearer ${token}`]],
      });
    const bad = await call(world.invented.token());
    if (bad === undefined) judge.expect('key-required', false, 'no answer to a bad token');
    else judge.table(bad, { 'key-required': metaStatus(401) });
    const { assertion } = await world.anonymous();
    const token = await world.accessToken(assertion);
    const served = await call(token);
    if (served === undefined) return;
    const { message, status } = metaOf(served);
    const isWithoutData = status === 204 && message === 'No data returned';
    const isEmpty = isEmptyList(served.member('data'));
    judge.expect('no-data', served.status === 200 && isWithoutData && isEmpty, served);
    // Others may call at the same time: only what these calls alone would add is held against it.
    const before = await directory.requests();
    for (let n = 0; n < CALLS; n += 1) await call(token);
    const after = await directory.requests();
    const seen = `from ${before} to ${after} by ${CALLS} calls without data`;
    judge.expect('uncounted', !(after - before > CALLS), seen);
    const name = world.invented.word();
    const script = await call(token, `?callback=${name}`);
    const isScript = new RegExp(`\\b${name}\\s*\\(`).test(script?.text ?? '');
    judge.expect('no-script', !isScript, script ?? 'no answer');
  },
});

const metaStatus = (status: number) => (answer: Answer) => ({
  ok: metaOf(answer)['status'] === status,
});

import { NotApplicable } from '../../../engine/judge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Directory } from '../../steps/directory.ts';

/** Answered without a token. */
const OPEN = /\/(api\/(services|methods|versions|changelog)|server\/(time|codes))\.\{format\}$/;

const CALLS = 5;

export const directoryGuarded = serviceScenario({
  id: 'directory-guarded',
  title: 'The other methods of the catalog take a token',
  checks: {
    uncounted: 'Calls answered without data do not raise `meta.requests` of the listing.',
    'no-script': 'A call with a token is never answered as a script.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const entries = directory.methods().filter(({ template }) => !OPEN.test(template));
    const first = entries[0];
    if (first === undefined) throw new NotApplicable('The listing has no other method.');
    const call = (token: string, query = '') =>
      directory.call(`${first.template}${query}`, 'json', {
        headers: [['authorization', `Bearer ${token}`]],
      });
    const { assertion } = await world.anonymous();
    const token = await world.accessToken(assertion);
    const served = await call(token);
    if (served === undefined) return;
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

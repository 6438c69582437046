import { NotApplicable } from '../../../engine/judge.ts';
import { status } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Directory, metaOf } from '../../steps/directory.ts';

/** Suffixes that are no format; those of the listing are `.json` and `.xml`. */
const NO_FORMATS = ['.yaml', '.JSON', '.json.xml', '.html', '', '.', '.json%00'];

export const directoryRequests = serviceScenario({
  id: 'directory-requests',
  title: 'The listing is requested in other ways',
  checks: {
    'other-formats': 'Another format is answered with an error in the envelope of the directory.',
    head: 'HEAD is answered with the status and headers of GET, without a body.',
    'other-methods': 'POST, PUT and DELETE are answered 405 with `Allow`.',
    'key-unread': 'A `key` parameter changes nothing and is not echoed.',
    counted: '`meta.requests` rises with each call that is answered with data.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    for (const end of NO_FORMATS) {
      const answer = await world.send(`${directory.url}${end}`);
      const meta = metaOf(answer);
      judge.table(answer, {
        'other-formats': { ok: answer.status >= 400 && 'status' in meta },
      });
    }
    const head = await directory.get('json', '', { method: 'HEAD' });
    const same = (name: string) => head.header(name) === directory.listing.header(name);
    const isSame = head.status === directory.listing.status && same('content-type');
    judge.expect('head', isSame && head.text === '', head);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await directory.get('json', '', { method });
      const isAllowed = answer.status === 405 && answer.header('allow') !== undefined;
      judge.expect('other-methods', isAllowed, answer, { case: method });
    }
    const key = world.invented.token();
    const keyed = await directory.get('json', `?key=${key}`);
    judge.table(keyed, {
      'key-unread': [status(200), { ok: !keyed.text.includes(key), seen: 'It echoes the key.' }],
    });
    const [first, second] = [await directory.requests(), await directory.requests()];
    judge.expect('counted', second > first, `${first}, then ${second}`);
  },
});

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

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

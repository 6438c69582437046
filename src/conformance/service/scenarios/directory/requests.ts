import { serviceScenario } from '../../service-scenario.ts';
import { Directory, metaOf } from '../../steps/directory.ts';

/** Ends of a path that are no format; the listing itself ends in `.json` and `.xml`. */
const NO_FORMATS = ['.yaml', '.JSON', '.json.xml', '.html', '', '.', '.json%00'];

export const directoryRequests = serviceScenario({
  id: 'directory-requests',
  title: 'Somebody asks for the listing in other ways',
  checks: {
    'other-formats': 'Another format is answered with the error envelope.',
    'invalid-method': 'It is answered 404, with `meta.status` 501 and `Invalid method`.',
    head: 'HEAD is answered as GET, without a body.',
    'other-methods': 'POST, PUT and DELETE are answered 405 with `Allow`.',
    'key-unread': 'A `key` changes nothing and is not repeated.',
    counted: '`meta.requests` grows with each call that is answered with data.',
    'own-address': 'The listing is also at its own `service_url`, with the same data.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    for (const end of NO_FORMATS) {
      const answer = await world.send(`${directory.address}${end}`);
      const meta = metaOf(answer);
      judge.expect('other-formats', answer.status >= 400 && 'status' in meta, answer);
      judge.expect(
        'invalid-method',
        answer.status === 404 && meta['status'] === 501 && meta['message'] === 'Invalid method',
        answer,
      );
    }
    const head = await directory.get('json', '', { method: 'HEAD' });
    const same = head.header('content-type') === directory.listing.header('content-type');
    judge.expect(
      'head',
      head.status === directory.listing.status && head.text === '' && same,
      head,
      { expected: `${directory.listing.status} and the headers of GET` },
    );
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await directory.get('json', '', { method });
      judge.expect(
        'other-methods',
        answer.status === 405 && answer.header('allow') !== undefined,
        answer,
        { expected: `405 with Allow for ${method}` },
      );
    }
    const key = world.invented.token();
    const keyed = await directory.get('json', `?key=${key}`);
    judge.expect(
      'key-unread',
      keyed.status === 200 && !keyed.text.includes(key),
      keyed.status === 200 ? 'an answer with the key' : keyed,
      { exchange: keyed.exchange },
    );

    const count = async () => Number(metaOf(await directory.get('json'))['requests']);
    const [first, second] = [await count(), await count()];
    judge.expect('counted', second > first, `${second}`, { expected: `more than ${first}` });
    const own = directory.find('/api/services.{format}');
    const there = own && (await directory.call(own.template));
    judge.expect(
      'own-address',
      JSON.stringify(there?.member('data')) === JSON.stringify(directory.listing.member('data')),
      there ?? 'no such method in the listing',
    );
  },
});

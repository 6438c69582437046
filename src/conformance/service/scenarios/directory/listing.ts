import { NotApplicable, shown } from '../../../engine/judge.ts';
import {
  header,
  is,
  isNumber,
  isText,
  mediaType,
  member,
  noStore,
  status,
} from '../../../engine/rows.ts';
import { isObject } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-world.ts';
import { Directory, metaOf, objects } from '../../steps/directory.ts';
import { isEmptyList } from '../../steps/metadata-documents.ts';

/** The id of the listing method. */
const METHOD_ID = 1081;
/** Seconds that `meta.timestamp` and `Date` may differ. */
const SLACK = 5;

const DESCRIBED_AS_TEXT =
  'The specification describes the id as a string, and serialises it as an integer.';

export const directoryListing = serviceScenario({
  id: 'directory-listing',
  title: 'The listing of the API services is requested',
  safe: true,
  checks: {
    open: 'The listing is answered 200 without a key.',
    envelope: 'The answer is an object with `meta`, an object, and `data`, a list of objects.',
    requests: '`meta.requests` is an integer.',
    timestamp: '`meta.timestamp` is the time of the answer in whole Unix seconds.',
    status: '`meta.status` is 200.',
    message: '`meta.message` is a string that is not empty.',
    'method-id': '`meta.method_id` is 1081.',
    version: '`meta.version` is a number.',
    method: '`meta.method` is an empty object.',
    services:
      'Each service has service_id, service_name, service_url and methods, of their types or null.',
    'service-url': 'Each `service_url` ends in /v2/ and the name of the service.',
    methods: 'Each method has an integer as method_id, or null.',
    'method-url': 'Each `method_url` begins with a slash and ends in `.{format}`, or is null.',
    distinct: 'No two services have the same id, and each has a method.',
    'json-type': 'The answer is application/json.',
    live: 'Cache-Control is no-store, no-cache or max-age=0.',
    'no-store': 'The answer has Cache-Control: no-store.',
  },
  async run(judge, world) {
    const { listing, meta, services } = await Directory.open(world);
    const { exchange } = listing;
    const now = (Date.parse(listing.header('date') ?? '') || world.time.now()) / 1000;
    const isNow = (time: unknown) =>
      Number.isInteger(time) && Math.abs(Number(time) - now) <= SLACK;
    const areObjects = (list: unknown) => Array.isArray(list) && list.every(isObject);
    judge.table(listing, {
      open: status(200),
      envelope: [member('meta', isObject), member('data', areObjects)],
      'json-type': mediaType('application/json'),
      live: header('Cache-Control', () => listing.cacheControl.some((each) => LIVE.test(each))),
      'no-store': noStore,
    });
    judge.table(
      meta,
      {
        requests: member('requests', Number.isInteger),
        timestamp: member('timestamp', isNow, { expected: `about ${Math.floor(now)}` }),
        status: member('status', is(200)),
        message: member('message', (text) => isText(text) && text !== ''),
        'method-id': member('method_id', is(METHOD_ID)),
        version: member('version', isNumber),
        method: member('method', isEmptyObject, {
          reading: isEmptyList(meta['method']) ? 'The published API has sent [] too.' : undefined,
        }),
      },
      { exchange },
    );
    for (const service of services) {
      const { service_name: name, service_url: url } = service;
      const isOwnUrl = url === null || name === null || endsIn(url, name);
      judge.table(
        service,
        {
          services: [
            member('service_id', orNull(Number.isInteger)),
            member('service_name', orNull(isText)),
            member('service_url', orNull(isText)),
            member('methods', orNull(Array.isArray)),
          ],
          'service-url': member('service_url', () => isOwnUrl),
        },
        { case: String(name), exchange },
      );
      for (const method of objects(service['methods'])) {
        const reading = isText(method['method_id']) ? DESCRIBED_AS_TEXT : undefined;
        judge.table(
          method,
          {
            methods: member('method_id', orNull(Number.isInteger), { reading }),
            'method-url': member('method_url', orNull(isTemplate)),
          },
          { exchange },
        );
      }
    }
    const ids = services.map(({ service_id: id }) => id).filter((id) => id !== null);
    const empty = services.find(({ methods }) => methods !== null && objects(methods).length === 0);
    judge.table(listing, {
      distinct: [
        { ok: new Set(ids).size === ids.length, seen: `ids ${ids.join(', ')}` },
        { ok: empty === undefined, seen: shown(empty) },
      ],
    });
  },
});

const LIVE = /^(no-store|no-cache|(s-maxage|max-age)=0)$/;

const orNull = (test: (value: unknown) => boolean) => (value: unknown) =>
  value === null || test(value);

const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

const isTemplate = (value: unknown) =>
  isText(value) && value.startsWith('/') && value.endsWith('.{format}');

function endsIn(url: unknown, name: unknown): boolean {
  return isText(url) && URL.canParse(url) && url.endsWith(`/v2/${String(name)}`);
}

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

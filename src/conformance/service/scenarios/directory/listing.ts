import type { FindingDetails } from '../../../engine/judge.ts';
import { isObject } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Directory, objects } from '../../steps/directory.ts';

/** The id of the listing method. */
const METHOD_ID = 1081;
/** Seconds between the clock of an answer and its `Date`. */
const SLACK = 5;

export const directoryListing = serviceScenario({
  id: 'directory-listing',
  title: 'Somebody asks which API services there are',
  safe: true,
  checks: {
    open: 'The listing is answered 200 without a key.',
    envelope: 'The answer is an object with `meta`, an object, and `data`, a list of objects.',
    requests: '`meta.requests` is an integer.',
    timestamp: '`meta.timestamp` is the time of the answer in whole Unix seconds.',
    status: '`meta.status` is 200.',
    message: '`meta.message` is a text.',
    'message-text': '`meta.message` is `Request successful`.',
    'method-id': '`meta.method_id` is 1081.',
    version: '`meta.version` is a number.',
    'version-number': '`meta.version` is 2.07.',
    method: '`meta.method` is an empty object.',
    services: 'Each service has an id, a name, an address and methods, of their types or null.',
    'service-url': 'Each `service_url` ends in /v2/ and the name of the service.',
    methods: 'Each method has an integer as id, or null.',
    'method-url': 'Each `method_url` begins with a slash and ends in `.{format}`, or is null.',
    distinct: 'No two services have one id, and each has a method.',
    'json-type': 'The answer is application/json.',
    'json-charset': 'The answer is application/json; charset=utf-8.',
    live: 'No cache may give the answer away unasked.',
    'no-store': 'The answer has Cache-Control: no-store.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const { listing, meta, services } = directory;
    const shown = (member: string, more: FindingDetails = {}): [string, FindingDetails] => [
      member in meta ? `\`${JSON.stringify(meta[member])}\`` : 'no such member',
      { exchange: listing.exchange, ...more },
    ];
    judge.expect('open', listing.status === 200, listing);
    const data = listing.member('data');
    judge.expect(
      'envelope',
      isObject(listing.member('meta')) && Array.isArray(data) && data.every(isObject),
      listing,
    );
    judge.expect('requests', Number.isInteger(meta['requests']), ...shown('requests'));
    const at = Date.parse(listing.header('date') ?? '') || world.time.now();
    const { timestamp } = meta;
    judge.expect(
      'timestamp',
      Number.isInteger(timestamp) && Math.abs(Number(timestamp) - at / 1000) <= SLACK,
      ...shown('timestamp', { expected: `about ${Math.floor(at / 1000)}` }),
    );
    judge.expect('status', meta['status'] === 200, ...shown('status'));
    const { message, method, version } = meta;
    judge.expect('message', typeof message === 'string' && message !== '', ...shown('message'));
    judge.expect('message-text', message === 'Request successful', ...shown('message'));
    judge.expect(
      'method-id',
      meta['method_id'] === METHOD_ID,
      ...shown('method_id', { expected: `${METHOD_ID}` }),
    );
    judge.expect('version', typeof version === 'number', ...shown('version'));
    judge.expect('version-number', version === 2.07, ...shown('version'));
    judge.expect(
      'method',
      isObject(method) && Object.keys(method).length === 0,
      // The published API has sent both.
      ...shown('method', { warn: Array.isArray(method) && method.length === 0 }),
    );

    for (const service of services) {
      const about = { seen: JSON.stringify(service).slice(0, 200), exchange: listing.exchange };
      const { methods, service_id: id, service_name: name, service_url: url } = service;
      judge.expect(
        'services',
        isNullOr(id, Number.isInteger) &&
          isNullOr(name, isText) &&
          isNullOr(url, isText) &&
          isNullOr(methods, Array.isArray),
        about.seen,
        { exchange: about.exchange },
      );
      judge.expect('service-url', url === null || name === null || endsIn(url, name), about.seen, {
        expected: `an address that ends in /v2/${String(name)}`,
        exchange: about.exchange,
      });
      for (const { method_id: methodId, method_url: path } of objects(methods)) {
        judge.expect(
          'methods',
          isNullOr(methodId, Number.isInteger),
          // The specification describes it as a string, and serialises it as an integer.
          `\`${JSON.stringify(methodId)}\``,
          { exchange: listing.exchange, warn: isText(methodId) },
        );
        judge.expect('method-url', isNullOr(path, isTemplate), `\`${JSON.stringify(path)}\``, {
          exchange: listing.exchange,
        });
      }
    }
    const ids = services.map(({ service_id: id }) => id).filter((id) => id !== null);
    const empty = services.find(({ methods }) => methods !== null && objects(methods).length === 0);
    judge.expect(
      'distinct',
      new Set(ids).size === ids.length && empty === undefined,
      empty === undefined ? `ids ${ids.join(', ')}` : JSON.stringify(empty),
      { exchange: listing.exchange },
    );

    const type = { seen: listing.header('content-type') ?? 'none', exchange: listing.exchange };
    judge.expect('json-type', listing.mediaType === 'application/json', type.seen, {
      exchange: type.exchange,
    });
    judge.expect('json-charset', /;\s*charset="?utf-8"?/i.test(type.seen), type.seen, {
      exchange: type.exchange,
    });
    const caching = { seen: listing.cacheControl.join(', ') || 'none', exchange: listing.exchange };
    judge.expect(
      'live',
      listing.cacheControl.some((each) => LIVE.test(each)),
      caching.seen,
      { exchange: caching.exchange },
    );
    judge.expect('no-store', listing.cacheControl.includes('no-store'), caching.seen, {
      exchange: caching.exchange,
    });
  },
});

const LIVE = /^(no-store|no-cache|(s-maxage|max-age)=0)$/;

function isNullOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === null || is(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTemplate(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('/') && value.endsWith('.{format}');
}

function endsIn(url: unknown, name: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && url.endsWith(`/v2/${String(name)}`);
}

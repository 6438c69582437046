import { PROTECTED_RESOURCE_PATH } from '../../../../protocol/index.ts';
import type { Reading } from '../../../engine/judge.ts';
import { has, is, isText, mediaType, member, not } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-world.ts';
import {
  type Found,
  isList,
  membersOf,
  noEmptyLists,
  resourceDocuments,
} from '../../steps/metadata-documents.ts';
import { insertedUrl, isSecureUrl } from '../../steps/urls.ts';

const METHODS = ['header', 'body', 'query'];

/** */
const ONE_DOCUMENT =
  'The specification shows one document for the whole origin, to which every challenge points.';
const COVERING =
  'The specification shows one resource for all paths; RFC 9728 §3.3 wants the URL that was requested.';

export const resourceMetadata = serviceScenario({
  id: 'resource-metadata',
  title: 'The protected resource publishes its metadata',
  safe: true,
  checks: {
    served: 'The metadata of the protected resource is a JSON object, answered with 200.',
    'media-type': 'The metadata is sent as application/json.',
    inserted: 'The metadata is at the path-inserted well-known URL of the protected resource.',
    resource: '`resource` is an https URL without a fragment, or http on loopback.',
    'requested-resource':
      'The `resource` of the document found by a challenge is the URL that was requested.',
    'own-resource': 'The `resource` of each document is what its own URL was derived from.',
    'authorization-servers': '`authorization_servers` are https URLs, or http on loopback.',
    scopes: '`scopes_supported` is a list of strings.',
    'bearer-methods': '`bearer_methods_supported` has `header`.',
    'known-methods':
      'No bearer method but header, body and query is listed, nor the algorithm `none`.',
    'resource-name': '`resource_name` is a string for users.',
    'no-empty-members': 'No list of the resource is empty, except bearer_methods_supported.',
  },
  async run(judge, world) {
    const found = await resourceDocuments(world);
    const [first] = found;
    judge.expect('served', first !== undefined, 'No metadata of the protected resource.');
    if (first === undefined) return;
    const { resource, metadata } = world.facts;
    for (const each of found) {
      judge.table(each.answer, {
        'media-type': mediaType('application/json'),
        'own-resource': member('resource', () => isOwn(each), { case: each.url }),
        // One document for resource and server has the list that RFC 8414 §2 asks for, if only an empty one.
        'no-empty-members': noEmptyLists('bearer_methods_supported', 'response_types_supported'),
      });
    }
    const { answer } = first;
    judge.table(answer, {
      resource: member('resource', isSecureUrl),
      'requested-resource': resource === undefined ? undefined : isRequested(resource),
      'authorization-servers': member('authorization_servers', (list) => isList(list, isSecureUrl)),
      'resource-name': member('resource_name', isText),
      'known-methods': member('resource_signing_alg_values_supported', not(has('none'))),
    });
    if (resource !== undefined) {
      const url = insertedUrl(resource, PROTECTED_RESOURCE_PATH);
      const urls = found.map((each) => each.url);
      judge.expect('inserted', urls.includes(url), `Documents at ${urls.join(', ')}.`, {
        expected: `a document at ${url}`,
        exchange: answer.exchange,
        reading: ONE_DOCUMENT,
      });
    }
    // The specification shows these for one document that holds both, so either may have them.
    const both = { ...metadata, ...membersOf(first) };
    const methods = both['bearer_methods_supported'];
    const listed: readonly unknown[] = Array.isArray(methods) ? methods : [];
    judge.table(
      both,
      {
        scopes: member('scopes_supported', isList),
        'bearer-methods': member('bearer_methods_supported', has('header')),
        'known-methods': member('bearer_methods_supported', () => listed.every(is(...METHODS))),
      },
      answer,
    );
  },
});

/** An origin alone has two spellings, which are requested alike. */
function isRequested(url: string) {
  const { origin, pathname } = new URL(url);
  const expected = pathname === '/' ? origin : origin + pathname;
  const right = pathname === '/' ? is(origin, `${origin}/`) : is(expected);
  return (answer: Answer): Reading => {
    const covers = isPrefix(answer.string('resource') ?? '', expected);
    const reading = covers ? COVERING : undefined;
    return member('resource', right, { expected, reading })(answer);
  };
}

/** The well-known path taken out again. Of an origin, both spellings have the same URL. */
function isOwn({ url, answer }: Found): boolean {
  const { origin, pathname } = new URL(url);
  const own = answer.member('resource');
  if (!pathname.startsWith(PROTECTED_RESOURCE_PATH)) return true;
  const path = pathname.slice(PROTECTED_RESOURCE_PATH.length);
  return own === origin + path || (path === '' && own === `${origin}/`);
}

/** Same origin, and a path that ends at a segment of the other. */
function isPrefix(prefix: string, url: string): boolean {
  const base = prefix.replace(/\/$/, '');
  return url === base || url.startsWith(`${base}/`);
}

import { PROTECTED_RESOURCE_PATH } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { emptyMembers, isList, judgePublic } from '../../steps/members.ts';
import { type Found, membersOf, resourceDocuments } from '../../steps/metadata-documents.ts';
import { insertedUrl, isSecureUrl, shown } from '../../steps/urls.ts';

const METHODS = ['header', 'body', 'query'];

export const resourceMetadata = serviceScenario({
  id: 'resource-metadata',
  title: 'The metadata of the protected resource is there, and right',
  safe: true,
  checks: {
    served: 'The metadata of the protected resource is a JSON object, answered with 200.',
    'media-type': 'It is sent as application/json.',
    inserted: 'It lies at the path-inserted address of the protected address.',
    resource: 'It names its `resource`: an absolute https address without a fragment.',
    'requested-resource':
      'The `resource` of the document found by a challenge is what was requested.',
    'own-resource': 'The `resource` of each document is what its own address was derived from.',
    'authorization-servers': 'It names its authorization servers by safe addresses.',
    scopes: '`scopes_supported` is published as a list of texts.',
    'bearer-methods': '`bearer_methods_supported` is published, with `header` in it.',
    'known-methods': 'It lists no other methods than those of RFC 6750, and no algorithm `none`.',
    'resource-name': 'It has a `resource_name` for people.',
    'header-alone': '`bearer_methods_supported` is `header` alone.',
    'no-empty-members': 'It leaves out lists without elements.',
    cacheable: 'It may be kept by every cache.',
    'any-origin': 'It may be read from every origin.',
  },
  async run(judge, world) {
    const found = await resourceDocuments(world);
    const [first] = found;
    judge.expect('served', first !== undefined, 'No metadata of the protected resource.', {
      exchange: first?.answer.exchange,
    });
    if (first === undefined) return;
    const { resource } = world.facts;
    for (const each of found) {
      judge.expect(
        'media-type',
        each.answer.mediaType === 'application/json',
        `Content-Type: ${each.answer.header('content-type') ?? 'none'}`,
        { exchange: each.answer.exchange },
      );
      judge.expect('own-resource', isOwn(each), shown(membersOf(each)['resource']), {
        expected: `the \`resource\` that ${each.url} is derived from`,
        exchange: each.answer.exchange,
      });
      const empty = emptyMembers(membersOf(each), ['bearer_methods_supported']);
      judge.expect('no-empty-members', empty.length === 0, `${empty.join(', ')} without elements`, {
        exchange: each.answer.exchange,
      });
    }
    const at = { exchange: first.answer.exchange };
    const members = membersOf(first);
    const own = members['resource'];
    judge.expect('resource', isSecureUrl(own), shown(own), at);
    if (resource !== undefined) {
      const requested = withoutQuery(resource);
      // An origin alone has two spellings, which are requested alike.
      const isRequested =
        own === requested || (own === `${requested}/` && new URL(requested).pathname === '/');
      judge.expect('requested-resource', isRequested, shown(own), {
        expected: requested,
        warn: typeof own === 'string' && isPrefix(own, requested),
        ...at,
      });
      const right = insertedUrl(resource, PROTECTED_RESOURCE_PATH);
      judge.expect(
        'inserted',
        found.some(({ url }) => url === right),
        // A document of the origin alone, to which the challenge points, is another reading.
        `Documents at ${found.map(({ url }) => url).join(', ')}.`,
        { expected: `a document at ${right}`, warn: true, ...at },
      );
    }
    const servers = members['authorization_servers'];
    judge.expect('authorization-servers', isList(servers, isSecureUrl), shown(servers), at);
    judge.expect(
      'resource-name',
      typeof members['resource_name'] === 'string',
      shown(members['resource_name']),
      { ...at },
    );
    // The specification shows these for one document that holds both, so either may have them.
    const either = { ...world.facts.metadata, ...members };
    judge.expect('scopes', isList(either['scopes_supported']), shown(either['scopes_supported']), {
      ...at,
    });
    const methods = either['bearer_methods_supported'];
    const listed = Array.isArray(methods) ? methods : [];
    judge.expect('bearer-methods', listed.includes('header'), shown(methods), at);
    judge.expect(
      'header-alone',
      listed.every((method) => method === 'header'),
      shown(methods),
      { ...at },
    );
    const algorithms = members['resource_signing_alg_values_supported'];
    const isKnown =
      listed.every((method) => METHODS.includes(method as string)) &&
      !(Array.isArray(algorithms) && algorithms.includes('none'));
    judge.expect('known-methods', isKnown, `${shown(methods)} and ${shown(algorithms)}`, at);
    judgePublic(judge, first.answer);
  },
});

/** The well-known path taken out again. Of an origin, both spellings have the same address. */
function isOwn({ url, answer }: Found): boolean {
  const { origin, pathname } = new URL(url);
  const own = answer.member('resource');
  if (!pathname.startsWith(PROTECTED_RESOURCE_PATH)) return true;
  const path = pathname.slice(PROTECTED_RESOURCE_PATH.length);
  return own === origin + path || (path === '' && own === `${origin}/`);
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return pathname === '/' ? origin : origin + pathname;
}

/** Same origin, and a path that ends at a segment of the other. */
function isPrefix(prefix: string, url: string): boolean {
  const base = prefix.replace(/\/$/, '');
  return url === base || url.startsWith(`${base}/`);
}

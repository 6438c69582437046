import { PROTECTED_RESOURCE_PATH } from '../../../../protocol/index.ts';
import type { Reading } from '../../../engine/judge.ts';
import {
  challenge as bearer,
  has,
  header,
  is,
  isAbsent,
  isText,
  mediaType,
  member,
  not,
  status,
} from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readChallenges } from '../../../http/challenge.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import {
  type Found,
  isDocument,
  isList,
  membersOf,
  noEmptyLists,
  resourceDocuments,
  serverDocument,
} from '../../steps/metadata-documents.ts';
import {
  insertedUrl,
  isSecureUrl,
  metadataHint,
  namingHost,
  protectedUrl,
} from '../../steps/urls.ts';

export const challenge = serviceScenario({
  id: 'challenge',
  title: 'A call without a token is referred to the metadata',
  safe: true,
  checks: {
    open: 'A call without a token is answered with no success.',
    unauthenticated: 'A protected URL answers 401 to a call without a token.',
    bearer: 'The 401 carries a Bearer challenge with at least one parameter.',
    grammar: 'WWW-Authenticate follows the grammar of challenges.',
    once: 'The Bearer challenge has no parameter twice.',
    'metadata-hint': '`resource_metadata` of the challenge is an https URL, or http on loopback.',
    'leads-to-metadata': '`resource_metadata` leads to metadata that has `authorization_servers`.',
    'inserted-hint': '`resource_metadata` is the requested URL with the well-known path inserted.',
    'no-error': 'The challenge for a call without credentials has no `error`.',
    'bad-token-hint': 'The 401 for a bad token has `resource_metadata` too.',
  },
  resting: {
    'challenge.grammar': ['bearer', 'once', 'no-error', 'metadata-hint', 'bad-token-hint'],
    'challenge.metadata-hint': ['bad-token-hint'],
  },
  async run(judge, world) {
    const url = protectedUrl(world);
    const answer = await world.client.call(undefined);
    // RFC 9110 §15: an error with status 200 gives nothing away.
    const isOpen = answer.ok && answer.errorCode === undefined;
    if (!judge.expect('open', !isOpen, answer)) return;
    if (!judge.table(answer, { unauthenticated: status(401) })) return;
    const field = answer.header('www-authenticate');
    const challenges = readChallenges(field ?? '');
    const parameters = challenges?.find(({ scheme }) => scheme === 'bearer')?.parameters ?? [];
    const names = parameters.map(([name]) => name);
    const hint = metadataHint(answer);
    if (field !== undefined) {
      judge.table(answer, { grammar: header('WWW-Authenticate', () => challenges !== undefined) });
    }
    const hasParameter = names.length > 0 || hint !== undefined;
    judge.table(answer, { bearer: header('WWW-Authenticate', () => hasParameter) });
    if (field === undefined) return;
    if (challenges !== undefined) {
      judge.table(answer, {
        once: header('WWW-Authenticate', () => new Set(names).size === names.length),
        'no-error': bearer('error', isAbsent),
      });
    }
    judge.table(answer, { 'metadata-hint': header('WWW-Authenticate', () => isSecureUrl(hint)) });
    const bad = await world.client.call(world.invented.token());
    const isReferred = bad.status !== 401 || isSecureUrl(metadataHint(bad));
    judge.table(bad, { 'bad-token-hint': header('WWW-Authenticate', () => isReferred) });
    if (!isSecureUrl(hint)) return;
    const expected = insertedUrl(url, PROTECTED_RESOURCE_PATH);
    judge.table(answer, {
      'inserted-hint': header('WWW-Authenticate', () => hint === expected, { expected }),
    });
    const metadata = await world.send(hint);
    const leads = isDocument(metadata) && Array.isArray(metadata.member('authorization_servers'));
    judge.expect('leads-to-metadata', leads, metadata);
  },
});

export const hostileHeaders = serviceScenario({
  id: 'hostile-headers',
  title: 'No header of a caller changes the URLs of the service',
  safe: true,
  checks: {
    forwarded: 'The host of a forwarding header appears in no document and no challenge.',
    host: 'A foreign Host appears in no document and no challenge.',
    unchanged: 'Later answers without these headers do not name the foreign host.',
  },
  async run(judge, world) {
    const { resource } = world.facts;
    const evil = world.elsewhere;
    const documents = [...(await resourceDocuments(world)), await serverDocument(world)];
    const urls = [
      ...new Set([...documents.map(({ url }) => url), ...(resource ? [resource] : [])]),
    ];
    const before = await textsOf(world, urls);
    for (const [check, headers] of namingHost(evil)) {
      for (const url of urls) {
        const answer = await ask(world, url, headers);
        if (answer === undefined) continue;
        const all = `${answer.text}${answer.headers.map(([, value]) => value).join('\n')}`;
        // A server that does not serve this host may name it in its error.
        const isOurs = answer.status === 200 || answer.status === 401;
        const { exchange } = answer;
        const seen = answer.status === 401 ? answer.header('www-authenticate') : undefined;
        judge.expect(check, !(isOurs && all.includes(evil)), seen ?? answer, { exchange });
      }
    }
    const after = await textsOf(world, urls);
    const poisoned = urls.filter(
      (_url, at) => after[at]?.includes(evil) && !before[at]?.includes(evil),
    );
    judge.expect('unchanged', poisoned.length === 0, `${evil} in ${poisoned.join(', ')}`);
  },
});

async function ask(world: ServiceWorld, url: string, headers: HeaderList) {
  try {
    return await world.send(url, { headers });
  } catch (error) {
    // Closing the connection refuses it too.
    if (error instanceof NoAnswer && error.kind === 'broken') return undefined;
    throw error;
  }
}

async function textsOf(world: ServiceWorld, urls: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const url of urls) {
    const answer = await world.send(url);
    texts.push(answer.text + (answer.header('www-authenticate') ?? ''));
  }
  return texts;
}

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

/** Whether a URL has the origin of a prefix, whose path ends at one of its segments. */
function isPrefix(prefix: string, url: string): boolean {
  const base = prefix.replace(/\/$/, '');
  return url === base || url.startsWith(`${base}/`);
}

import { type JsonObject, parsedUrl } from '../../protocol/index.ts';
import type { MemberPath } from '../document.ts';
import { typesIn } from '../found.ts';
import type { DocumentName } from '../model.ts';
import { shown } from '../read.ts';
import type { Read } from '../read-documents.ts';
import { isInsecure, isRelative, webUrl } from '../url.ts';
import { type GivenUrl, urlsIn } from './places.ts';
import { type Breach, breach } from './rule.ts';

/** More members of an object are not looked at. */
const MOST_MEMBERS = 200;

/** Every member that should hold a URL, in the server's document and in the block. */
function urlMembers({ block, document, path, server }: Read): readonly GivenUrl[] {
  const objects: [DocumentName, MemberPath, JsonObject][] = [['server', [], server]];
  if (block !== undefined && block !== server) objects.push([document, path, block]);
  if (block !== undefined && path.length > 0) {
    for (const [type, its] of typesIn(block)) objects.push([document, [...path, type], its]);
  }
  return objects.flatMap(([its, at, object]) =>
    Object.entries(object)
      .slice(0, MOST_MEMBERS)
      .filter(([name]) => {
        const isIssuer = at.length === 0 && name === 'issuer';
        return isIssuer || /(?:_endpoint|_uri|_url)$|^skill$/.test(name);
      })
      .map(([name, value]): GivenUrl => [its, [...at, name], value]),
  );
}

type UrlRule = 'not-a-url' | 'skill-not-a-url' | 'url-template' | 'relative-url' | 'insecure-url';

type Problem = readonly [rule: UrlRule, message: string, fix: string];

/** What is wrong in the URLs of documents: looked for once, whichever rule asks. */
const known = new WeakMap<Read, readonly (readonly [rule: UrlRule, breach: Breach])[]>();

/** Where a URL is wrong in the way that one of these rules is about. */
export function badUrls(read: Read, rule: UrlRule): readonly Breach[] {
  const found = known.get(read) ?? problemsIn(read);
  known.set(read, found);
  return found.flatMap(([its, breach]) => (its === rule ? breach : []));
}

function problemsIn(read: Read): readonly (readonly [rule: UrlRule, breach: Breach])[] {
  return urlMembers(read).flatMap(([document, path, value]) => {
    const problem = problemOf(value, path.at(-1) === 'skill', read.at);
    if (problem === undefined) return [];
    const [rule, message, fix] = problem;
    return [[rule, breach(document, path, message, fix)]] as const;
  });
}

function problemOf(value: unknown, isSkill: boolean, at: string | undefined): Problem | undefined {
  if (typeof value !== 'string') {
    const what = value === null ? 'null' : 'not text';
    return ['not-a-url', `It is ${what}.`, 'Give a URL, or leave it out.'];
  }
  const text = value.trim();
  const named = shown(text);
  if (/[{}<>]/.test(text) && /^(https?:|\/)/.test(text)) {
    const message = `${named} has a blank to fill in: no agent can call it.`;
    const fix = 'Give a URL that works as it stands; an answer may name one of its own.';
    return ['url-template', message, fix];
  }
  if (isRelative(text)) return ['relative-url', `${named} names no host.`, 'Give the whole URL.'];
  const url = webUrl(text);
  if (url === undefined && isSkill) {
    return ['skill-not-a-url', 'It is no URL.', 'Name the URL of the skill file.'];
  }
  if (url === undefined) {
    const fix = 'Give a URL that an agent can call, or leave it out.';
    return ['not-a-url', `${named} is not a URL of https.`, fix];
  }
  if (!isInsecure(url, at)) return undefined;
  const here = webUrl(at)?.protocol === 'https:' ? ', in a document that came by https' : '';
  return ['insecure-url', `${named} is of http${here}: agents refuse it.`, 'Use https.'];
}

const OF_SERVER = ['issuer', 'token_endpoint', 'revocation_endpoint'];
const OF_BLOCK = ['skill', 'identity_endpoint', 'claim_endpoint', 'events_endpoint'];

/** URLs that agents act on, with something in them that is not sent. */
export function notPlain(read: Read): readonly Breach[] {
  const { metadata, blocks } = read;
  const urls: readonly GivenUrl[] = [
    ...OF_SERVER.map((name): GivenUrl => ['server', [name], metadata?.[name]]),
    ...blocks.flatMap(({ document, members, path }) =>
      OF_BLOCK.map((name): GivenUrl => [document, [...path, name], members[name]]),
    ),
    ...urlsIn(read, 'resource'),
    ...urlsIn(read, 'authorization_servers'),
  ];
  return urls.flatMap(([document, path, value]) => {
    const url = typeof value === 'string' ? parsedUrl(value) : undefined;
    if (url === undefined) return [];
    const text = String(value);
    // The issuer has a rule of its own for query and fragment.
    const extra =
      url.username + url.password !== ''
        ? 'names a user or a password'
        : path[0] !== 'issuer' && text.includes('#')
          ? 'has a fragment'
          : path[0] === 'resource' && text.includes('?')
            ? 'has a query'
            : undefined;
    if (extra === undefined) return [];
    return breach(document, path, `The URL ${extra}.`, 'Leave it out.');
  });
}

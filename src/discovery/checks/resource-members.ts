import { displayText, isLoopbackHost } from '../../protocol/index.ts';
import type { Report } from '../defect.ts';
import type { MemberPath } from '../document.ts';
import type { DocumentName } from '../model.ts';
import { type Check, type JsonDocument, listOf } from './judged.ts';

const METHODS: readonly unknown[] = ['header', 'body', 'query'];

/** RFC 9728 §2 and the specification, of the metadata of a resource. */
export const checkResourceMembers: Check = ({ resources, servers }, report) => {
  const [first] = resources;
  if (first === undefined) return;
  // The specification shows one document that is both: either may have them.
  const both = [...resources, ...servers];
  const some = (member: string) => both.flatMap(({ json }) => listOf(json, member));
  if (some('scopes_supported').length === 0) {
    report({
      rule: 'scopes-missing',
      document: first.name,
      path: ['scopes_supported'],
      message: 'Neither the resource nor its server lists scopes.',
      instead: '"scopes_supported": ["api.read", "api.write"]',
    });
  }
  const methods = some('bearer_methods_supported');
  const isKnown = methods.every((method) => METHODS.includes(method));
  if (!methods.includes('header') || !isKnown) {
    report({
      rule: 'bearer-methods',
      document: first.name,
      path: ['bearer_methods_supported'],
      message: isKnown
        ? 'Nothing says that tokens are taken in the Authorization header.'
        : 'A way to send tokens is listed that no agent knows.',
      instead: '"bearer_methods_supported": ["header"]',
    });
  }
  for (const { json, name } of resources) {
    if (listOf(json, 'resource_signing_alg_values_supported').includes('none')) {
      report({
        rule: 'signing-algorithm-none',
        document: name,
        path: ['resource_signing_alg_values_supported'],
        message: 'none signs nothing.',
        instead: 'Leave it out.',
      });
    }
  }
};

/** Lists that may be empty: RFC 8414 §2 requires the one, RFC 9728 §2 gives the other empty a meaning. */
const MAY_BE_EMPTY = ['response_types_supported', 'bearer_methods_supported'];

/** RFC 8414 §3.2, RFC 9728 §3.2. */
export const checkEmptyLists: Check = ({ servers, resources }, report) => {
  for (const { json, name } of new Set([...servers, ...resources])) {
    for (const [member, value] of Object.entries(json)) {
      if (!Array.isArray(value) || value.length > 0 || MAY_BE_EMPTY.includes(member)) continue;
      report({
        rule: 'empty-list',
        document: name,
        path: [member],
        message: `${displayText(member, 60)} is empty.`,
        instead: 'Leave it out, or list what there is.',
      });
    }
  }
};

const OF_SERVER = ['issuer', 'token_endpoint', 'revocation_endpoint'];
const OF_BLOCK = ['skill', 'identity_endpoint', 'claim_endpoint', 'events_endpoint'];

/** URLs that agents act on: https but on this machine, and nothing in them that is not sent. */
export const checkPlainUrls: Check = ({ servers, resources, blocks }, report) => {
  for (const { json, name } of servers) {
    for (const member of OF_SERVER) checkPlain(json[member], name, [member], report);
  }
  for (const { document, members, path } of blocks) {
    for (const member of OF_BLOCK) {
      checkPlain(members[member], document.name, [...path, member], report);
    }
  }
  for (const document of resources) checkResourceUrls(document, report);
};

function checkResourceUrls({ json, name }: JsonDocument, report: Report): void {
  const { resource, authorization_servers: listed } = json;
  const urls: readonly (readonly [unknown, MemberPath])[] = [
    ...(resource === undefined ? [] : [[resource, ['resource']] as const]),
    ...(Array.isArray(listed) ? listed : []).map(
      (each: unknown, at) => [each, ['authorization_servers', at]] as const,
    ),
  ];
  for (const [url, path] of urls) {
    checkPlain(url, name, path, report);
    if (typeof url === 'string' && isOfHttps(url)) continue;
    report({
      rule: path[0] === 'resource' ? 'resource-not-https' : 'authorization-server-unusable',
      document: name,
      path,
      message: `${displayText(String(url), 100)} is not a URL of https.`,
      instead: 'Name it by an https URL.',
    });
  }
}

function isOfHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, protocol } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

function checkPlain(
  value: unknown,
  document: DocumentName,
  path: MemberPath,
  report: Report,
): void {
  if (typeof value !== 'string' || !URL.canParse(value)) return;
  const { password, username } = new URL(value);
  const hasUser = username !== '' || password !== '';
  const member = path[0];
  // The issuer has a rule of its own for both.
  const hasFragment = member !== 'issuer' && value.includes('#');
  const hasQuery = member === 'resource' && value.includes('?');
  if (!hasUser && !hasFragment && !hasQuery) return;
  report({
    rule: 'url-not-plain',
    document,
    path,
    message: hasUser
      ? 'The URL names a user or a password.'
      : `The URL has a ${hasFragment ? 'fragment' : 'query'}.`,
    instead: 'Leave it out.',
  });
}

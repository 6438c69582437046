import { covers, displayText, isJsonObject, parsedUrl } from '../../protocol/index.ts';
import type { MemberPath } from '../document.ts';
import type { DocumentName } from '../model.ts';
import { isGiven, listOf, memberOf, rawText, shown, textOf } from '../read.ts';
import type { Read } from '../read-documents.ts';
import { areAlike, webUrl } from '../url.ts';
import { badUrls, notPlain } from './bad-urls.ts';
import { dropUrl, listWords } from './fixes.ts';
import { notOfHttps, otherResource, placeOf } from './places.ts';
import { breach, type Rule } from './rule.ts';

/** About what stands in documents of any kind. */
export const DOCUMENT_RULES = {
  'agent-auth-missing': {
    holds: 'The metadata of the authorization server has an agent_auth block.',
    why: 'By it agents see that they may register, and where.',
    says: 'It has no agent_auth block: agents cannot see that they may register.',
    instead:
      '"agent_auth": { "skill": …, "identity_endpoint": …, "identity_types_supported": […] }',
    find: ({ metadata, blocks, role }) =>
      // Nobody registers at a provider, nor where clients that are registered redeem ID-JAGs.
      role === undefined &&
      metadata !== undefined &&
      blocks.length === 0 &&
      !isGiven(metadata, 'agent_auth') &&
      breach('server', ['agent_auth']),
  },
  'issuer-missing': {
    severity: 'warning',
    holds: 'The metadata names its issuer.',
    why: 'It is required. Agents take the origin that they asked for it, and no other place.',
    source: 'RFC 8414 §2',
    says: 'The server metadata names no issuer.',
    instead: 'Add the issuer (RFC 8414 §2).',
    find: ({ server, isWhole }) =>
      isWhole && !isGiven(server, 'issuer') && breach('server', ['issuer']),
  },
  'issuer-path-differs': {
    holds: 'The issuer is the one that the place of its metadata is made of.',
    why: 'Agents compare both, as strings, and refuse another: it is how they know that nobody speaks for somebody else.',
    source: 'RFC 8414 §3.3',
    find: (read) => {
      const place = placeOf(read);
      if (place === undefined || place.isLookedAt) return [];
      const message = `It is served at ${place.at}, but is of ${place.of}.`;
      const fix = `Serve it at ${place.right}, or name what is served here.`;
      return [breach('server', ['issuer'], message, fix)];
    },
  },
  'issuer-host-differs': {
    misleads: true,
    holds: 'The issuer is on the host that serves its metadata.',
    why: 'Agents refuse the metadata of another issuer: anybody could write it.',
    source: 'RFC 8414 §3.3',
    find: ({ server, at }) => {
      const issuer = textOf(memberOf(server, 'issuer'));
      const [its, here] = [webUrl(issuer), webUrl(at)];
      if (its === undefined || here === undefined || its.host === here.host) return [];
      const message = `The metadata of ${here.host} names the issuer ${shown(issuer)}: agents refuse it (RFC 8414 §3.3).`;
      const fix = `Serve each issuer its own metadata; here it has to be on ${here.host}.`;
      return [breach('server', ['issuer'], message, fix)];
    },
  },
  'issuer-final-slash': {
    holds: 'The resource names the issuer letter for letter, with or without a final slash.',
    why: 'Both are compared as strings.',
    source: 'RFC 9728 §3.3',
    instead: 'Spell it alike in both (RFC 9728 §3.3).',
    find: ({ server, resource }) => {
      const issuer = textOf(memberOf(server, 'issuer'));
      if (issuer === undefined) return [];
      return Object.entries({ resource, server }).flatMap(([document, json]) =>
        listOf(memberOf(json, 'authorization_servers'))
          .flatMap((each) => textOf(each) ?? [])
          .filter((each) => each !== issuer && areAlike(each, issuer))
          .map((each) => {
            const message = `The issuer is ${shown(issuer)} in its own metadata, and ${shown(each)} here.`;
            return breach(document as DocumentName, ['authorization_servers'], message);
          }),
      );
    },
  },
  'issuer-not-plain': {
    holds: 'The issuer has neither query nor fragment.',
    why: 'Its metadata could not be found.',
    source: 'RFC 8414 §2',
    find: ({ metadata = {} }) => {
      const issuer = rawText(metadata, 'issuer') ?? '';
      const url = parsedUrl(issuer);
      if (url === undefined || url.search + url.hash === '') return [];
      const message = `The issuer ${displayText(issuer, 100)} has a query or a fragment.`;
      return [breach('server', ['issuer'], message, `"issuer": "${issuer.split(/[?#]/, 1)[0]}"`)];
    },
  },
  'resource-missing': {
    holds: 'The metadata of a resource names it.',
    why: 'Agents compare it with the URL that they called.',
    source: 'RFC 9728 §2',
    says: 'The metadata does not say which resource it is of.',
    instead: '"resource": the URL of the API, as its users write it',
    find: ({ resource, resources }) =>
      resources.some(({ name }) => name === 'resource') &&
      parsedUrl(rawText(resource, 'resource') ?? '') === undefined &&
      breach('resource', ['resource']),
  },
  'resource-differs': {
    holds: 'The resource is the one that the place of its metadata is made of.',
    why: 'Agents refuse the metadata of another resource.',
    source: 'RFC 9728 §3.3',
    find: otherResource,
  },
  'resource-not-https': {
    holds: 'The resource is an https URL, but for a service on this machine.',
    why: 'Agents send their token there, and refuse http.',
    source: 'RFC 9728 §1.2',
    find: (read) => notOfHttps(read, 'resource'),
  },
  'resource-not-served': {
    holds: 'A resource that the metadata of a server names covers each one that names the server.',
    why: 'Agents stop there: a foreign resource could name the server, and collect its tokens.',
    source: 'attack A-11',
    instead: 'Leave resource out of the metadata of a server that serves several.',
    find: ({ metadata = {}, resource: json }) => {
      const [served, resource] = [rawText(metadata, 'resource'), rawText(json, 'resource')];
      if (served === undefined || resource === undefined || covers(served, resource)) return [];
      const message = `The server serves ${displayText(served, 100)}, but ${displayText(resource, 100)} names it as its own.`;
      return [breach('server', ['resource'], message)];
    },
  },
  'signing-algorithm-none': {
    holds: 'none is not listed as an algorithm to sign with.',
    why: 'It signs nothing: anybody could have written what carries it.',
    source: 'RFC 9728 §2',
    says: 'none signs nothing.',
    instead: 'Leave it out.',
    find: ({ resources }) =>
      resources
        .filter(({ json }) => listOf(json[SIGNED_WITH]).includes('none'))
        .map(({ name }) => breach(name, [SIGNED_WITH])),
  },
  'authorization-server-differs': {
    holds:
      'What a resource names as its authorization server is the issuer of that server, letter for letter.',
    why: 'Agents ask for the metadata of what is named, and refuse that of another issuer.',
    source: 'RFC 8414 §3.3',
    find: ({ metadata = {}, resources }) => {
      const issuer = rawText(metadata, 'issuer');
      if (issuer === undefined) return [];
      return resources.flatMap(({ json, name }) => {
        const listed = listOf(json['authorization_servers']);
        // A server of somebody else is not among the documents; the final slash has a rule of its own.
        if (listed.includes(issuer)) return [];
        return listed.flatMap((server, index) => {
          if (typeof server !== 'string' || areAlike(server, issuer)) return [];
          const right = displayText(issuer, 200);
          const message = `${displayText(server, 200)} is not the issuer of the metadata here (${right}).`;
          return breach(name, ['authorization_servers', index], message, `"${right}"`);
        });
      });
    },
  },
  'relative-url': {
    misleads: true,
    holds: 'Each URL is absolute.',
    why: 'A document may be read far from where it lies.',
    source: 'RFC 8414 §2',
    sourceInResource: 'RFC 9728 §2',
    find: (read) => badUrls(read, 'relative-url'),
  },
  'insecure-url': {
    misleads: true,
    holds: 'Each URL is https, but for a service on this machine.',
    why: 'Agents send credentials there, and refuse http.',
    source: 'RFC 8414 §2',
    sourceInResource: 'RFC 9728 §1.2',
    find: (read) => badUrls(read, 'insecure-url'),
  },
  'url-template': {
    misleads: true,
    holds: 'Each URL can be called as it stands.',
    why: 'Agents do not fill in templates; an answer may name a URL of its own.',
    fix: dropUrl,
    find: (read) => badUrls(read, 'url-template'),
  },
  'not-a-url': {
    misleads: true,
    holds: 'A member that names a URL has one of http or https.',
    why: 'What does not exist is left out: null, mailto: and a sentence are no URLs.',
    source: 'RFC 8414 §2',
    sourceInResource: 'RFC 9728 §2',
    fix: dropUrl,
    find: (read) => badUrls(read, 'not-a-url'),
  },
  'url-not-plain': {
    holds:
      'URLs that agents act on have no fragment, no user and no password; a resource no query.',
    why: 'A fragment is not sent, a password in a published document is everybody’s, and the place of the metadata has no query.',
    source: 'RFC 9728 §1.2, RFC 6749 §3.2',
    sourceInResource: 'RFC 9728 §1.2',
    find: notPlain,
  },
  placeholder: {
    holds: 'No URL and no name is left from a template.',
    why: 'Agents take it for the truth.',
    source: 'the published documents',
    instead: 'Write what is there, or leave the member out.',
    find: (read) =>
      valuesIn(read).flatMap(([name, path, text]) => {
        const member = String(path.findLast((part) => typeof part === 'string'));
        const isRead = URL_NAME.test(member) || member.endsWith('_supported');
        const found = isRead && typeof text === 'string' && PLACEHOLDER.exec(text)?.[0];
        if (!found) return [];
        const message = `${displayText(text, 100)} has not been filled in (${displayText(found, 30)}).`;
        return breach(name, path, message);
      }),
  },
  'list-not-strings': {
    holds: 'A member whose name ends in _supported is a list of names.',
    why: 'A reader that expects names refuses the whole document.',
    source: 'RFC 8414 §2',
    sourceInResource: 'RFC 9728 §2',
    fix: listWords,
    find: (read) =>
      valuesIn(read).flatMap(([name, path, value]) => {
        const member = String(path.at(-1));
        const isList = /_supported$|^authorization_servers$/.test(member);
        // Of identity types a rule of its own says more; a boolean is no list, and no mistake.
        if (!isList || member.endsWith('identity_types_supported')) return [];
        if (typeof value === 'boolean' || isJsonObject(value)) return [];
        const isArray = Array.isArray(value);
        if (isArray && value.every((each) => typeof each === 'string')) return [];
        const what = isArray ? 'holds something other than names' : 'is no list';
        return breach(name, path, `${member} ${what}.`, `"${member}": ["…", "…"]`);
      }),
  },
} as const satisfies Readonly<Record<string, Rule>>;

/** Left by whoever filled in a template. Prose may say what it wants. */
const PLACEHOLDER =
  /\b(?:placeholder|todo|tbd|fixme|changeme|change-me|replace[-_ ]?me|lorem|your[-_ ]?(?:domain|api|site|host|service|company|app|url))\b|x{4,}|\.\.\.|…/i;

const URL_NAME =
  /(?:_endpoint|_ur[il])$|^(?:skill|issuer|resource|authorization_servers|service_documentation)$/;

const SIGNED_WITH = 'resource_signing_alg_values_supported';

type Value = readonly [document: DocumentName, path: MemberPath, value: unknown];

/** Everything in the documents, and where it stands. */
function valuesIn({ all }: Read): readonly Value[] {
  const values: Value[] = [];
  const add = (document: DocumentName, path: MemberPath, value: unknown): void => {
    values.push([document, path, value]);
    const inside = Array.isArray(value)
      ? value.entries()
      : Object.entries(isJsonObject(value) ? value : {});
    for (const [name, each] of inside) add(document, [...path, name], each);
  };
  for (const { json, name } of all) add(name, [], json);
  return values;
}

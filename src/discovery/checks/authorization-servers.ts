import { covers, displayText, withoutFinalSlash } from '../../protocol/index.ts';
import { type Check, listOf, textOf } from './judged.ts';

/** RFC 9728 §2 and RFC 8414 §3.3: agents compare what a resource names with the issuer, as strings. */
export const checkAuthorizationServers: Check = ({ resources, servers }, report) => {
  const issuers = servers.flatMap(({ json }) => textOf(json, 'issuer') ?? []);
  for (const { json, name } of resources) {
    const listed = listOf(json, 'authorization_servers');
    if (listed.length === 0) {
      report({
        rule: 'authorization-servers-missing',
        document: name,
        path: ['authorization_servers'],
        message: 'It names no authorization server.',
        ...(issuers[0] !== undefined && {
          instead: `"authorization_servers": ["${displayText(issuers[0], 200)}"]`,
        }),
      });
      continue;
    }
    if (issuers.length === 0) continue;
    listed.forEach((server, at) => {
      // The final slash has a rule of its own.
      if (typeof server !== 'string' || issuers.some((issuer) => areAlike(issuer, server))) return;
      // A server of somebody else is not among the documents.
      if (listed.some((each) => issuers.includes(String(each)))) return;
      report({
        rule: 'authorization-server-differs',
        document: name,
        path: ['authorization_servers', at],
        message: `${displayText(server, 200)} is not the issuer of the metadata here (${displayText(issuers.join(', '), 200)}).`,
        instead: `"${displayText(issuers[0] ?? '', 200)}"`,
      });
    });
  }
};

/** The agent refuses a server that was named by a resource which is not its own: anybody could name it. */
export const checkServed: Check = ({ servers, resources }, report) => {
  for (const { json, name } of servers) {
    const served = textOf(json, 'resource');
    for (const document of resources) {
      const resource = textOf(document.json, 'resource');
      if (served === undefined || resource === undefined || document.json === json) continue;
      if (covers(served, resource)) continue;
      report({
        rule: 'resource-not-served',
        document: name,
        path: ['resource'],
        message: `The server serves ${displayText(served, 100)}, but ${displayText(resource, 100)} names it as its own.`,
        instead: 'Leave resource out of the metadata of a server that serves several.',
      });
    }
  }
};

function areAlike(one: string, other: string): boolean {
  return withoutFinalSlash(one) === withoutFinalSlash(other);
}

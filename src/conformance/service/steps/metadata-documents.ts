import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from '../../../protocol/index.ts';
import { CannotTest, type Reading } from '../../engine/judge.ts';
import { isText } from '../../engine/rows.ts';
import { type Answer, isObject } from '../../http/answer.ts';
import type { ServiceWorld } from '../service-world.ts';
import { insertedUrl, isSecureUrl, metadataHint } from './urls.ts';

/** A document and its URL. */
export interface Found {
  readonly url: string;
  readonly answer: Answer;
}

/** A document of metadata: 200 and a JSON object, whatever its media type. */
export function isDocument(answer: Answer): boolean {
  return answer.status === 200 && isObject(answer.json);
}

/**
 * The documents of the protected resource: at the URL of its challenge, at the path-inserted URL and at
 * that of the origin alone, in this order.
 */
export async function resourceDocuments(world: ServiceWorld): Promise<readonly Found[]> {
  const { resource, resourceMetadata, issuer } = world.facts;
  const base = [resource, resourceMetadata['resource'], issuer].find(
    (url): url is string => typeof url === 'string' && URL.canParse(url),
  );
  if (base === undefined)
    throw new CannotTest('The service names neither a resource nor an issuer.');
  const hint = resource === undefined ? undefined : metadataHint(await world.send(resource));
  const urls = [
    ...(hint !== undefined && URL.canParse(hint) ? [hint] : []),
    insertedUrl(base, PROTECTED_RESOURCE_PATH),
    new URL(PROTECTED_RESOURCE_PATH, base).href,
  ];
  const found: Found[] = [];
  for (const url of new Set(urls)) {
    const answer = await world.send(url);
    if (isDocument(answer)) found.push({ url, answer });
  }
  return found;
}

/** The metadata of the authorization server that the resource names first. */
interface ServerDocument extends Found {
  /** Its entry in `authorization_servers`; undefined when the resource lists none. */
  readonly entry: string | undefined;
  /** Whether it is at the URL of RFC 8414 §3.1. */
  readonly inserted: boolean;
}

/** @throws CannotTest when there is none. */
export async function serverDocument(world: ServiceWorld): Promise<ServerDocument> {
  const listed = world.facts.resourceMetadata['authorization_servers'];
  const entries = (Array.isArray(listed) ? listed : []).filter(
    (url): url is string => typeof url === 'string' && URL.canParse(url),
  );
  const issuer = URL.canParse(world.facts.issuer) ? [world.facts.issuer] : [];
  for (const base of [...entries, ...issuer]) {
    const right = insertedUrl(base.replace(/\/$/, ''), AUTHORIZATION_SERVER_PATH);
    const urls = [right, new URL(AUTHORIZATION_SERVER_PATH, base).href];
    for (const url of new Set(urls)) {
      const answer = await world.send(url);
      const entry = entries.includes(base) ? base : undefined;
      if (isDocument(answer)) return { url, answer, entry, inserted: url === right };
    }
  }
  throw new CannotTest('The service has no authorization-server metadata.');
}

/** The members of a document. */
export function membersOf({ answer }: Found): Readonly<Record<string, unknown>> {
  return isObject(answer.json) ? answer.json : {};
}

/** Whether the skill file tells agents so: what a service documents surprises none of them. */
export async function isDocumented(world: ServiceWorld, words: RegExp): Promise<boolean> {
  const { skill } = world.facts;
  return skill !== undefined && words.test((await world.send(skill)).text);
}

/** A list with at least one element, each of a kind; strings by default. */
export function isList(
  value: unknown,
  isRight: (item: unknown) => boolean = isText,
): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRight);
}

export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** No member of a document is an empty list, but for these. */
export const noEmptyLists =
  (...allowed: readonly string[]) =>
  ({ json }: Answer): Reading => {
    const empty = Object.entries(isObject(json) ? json : {})
      .filter(([name, value]) => isEmptyList(value) && !allowed.includes(name))
      .map(([name]) => name);
    return { ok: empty.length === 0, seen: `${empty.join(', ')}: []` };
  };

/** RFC 8414 §2: a URL that agents trust, without a query. */
export function isIssuer(value: unknown): boolean {
  return isSecureUrl(value) && !value.includes('?');
}

import { recognise } from '../../discovery/index.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  PROTECTED_RESOURCE_PATH,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import { type Answer, isObject } from '../http/answer.ts';
import { challengeParameter } from '../http/challenge.ts';
import { NoAnswer } from '../http/no-answer.ts';
import { BadTarget, NothingPublished } from '../target/bad-target.ts';
import { listsProfile } from './cross-app/cross-app.ts';
import { type CrossAppOptions, namesClient } from './cross-app/given.ts';
import { readFacts, type ServiceFacts } from './service-facts.ts';

type Get = (url: string) => Promise<Answer>;

/** Where a protected resource is looked for when the target itself is none. */
const USUAL_RESOURCE = '/api/resource';

/**
 * Walks the discovery of the specification, leniently, to learn what there is to judge.
 * @throws BadTarget when there is nothing.
 */
export async function connectService(
  get: Get,
  target: string,
  resource: string | undefined,
  crossApp?: CrossAppOptions,
): Promise<ServiceFacts> {
  const first = await reach(get, target);
  const asked = [resource, target, new URL(USUAL_RESOURCE, target).href].filter(
    (url) => url !== undefined,
  );
  let protectedUrl = resource && new URL(resource, target).href;
  let metadataUrl: string | undefined;
  const open: string[] = [];
  for (const candidate of asked) {
    const url = new URL(candidate, target).href;
    const answer = url === target ? first : await get(url);
    if (answer.status !== 401) {
      open.push(`${url} answered ${answer.status}`);
      continue;
    }
    protectedUrl ??= url;
    metadataUrl = challengeParameter(
      answer.header('www-authenticate'),
      'bearer',
      'resource_metadata',
    );
    break;
  }
  const resourceMetadata = await firstDocument(get, [
    ...(metadataUrl !== undefined && URL.canParse(metadataUrl) ? [metadataUrl] : []),
    inserted(target, PROTECTED_RESOURCE_PATH),
    new URL(PROTECTED_RESOURCE_PATH, target).href,
  ]);
  const servers = isObject(resourceMetadata)
    ? resourceMetadata['authorization_servers']
    : undefined;
  const listed = Array.isArray(servers)
    ? servers.filter((url): url is string => typeof url === 'string' && URL.canParse(url))
    : [];
  const metadata = await firstDocument(
    get,
    [...listed, target].flatMap((url) => [
      inserted(url, AUTHORIZATION_SERVER_PATH),
      new URL(AUTHORIZATION_SERVER_PATH, url).href,
    ]),
  );
  if (resourceMetadata === undefined && metadata === undefined) {
    throw nothingAt(target, first);
  }
  const facts = readFacts(protectedUrl, resourceMetadata, metadata);
  const isRedeeming = namesClient(crossApp) || listsProfile(facts);
  if (resourceMetadata === undefined && !isRedeeming && isProviderMetadata(metadata)) {
    throw new BadTarget(
      'not_a_peer',
      `${target} is not a service: its metadata offers token exchange and no agent_auth, as a provider's does. Judge it with: conformance provider.`,
    );
  }
  const other = resourceMetadata === undefined && !isRedeeming && plainOauth(facts);
  if (other) throw new BadTarget('not_a_peer', `${target} is not a service: ${other}`);
  return protectedUrl === undefined ? { ...facts, resourceMissing: notProtected(open) } : facts;
}

function notProtected(open: readonly string[]): string {
  return `No protected URL is known: ${open.join(' and ')} without a token, not 401.`;
}

/** Why the metadata is that of an OAuth server for other purposes; `undefined` where it may be meant for agents. */
function plainOauth({ metadata }: ServiceFacts): string | undefined {
  const { verdict, offers, reason } = recognise({ server: metadata });
  return verdict === 'plain_oauth' && offers.length > 0 ? reason : undefined;
}

function isProviderMetadata(metadata: unknown): boolean {
  if (!isObject(metadata) || metadata['agent_auth'] !== undefined) return false;
  const grants = metadata['grant_types_supported'];
  return Array.isArray(grants) && grants.includes(TOKEN_EXCHANGE_GRANT);
}

async function reach(get: Get, target: string): Promise<Answer> {
  try {
    return await get(target);
  } catch (error) {
    if (error instanceof NoAnswer) throw new BadTarget('network', error.message);
    throw error;
  }
}

/** RFC 9728 §3.1, RFC 8414 §3.1: between host and path. */
function inserted(url: string, wellKnown: string): string {
  const { origin, pathname } = new URL(url);
  return origin + wellKnown + (pathname === '/' ? '' : pathname.replace(/\/$/, ''));
}

async function firstDocument(get: Get, urls: readonly string[]): Promise<unknown> {
  for (const url of new Set(urls)) {
    try {
      const answer = await get(url);
      if (answer.status === 200 && isObject(answer.json)) return answer.json;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
  }
  return undefined;
}

function nothingAt(target: string, answer: Answer): BadTarget {
  const location = answer.header('location');
  if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
    return new BadTarget(
      'not_a_peer',
      `${target} is not a service: it redirects to ${location}; name the URL that it redirects to.`,
    );
  }
  const html = answer.mediaType === 'text/html' ? ', with a web page' : '';
  const found = `it answers ${answer.status}${html}, and has no protected-resource or authorization-server metadata.`;
  // What is out of order may publish all that it should when it is not.
  return answer.status >= 500
    ? new BadTarget('not_a_peer', `${target} is not a service: ${found}`)
    : new NothingPublished(`Nothing for agents is published at ${target} yet: ${found}`);
}

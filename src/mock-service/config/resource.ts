import { isJsonObject } from '../../protocol/json.ts';
import {
  type FixedBody,
  RESOURCE_METHODS,
  type ResourceMethod,
  type ServiceConfig,
  type ServiceResource,
} from './config.ts';
import { ownPathProblem } from './own-paths.ts';
import { readPathTemplate, samplePath } from './path-template.ts';
import { isScope, type ServiceScopes, splitScopes } from './scopes.ts';

/** What the service answers to a call with an access token. */
export interface ResourceOptions {
  /** `/v1/orders`, `/v1/orders/{id}`, or `/v1/*` for `/v1` and everything below it. */
  readonly path: string;
  /** `GET` answers HEAD as well. Default: `GET`. */
  readonly method?: ResourceMethod;
  /** The scopes that a call needs, separated by spaces (RFC 6749 §3.3). Default: any valid token will do. */
  readonly scope?: string;
  /** Answers without a token: for what a description lists as open. Default: false. */
  readonly open?: boolean;
  /** The status of a success. Default: 200. */
  readonly status?: number;
  /** A JSON value, or a text. Default: who called, with which scopes. */
  readonly body?: unknown;
  /** The media type of the body. Default: `application/json`, of a text `text/plain`. */
  readonly contentType?: string;
}

/** Statuses that take no body (RFC 9110 §15.3.5, §15.3.6). */
const WITHOUT_BODY = [204, 205];

const MEDIA_TYPE =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\\r\n]*"))*$/;

/** The members of a resource. Without this check, one that is misspelt would leave it open to any token. */
const MEMBERS: Readonly<Record<keyof ResourceOptions, true>> = {
  path: true,
  method: true,
  scope: true,
  open: true,
  status: true,
  body: true,
  contentType: true,
};

/** A resource; a text that says what is wrong with it when it is none. */
export function readResource(given: ResourceOptions): ServiceResource | string {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(MEMBERS, name));
  if (unknown !== undefined) {
    return `there is no member ${unknown}; known are ${Object.keys(MEMBERS).join(', ')}`;
  }
  const { method = 'GET', status = 200, contentType } = given;
  if (!RESOURCE_METHODS.includes(method)) {
    return `the method is one of ${RESOURCE_METHODS.join(', ')}`;
  }
  if (typeof given.path !== 'string') return 'the path is missing';
  const owned = ownPathProblem(given.path);
  if (owned !== undefined) return owned;
  const template = readPathTemplate(given.path);
  if (typeof template === 'string') return template;
  if (typeof (given.scope ?? '') !== 'string') return 'the scope is a text';
  if (typeof (given.open ?? false) !== 'boolean') return 'open is true or false';
  const scopes = splitScopes(given.scope ?? '');
  if (given.scope !== undefined && scopes.length === 0) return 'the scope is empty';
  const wrong = scopes.find((scope) => !isScope(scope));
  if (wrong !== undefined) return `${JSON.stringify(wrong)} is no scope (RFC 6749 §3.3)`;
  if (given.open === true && scopes.length > 0) return 'what is open needs no scope';
  if (!Number.isInteger(status) || status < 200 || status > 299) {
    return 'the status is a number from 200 to 299';
  }
  if (contentType !== undefined && !MEDIA_TYPE.test(contentType)) {
    return `${JSON.stringify(contentType)} is no media type`;
  }
  const body = WITHOUT_BODY.includes(status) ? { text: '', contentType: '' } : bodyOf(given);
  if (typeof body === 'string') return body;
  const { path } = template;
  return { path, template, method, scopes, open: given.open === true, status, body };
}

/**
 * @throws TypeError that names the resource and what is wrong with it.
 */
export function resolveResources(given: readonly ResourceOptions[]): readonly ServiceResource[] {
  const listed: unknown = given;
  if (!Array.isArray(listed) || !listed.every(isJsonObject)) {
    throw new TypeError('resources: use a list of objects such as { path: "/v1/orders" }.');
  }
  if (given.length === 0) {
    throw new TypeError('resources is empty: name at least one, or leave the option out.');
  }
  if (given.every(({ open }) => open === true)) {
    throw new TypeError('resources: all of them are open; at least one has to take a token.');
  }
  const seen = new Set<string>();
  return given.map((options) => {
    const { method = 'GET', path } = options;
    const resource = readResource(options);
    if (typeof resource === 'string')
      throw new TypeError(`resources: ${method} ${path}: ${resource}.`);
    const key = resourceKey(resource);
    if (seen.has(key)) throw new TypeError(`resources: ${method} ${path} is there twice.`);
    seen.add(key);
    return resource;
  });
}

/** The same for two resources that answer the same calls. */
export function resourceKey({ method, template }: ServiceResource): string {
  return `${method} ${template.shape}`;
}

/**
 * What the specification protects: `/api/resource` and everything below it (wire contract §2). Where the scopes
 * are others, reading takes the first that is there before a claim, and writing the first that a claim adds.
 */
export function defaultResources({
  preClaim,
  postClaim,
}: ServiceScopes): readonly ServiceResource[] {
  const pick = (usual: string, from: readonly string[]) =>
    postClaim.includes(usual) ? usual : (from[0] ?? postClaim[0] ?? usual);
  const added = postClaim.filter((scope) => !preClaim.includes(scope));
  const path = '/api/resource/*';
  return resolveResources([
    { path, method: 'GET', scope: pick('api.read', preClaim) },
    { path, method: 'POST', scope: pick('api.write', added) },
  ]);
}

function bodyOf({ body, contentType }: ResourceOptions): FixedBody | undefined | string {
  if (body === undefined) return undefined;
  if (typeof body === 'string') {
    const usual = body === '' ? '' : 'text/plain; charset=utf-8';
    return { text: body, contentType: contentType ?? usual };
  }
  try {
    const text: string | undefined = JSON.stringify(body);
    if (text !== undefined) return { text, contentType: contentType ?? 'application/json' };
  } catch {
    // It holds itself, or a number that JSON has not.
  }
  return 'the body is no JSON value';
}

/** A resource to show how a call goes, and a path that it answers. */
export interface ExampleResource {
  readonly resource: ServiceResource;
  readonly path: string;
}

/**
 * The first resource that takes a token and can be read, without side effects, by whoever has the least;
 * else the first that takes a token: there is one.
 */
export function exampleResource({ resources, scopes }: ServiceConfig): ExampleResource {
  const closed = resources.filter(({ open }) => !open);
  const readable = closed.filter(({ method }) => method === 'GET');
  const early = readable.find((each) => isWithin(each, scopes.preClaim));
  const resource = early ?? readable[0] ?? closed[0];
  if (resource === undefined) throw new TypeError('No resource takes a token.');
  return { resource, path: samplePath(resource.path) };
}

function isWithin({ scopes }: ServiceResource, granted: readonly string[]): boolean {
  return scopes.every((scope) => granted.includes(scope));
}

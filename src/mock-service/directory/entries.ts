import * as z from 'zod';
import { isShortText, isStorableText, MAX_TEXT_BYTES } from '../../protocol/text.ts';
import type { DirectoryOption, DirectoryService } from '../config/directory.ts';
import { isOwnPath } from '../config/own-paths.ts';
import { CATALOG_ROOT } from '../config/paths.ts';
import { openMethodId } from './open-methods.ts';

/**
 * The services of a directory as they are configured and set. The messages are those of a configuration
 * file, which adds line and column.
 */

/** A decoded segment with a dot is no segment of a method's path: the format follows the dot. */
const CATALOG_PATH = /^(?:\/[\w~-]+)+$/;
const PATH = /^(?:\/[\w.~-]+)+$/;
const TEMPLATE = /^(?:\/(?:[\w~-]+|\{\w+\}))+\.\{format\}$/;

/** Why a service cannot be at a URL; undefined when it can. */
export function serviceUrlProblem(url: string): string | undefined {
  if (!isText(url) || !(url.startsWith('/') || isFullUrl(url))) return EXPECTED_URL;
  if (!url.startsWith('/')) return undefined;
  if (isOwnPath(url)) return `the mock answers ${url} itself`;
  const inCatalog = url === CATALOG_ROOT || url.startsWith(`${CATALOG_ROOT}/`);
  if ((inCatalog ? CATALOG_PATH : PATH).test(url)) return undefined;
  return `expected a path like ${CATALOG_ROOT}/orders, of letters, digits, - and _`;
}

const EXPECTED_URL = `expected null, a path below the base URL like ${CATALOG_ROOT}/orders, or a full URL`;

function isText(text: string): boolean {
  return isStorableText(text) && isShortText(text);
}

function isFullUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text) || text.endsWith('/')) return false;
  const { password, protocol, username } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

const members = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `known keys: ${Object.keys(shape).join(', ')}`
        : 'expected keys and values',
  });

const id = () => {
  const error = 'expected null or an id, a whole number';
  return z.int({ error }).nonnegative({ error }).nullish();
};

const textOf = (error: string, isGood: (text: string) => boolean) =>
  z
    .string({ error })
    .refine((text) => isText(text) && isGood(text), { error })
    .nullish();

const method = members({
  method_id: id(),
  method_url: textOf('expected null or a path like /{order}/lines.{format}', (text) =>
    TEMPLATE.test(text),
  ),
});

export const directoryService = members({
  service_id: id(),
  service_name: textOf(`expected null or text of at most ${MAX_TEXT_BYTES} bytes`, () => true),
  service_url: z
    .string({ error: EXPECTED_URL })
    .refine((url) => serviceUrlProblem(url) === undefined, {
      error: ({ input }) => serviceUrlProblem(String(input)),
    })
    .nullish(),
  methods: z.array(method, { error: 'expected null or a list of methods' }).nullish(),
});

export const directoryOption = members({
  services: z
    .array(directoryService, { error: 'expected a list of services' })
    .superRefine((services, context) => {
      for (const [at, service] of services.entries()) {
        const clash = clashOf(service, services.slice(0, at));
        if (clash === undefined) continue;
        context.addIssue({ code: 'custom', path: [at, ...clash.path], message: clash.message });
      }
    }),
});

/**
 * The member of a service that cannot be beside the others, and why: an id identifies one service or method, and some
 * methods are the mock's own.
 */
export function clashOf(service: DirectoryService, others: readonly DirectoryService[]) {
  const { methods, service_id: serviceId = null } = service;
  if (serviceId !== null && others.some(({ service_id }) => service_id === serviceId)) {
    return { path: ['service_id'], message: `${serviceId} is the id of another service` };
  }
  const taken = others.flatMap((each) => (each.methods ?? []).map(({ method_id }) => method_id));
  for (const [at, { method_id: methodId = null, method_url: url }] of (methods ?? []).entries()) {
    const path = ['methods', at, 'method_id'];
    if (methodId === null) continue;
    if (taken.includes(methodId))
      return { path, message: `${methodId} is the id of another method` };
    taken.push(methodId);
    const place = `${service.service_url}${url?.replace(/\.\{format\}$/, '')}`;
    const own = openMethodId(place);
    if (own === undefined || own === methodId) continue;
    return { path, message: `the mock answers ${place} itself, as method ${own}` };
  }
  return undefined;
}

/**
 * The services of the option `directory`; a URL below the base is kept as its path.
 * @throws TypeError that names the member that is wrong.
 */
export function resolveDirectory(
  given: DirectoryOption | undefined,
  issuer: string,
): readonly DirectoryService[] | undefined {
  if (given === undefined) return undefined;
  const services = given.services?.map?.((service) => withPath(service, issuer));
  return check(directoryOption, { ...given, services }, 'directory').services;
}

/**
 * A service to be added, or the members of one to be changed.
 * @throws TypeError that names the member that is wrong.
 */
export function readDirectoryService(given: unknown, issuer: string): DirectoryService {
  return check(directoryService, withPath(given, issuer));
}

function withPath(service: unknown, issuer: string): unknown {
  const { service_url: url } = (service ?? {}) as DirectoryService;
  if (typeof url !== 'string' || !url.startsWith(`${issuer}/`)) return service;
  return { ...(service as DirectoryService), service_url: url.slice(issuer.length) };
}

function check<T extends z.ZodType>(schema: T, given: unknown, ...within: string[]): z.infer<T> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [...within, ...(issue?.path ?? [])];
  if (issue?.code === 'unrecognized_keys') {
    const unknown = [...path, issue.keys[0]].join('.');
    throw new TypeError(`${unknown}: there is no such member; ${issue.message}.`);
  }
  const value = JSON.stringify(issue?.path.reduce(memberOf, given))?.slice(0, 100);
  throw new TypeError(`${path.join('.') || 'A service'} cannot be ${value}: ${issue?.message}.`);
}

function memberOf(value: unknown, name: PropertyKey): unknown {
  return (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name];
}

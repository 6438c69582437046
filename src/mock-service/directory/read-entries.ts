import type { z } from 'zod';
import type { DirectoryOption, DirectoryService } from '../config/directory.ts';
import { directoryOption, directoryService } from './entry-schema.ts';

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
    throw new TypeError(
      `${[...path, issue.keys[0]].join('.')}: there is no such member; ${issue.message}.`,
    );
  }
  const value = shown(issue?.path.reduce(memberOf, given));
  throw new TypeError(`${path.join('.') || 'A service'} cannot be ${value}: ${issue?.message}.`);
}

function memberOf(value: unknown, name: PropertyKey): unknown {
  return (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

import type { ServiceConfig, ServiceResource } from './config.ts';
import { samplePath } from './path-template.ts';

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

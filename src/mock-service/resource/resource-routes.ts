import { oauthEnvelope, registrationEnvelope } from '../../mock/http/envelopes.ts';
import type { Route } from '../../mock/http/request.ts';
import { transportProblem } from '../../mock/http/response.ts';
import { PROTECTED_RESOURCE_PATH } from '../../protocol/urls.ts';
import type { ServiceResource } from '../config/config.ts';
import { isOwnPath, OWN_ROOTS } from '../config/own-paths.ts';
import { type PathTemplate, subsumes } from '../config/path-template.ts';
import { insertedPath, resourceMetadata } from '../discovery/metadata.ts';
import { callResource, type ResourceParts } from './resource.ts';

interface ResourceRoutes {
  /** Routes of paths whose first segment is named. */
  readonly named: readonly Route[];
  /** Routes of paths that can begin with anything. */
  readonly openEnded: readonly Route[];
}

/** Every resource, and the path-inserted metadata of each (RFC 9728 §3.1); what fits a path best comes first. */
export function resourceRoutes(service: ResourceParts): ResourceRoutes {
  const paths = resourcePaths(service.config.resources);
  const routesOf = (isOpenEnded: boolean) =>
    paths
      .filter(({ template }) => template.isOpenEnded === isOpenEnded)
      .flatMap((path) => routesAt(service, path));
  return { named: routesOf(false), openEnded: besideOwn(routesOf(true)) };
}

/** What can begin with anything leaves the mock its own trees, and the metadata that is in one of them. */
function besideOwn(routes: readonly Route[]): readonly Route[] {
  if (routes.length === 0) return [];
  const isMetadata = ({ path }: Route) => path.startsWith(PROTECTED_RESOURCE_PATH);
  return [
    ...routes.filter(isMetadata),
    ...OWN_ROOTS.map(nothingBelow),
    ...routes.filter((route) => !isMetadata(route)),
  ];
}

/** Answers that nothing is found, whatever the method. */
function nothingBelow(root: string): Route {
  const refuse = () => {
    throw transportProblem('not_found');
  };
  return {
    method: 'GET',
    path: `${root}/*`,
    envelope: registrationEnvelope,
    guard: refuse,
    handle: refuse,
  };
}

/** The resources of one path. */
interface Group {
  readonly template: PathTemplate;
  readonly resources: readonly ServiceResource[];
}

function byShape(resources: readonly ServiceResource[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const resource of resources) {
    const { template } = resource;
    const known = groups.get(template.shape);
    groups.set(template.shape, {
      template: known?.template ?? template,
      resources: [...(known?.resources ?? []), resource],
    });
  }
  return [...groups.values()].sort((one, other) =>
    one.template.rank < other.template.rank ? -1 : 1,
  );
}

/** What answers at a path, by its template. */
export interface ResourcePath {
  readonly template: PathTemplate;
  /** The resources of the path, one for each method. */
  readonly resources: readonly ServiceResource[];
  /** Whether none of its own resources takes a token. */
  readonly isOpen: boolean;
}

/** Every path that a resource answers at; what fits a path best comes first. */
function resourcePaths(given: readonly ServiceResource[]): readonly ResourcePath[] {
  const groups = byShape(given);
  return groups.map(({ resources, template }) => {
    // `GET /orders/{id}` answers at /orders/search too, where that path itself has POST alone.
    const around = groups.filter(
      (group) => group.template !== template && subsumes(group.template, template),
    );
    const methods = new Map<string, ServiceResource>();
    for (const resource of [...resources, ...around.flatMap((group) => group.resources)]) {
      if (!methods.has(resource.method)) methods.set(resource.method, resource);
    }
    return {
      template,
      resources: [...methods.values()],
      isOpen: resources.every(({ open }) => open),
    };
  });
}

function routesAt(
  service: ResourceParts,
  { isOpen, resources, template }: ResourcePath,
): readonly Route[] {
  const { pattern } = template;
  const calls = resources.map(
    (resource) =>
      ({
        method: resource.method,
        path: pattern,
        envelope: oauthEnvelope,
        crossOrigin: true,
        handle: (c) => callResource(service, c, resource),
      }) satisfies Route,
  );
  if (isOpen) return calls;
  return [
    ...calls,
    {
      method: 'GET',
      crossOrigin: true,
      path: PROTECTED_RESOURCE_PATH + pattern,
      envelope: registrationEnvelope,
      handle: (c) => {
        const path = insertedPath(c);
        if (isOwnPath(path)) throw transportProblem('not_found');
        return resourceMetadata(service.config, service.dialect, service.config.issuer + path);
      },
    },
  ];
}

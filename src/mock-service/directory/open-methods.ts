import { byId, type Catalog, listServices, toListed } from './catalog.ts';
import type { DirectoryPath } from './path.ts';
import { PUBLISHED } from './published.ts';

/** What an answer is made of, with the names of the wire. */
export type Data = null | number | string | readonly Data[] | { readonly [member: string]: Data };

/** What an open method answers from. */
interface Source {
  readonly catalog: Catalog;
  /** The base URL of the service, without a final slash. */
  readonly base: string;
  /** Milliseconds. */
  readonly now: number;
}

/** A method that needs no API key. */
interface OpenMethod {
  readonly id: number;
  /** `data` of its answer. */
  read(source: Source): Data;
}

const LISTING: OpenMethod = { id: 1081, read: ({ base, catalog }) => listServices(catalog, base) };

/** Methods by path without its format. Everything else that the catalog names needs a token (wire contract §10). */
const OPEN_METHODS: ReadonlyMap<string, OpenMethod> = new Map<string, OpenMethod>([
  ['api/services', LISTING],
  ['v2/api/services', LISTING],
  ['v2/api/methods', { id: 1103, read: ({ base, catalog }) => listMethods(catalog, base) }],
  ['v2/api/versions', { id: 1109, read: () => PUBLISHED.versions }],
  ['v2/api/changelog', { id: 1117, read: () => PUBLISHED.changelog }],
  ['v2/server/time', { id: 1087, read: ({ now }) => serverTime(now) }],
  ['v2/server/codes', { id: 1091, read: () => PUBLISHED.codes }],
]);

export function findOpenMethod({ segments }: DirectoryPath): OpenMethod | undefined {
  return OPEN_METHODS.get(segments.join('/'));
}

/** The id of the open method that answers at a path below the base, without its format. */
export function openMethodId(path: string): number | undefined {
  return OPEN_METHODS.get(path.slice(1))?.id;
}

/** `data` of `/api/methods`: every method by ascending id, its URL whole, with the variables of its path. */
function listMethods({ services }: Catalog, base: string): Data {
  const methods = services
    .map((service) => toListed(service, base))
    .flatMap(({ methods, service_id, service_name, service_url }) =>
      (methods ?? []).map(({ method_id, method_url }) => {
        const parameters = [...(method_url ?? '').matchAll(/\{(\w+)\}/g)].map(
          ([, name = '']) => name,
        );
        return {
          method_id,
          method_url: service_url === null || method_url === null ? null : service_url + method_url,
          service_id,
          service_name,
          parameters: parameters.length === 0 ? null : parameters,
        };
      }),
    );
  return byId(methods, ({ method_id: id }) => id);
}

/** There is no quota, so no instant resets it. */
function serverTime(now: number): Data {
  return {
    timestamp: Math.floor(now / 1000),
    datetime: new Date(now).toISOString().replace(/\.\d+Z$/, '+00:00'),
    timezone: 'UTC',
    key_reset_time: null,
  };
}

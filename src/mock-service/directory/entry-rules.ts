import { isStorableText } from '../../protocol/index.ts';
import type { DirectoryMethod, DirectoryService } from '../config/directory.ts';
import { isOwnPath } from '../config/own-paths.ts';
import { CATALOG_ROOT } from '../config/paths.ts';
import { openMethodId } from './open-methods.ts';

/** What each value of an entry has to be, beside null. `undefined` when it is. */
type Rule = (value: unknown) => string | undefined;

const LONGEST = 512;
/** A decoded segment with a dot is no segment of a method's path: the format follows the dot. */
const CATALOG_PATH = /^(?:\/[\w~-]+)+$/;
const PATH = /^(?:\/[\w.~-]+)+$/;
const TEMPLATE = /^(?:\/(?:[\w~-]+|\{\w+\}))+\.\{format\}$/;

export const idRule: Rule = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? undefined
    : 'expected null or an id, a whole number';

export const nameRule: Rule = (value) =>
  isText(value) ? undefined : `expected null or text of at most ${LONGEST} bytes`;

export const serviceUrlRule: Rule = (value) => {
  if (!isText(value)) return EXPECTED_URL;
  if (!value.startsWith('/')) return isFullUrl(value) ? undefined : EXPECTED_URL;
  if (isOwnPath(value)) return `the mock answers ${value} itself`;
  const inCatalog = value === CATALOG_ROOT || value.startsWith(`${CATALOG_ROOT}/`);
  if ((inCatalog ? CATALOG_PATH : PATH).test(value)) return undefined;
  return `expected a path like ${CATALOG_ROOT}/orders, of letters, digits, - and _`;
};

export const methodUrlRule: Rule = (value) =>
  isText(value) && TEMPLATE.test(value)
    ? undefined
    : 'expected null or a path like /{order}/lines.{format}';

const EXPECTED_URL = `expected null, a path below the base URL like ${CATALOG_ROOT}/orders, or a full URL`;

/** A member of a service that cannot be beside the others, and why. */
interface Clash {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Ids identify: a service and a method are there once. And some methods are the mock's own. */
export function clashOf(
  service: DirectoryService,
  others: readonly DirectoryService[],
): Clash | undefined {
  const { service_id: id = null, methods } = service;
  const twin = id === null ? undefined : others.find(({ service_id }) => service_id === id);
  if (twin !== undefined) {
    return { path: ['service_id'], message: `${id} is the id of another service` };
  }
  const taken = new Set(others.flatMap(idsOf));
  for (const [at, method] of (methods ?? []).entries()) {
    const { method_id: methodId = null } = method;
    if (methodId !== null && taken.has(methodId)) {
      const path = ['methods', at, 'method_id'];
      return { path, message: `${methodId} is the id of another method` };
    }
    if (methodId !== null) taken.add(methodId);
    const own = ownMethod(service, method);
    if (own === undefined || methodId === null || methodId === own.id) continue;
    const message = `the mock answers ${own.path} itself, as method ${own.id}`;
    return { path: ['methods', at, 'method_id'], message };
  }
  return undefined;
}

function idsOf({ methods }: DirectoryService): readonly number[] {
  return (methods ?? []).flatMap(({ method_id: id }) => id ?? []);
}

/** The open method of the mock that answers at the URL of this one. */
function ownMethod({ service_url: base }: DirectoryService, { method_url: url }: DirectoryMethod) {
  if (!base?.startsWith('/') || url === null || url === undefined) return undefined;
  const path = base + url.replace(/\.\{format\}$/, '');
  const id = openMethodId(path);
  return id === undefined ? undefined : { path, id };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorableText(value) && Buffer.byteLength(value) <= LONGEST;
}

function isFullUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text) || text.endsWith('/')) return false;
  const { password, protocol, username } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

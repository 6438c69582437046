import { isJsonObject, type JsonObject } from '../../protocol/index.ts';
import { NotTaken, type Resolve } from './references.ts';

/** Who may call an operation. */
export interface OperationAccess {
  readonly open: boolean;
  /** Separated by spaces; empty where any token will do. */
  readonly scope: string;
  /** What the mock does otherwise than the description says: the end of a sentence. */
  readonly remark: string | undefined;
}

/** A security requirement, as far as a bearer token meets it. */
interface Requirement {
  /** Undefined when it asks for none. */
  readonly scopes: readonly string[] | undefined;
  /** The schemes that are not looked at. */
  readonly ignored: readonly string[];
}

/**
 * The scopes of an operation's `security`, or of the document's. Explicitly none is open; nothing said at all
 * takes any token.
 * @throws NotTaken for requirements that the description does not explain.
 */
export function accessOf(
  operation: JsonObject,
  root: JsonObject,
  resolve: Resolve,
): OperationAccess {
  const listed = operation['security'] ?? root['security'];
  if (listed === undefined) return { open: false, scope: '', remark: undefined };
  if (!Array.isArray(listed) || !listed.every(isJsonObject))
    throw new NotTaken('security that is no list');
  if (listed.length === 0 || listed.some((each) => Object.keys(each).length === 0)) {
    return { open: true, scope: '', remark: undefined };
  }
  const requirements = listed.map((each) => read(each, root, resolve));
  const [first, ...others] = requirements.filter(({ scopes }) => scopes !== undefined);
  if (first?.scopes === undefined) {
    const names = requirements.flatMap(({ ignored }) => ignored).join(', ');
    return { open: false, scope: '', remark: `takes any access token in place of ${names}` };
  }
  const scope = first.scopes.join(' ');
  const isOther = others.some(({ scopes }) => scopes?.join(' ') !== scope);
  const remarks = [
    ...(isOther ? [`takes ${scope || 'any token'} alone, the first of several alternatives`] : []),
    ...(first.ignored.length > 0 ? [`is not asked for ${first.ignored.join(', ')}`] : []),
  ];
  return { open: false, scope, remark: remarks.join(' and ') || undefined };
}

function read(requirement: JsonObject, root: JsonObject, resolve: Resolve): Requirement {
  const components = resolve(root['components']);
  const schemes = isJsonObject(components) ? resolve(components['securitySchemes']) : undefined;
  const scopes: string[] = [];
  const ignored: string[] = [];
  let takesToken = false;
  for (const [name, needed] of Object.entries(requirement)) {
    const scheme =
      isJsonObject(schemes) && Object.hasOwn(schemes, name) ? resolve(schemes[name]) : undefined;
    if (!isJsonObject(scheme)) {
      throw new NotTaken(`security scheme that is not described: ${name}`);
    }
    if (isTokenScheme(scheme)) {
      takesToken = true;
      scopes.push(...(Array.isArray(needed) ? needed : []).map(String));
    } else {
      ignored.push(name);
    }
  }
  return { scopes: takesToken ? [...new Set(scopes)] : undefined, ignored };
}

function isTokenScheme({ scheme, type }: JsonObject): boolean {
  if (type === 'http') return typeof scheme === 'string' && scheme.toLowerCase() === 'bearer';
  return type === 'oauth2' || type === 'openIdConnect';
}

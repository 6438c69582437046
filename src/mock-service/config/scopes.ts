/** What a registration may do, by whether its user has claimed it. */
export interface ScopeOptions {
  /** The scopes of an anonymous registration before its claim. Default: those that a resource needs for `GET`. */
  readonly preClaim?: readonly string[];
  /** After a claim: those before it as well. Default: `preClaim`, and every scope that a resource needs. */
  readonly postClaim?: readonly string[];
}

/** RFC 6749 §3.3. */
export interface ServiceScopes {
  readonly preClaim: readonly string[];
  readonly postClaim: readonly string[];
}

/** What of a resource its scopes follow from. */
interface Scoped {
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
}

const OPTION_NAMES = { preClaim: 'scopes.preClaim', postClaim: 'scopes.postClaim' } as const;

/** The scopes of the specification (wire contract §2). */
const READ = 'api.read';
const WRITE = 'api.write';

/** Whether a text is a scope (RFC 6749 §3.3). */
export function isScope(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}

/** The scopes of a text that separates them by spaces; commas do as well where somebody types them. */
export function splitScopes(text: string, separator = / +/): readonly string[] {
  return [...new Set(text.split(separator).filter((scope) => scope !== ''))];
}

/**
 * Resolves both lists, each scope once. What was not given follows from the other list and the resources; without any
 * they are those of the specification.
 * @param resources undefined: the default ones, which follow from the scopes instead.
 * @param names what the lists are called in an error.
 * @throws TypeError for scopes that cannot work.
 */
export function resolveScopes(
  given: ScopeOptions,
  resources: readonly Scoped[] | undefined,
  names: Readonly<Record<keyof ScopeOptions, string>> = OPTION_NAMES,
): ServiceScopes {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(OPTION_NAMES, name));
  if (unknown !== undefined) {
    throw new TypeError(`scopes.${unknown}: there is no such list. Use preClaim or postClaim.`);
  }
  const own = {
    preClaim: checked(names.preClaim, given.preClaim),
    postClaim: checked(names.postClaim, given.postClaim),
  };
  if (own.postClaim?.length === 0) {
    throw new TypeError(`${names.postClaim} is empty: name at least one scope.`);
  }
  const { preClaim = usualPreClaim(own.postClaim, resources) } = own;
  const { postClaim = usualPostClaim(preClaim, resources) } = own;
  const lost = preClaim.find((scope) => !postClaim.includes(scope));
  if (lost !== undefined) {
    throw new TypeError(
      `${names.preClaim} has ${lost}, which ${names.postClaim} has not: a claim takes no scope away.`,
    );
  }
  const unheard = (resources ?? []).flatMap(({ scopes, method, path }) =>
    scopes.flatMap((scope) =>
      postClaim.includes(scope) ? [] : [`${method} ${path} needs ${scope}`],
    ),
  )[0];
  if (unheard !== undefined) {
    throw new TypeError(`${unheard}, which ${names.postClaim} has not: add it there.`);
  }
  return { preClaim, postClaim };
}

/** What the catalog of the directory needs: the specification's scope, or any token where nobody can have it. */
export function catalogScopes({ postClaim }: ServiceScopes): readonly string[] {
  return postClaim.includes(READ) ? [READ] : [];
}

/** What a `GET` needs: before a claim an agent can look around. */
function usualPreClaim(
  postClaim: readonly string[] | undefined,
  resources: readonly Scoped[] | undefined,
): readonly string[] {
  if (neededBy(resources).length === 0) {
    return postClaim === undefined || postClaim.includes(READ) ? [READ] : postClaim.slice(0, 1);
  }
  const read = neededBy(resources?.filter(({ method }) => method === 'GET'));
  return unite(read.filter((scope) => postClaim?.includes(scope) ?? true));
}

function usualPostClaim(
  preClaim: readonly string[],
  resources: readonly Scoped[] | undefined,
): readonly string[] {
  const needed = neededBy(resources);
  return unite(preClaim, needed.length === 0 ? [WRITE] : needed);
}

function neededBy(resources: readonly Scoped[] | undefined): readonly string[] {
  return (resources ?? []).flatMap(({ scopes }) => scopes);
}

function checked(
  name: string,
  given: readonly string[] | undefined,
): readonly string[] | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) {
    throw new TypeError(`${name} cannot be ${JSON.stringify(given)}. Use a list of scopes.`);
  }
  const wrong = given.find((scope) => typeof scope !== 'string' || !isScope(scope));
  if (wrong === undefined) return unite(given);
  throw new TypeError(
    `${name}: ${JSON.stringify(wrong)} is no scope: printable ASCII without spaces, quotes and backslashes (RFC 6749 §3.3).`,
  );
}

function unite(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

/** What is granted where nobody says how much. */
export function leastScopes({ postClaim, preClaim }: ServiceScopes): readonly string[] {
  return preClaim.length > 0 ? preClaim : postClaim.slice(0, 1);
}

const SCHEME = /^postgres(?:ql)?:\/\//i;

/** What names a database, for messages. */
export const DATABASE_PLACE = 'the path of a file, or postgres://user@host/name';

/** Whether a text is a path or a URL of PostgreSQL, not nothing and not a URL of another database. */
export function isDatabasePlace(text: string): boolean {
  return text !== '' && (isDatabaseUrl(text) || !/^[a-z][a-z\d+.-]*:\/\//i.test(text));
}

/** Whether `--db` and its like name a server, and not a file. */
export function isDatabaseUrl(text: string): boolean {
  return SCHEME.test(text);
}

/** Whether a connection string of {@link isDatabaseUrl} carries a password. One that cannot be read may. */
export function hasPassword(given: string): boolean {
  const url = parse(given);
  if (url === undefined) return given.includes('@');
  return url.password !== '' || [...url.searchParams.keys()].includes('password');
}

/**
 * The connection string as the driver takes it, or `undefined` when it is none. The driver verifies the
 * certificate in each of these modes, but warns on stderr of a version in which some will not.
 */
export function toDriverUrl(given: string): string | undefined {
  const url = parse(given);
  if (url === undefined || !canDecode(given)) return undefined;
  return given.replace(
    /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/,
    (_all, name: string) => `${name}verify-full`,
  );
}

/** `postgres://user@/name?host=/run/postgresql` is a connection string of PostgreSQL, and no URL to `new URL`. */
function parse(given: string): URL | undefined {
  for (const text of [given, given.replace('@/', '@host/')]) {
    if (isDatabaseUrl(text) && URL.canParse(text)) return new URL(text);
  }
  return undefined;
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

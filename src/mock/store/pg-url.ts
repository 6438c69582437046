const SCHEME = /^postgres(?:ql)?:\/\//i;

/** Whether `--db` and its like name a server, and not a file. */
export function isDatabaseUrl(text: string): boolean {
  return SCHEME.test(text);
}

/** Whether an address of {@link isDatabaseUrl} carries a password. One that cannot be read may. */
export function hasPassword(address: string): boolean {
  const url = parse(address);
  if (url === undefined) return address.includes('@');
  return url.password !== '' || [...url.searchParams.keys()].includes('password');
}

/**
 * The address as the driver takes it, or `undefined` when it is none. The driver verifies the
 * certificate in each of these modes, but warns on stderr of a version in which some will not.
 */
export function toDriverUrl(address: string): string | undefined {
  const url = parse(address);
  if (url === undefined || !canDecode(address)) return undefined;
  return address.replace(
    /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/,
    (_all, name: string) => `${name}verify-full`,
  );
}

/** `postgres://user@/name?host=/run/postgresql` is an address of PostgreSQL, and no URL. */
function parse(address: string): URL | undefined {
  for (const text of [address, address.replace('@/', '@host/')]) {
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

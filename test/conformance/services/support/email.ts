const SHAPE = /^[^\s@<>"'(),:;\\[\]]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** The address as accounts are kept under it; undefined when it is none. */
export function readEmail(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 254) return undefined;
  const email = value.trim().toLowerCase();
  return SHAPE.test(email) ? email : undefined;
}

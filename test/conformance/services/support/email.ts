const SHAPE = /^[^\s@<>"'(),:;\\[\]]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** The normalised email of an account; undefined when it is not one. */
export function readEmail(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 254) return undefined;
  const email = value.trim().toLowerCase();
  return SHAPE.test(email) ? email : undefined;
}

/** RFC 3339, UTC, milliseconds. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

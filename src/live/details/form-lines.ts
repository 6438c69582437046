/** A pair of a form as it is sent, but decoded. */
export interface FormLine {
  readonly name: string;
  /** A text, or what is shown of a JWT in its place. */
  readonly value: unknown;
}

/** Whether a message was sent as a form (RFC 6749 Appendix B). */
export function isForm(headers: Readonly<Record<string, string>>): boolean {
  return contentType(headers) === 'application/x-www-form-urlencoded';
}

/** Without its parameters; undefined where there is none. */
export function contentType(headers: Readonly<Record<string, string>>): string | undefined {
  const [, value] = Object.entries(headers).find(([name]) => /^content-type$/i.test(name)) ?? [];
  return value?.split(';')[0]?.trim().toLowerCase() || undefined;
}

/** The pairs of a form that was read into an object; undefined for what is none. A name may come more than once. */
export function formLines(body: unknown): readonly FormLine[] | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return Object.entries(body).flatMap(([name, value]) =>
    [value as unknown].flat().map((each) => ({ name, value: each })),
  );
}

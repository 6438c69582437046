/**
 * The media type of a message (RFC 9110 §8.3.1): lower case, without parameters; empty when its headers
 * name none.
 */
export function mediaTypeOf({ headers }: { readonly headers: Headers }): string {
  const field = headers.get('content-type') ?? '';
  const end = field.indexOf(';');
  return (end === -1 ? field : field.slice(0, end)).trim().toLowerCase();
}

/** Whether a media type says that the body is JSON (RFC 8259 §11, RFC 6839 §3.1). */
export function isJsonMediaType(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

/** A decoder by the charset of a media type, which refuses what is wrong in it; UTF-8 where no known one is named. */
export function textDecoder(mediaType: string | null) {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mediaType ?? '') ?? [];
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return new TextDecoder('utf-8', { fatal: true });
  }
}

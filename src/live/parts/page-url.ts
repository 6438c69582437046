/** A page to open, absolute; undefined for what no browser should be led to. */
export function pageUrl(page: string, origin: string): string | undefined {
  try {
    const url = new URL(page, origin);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

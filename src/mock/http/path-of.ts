/**
 * The path of a URL, without its query: what `new URL(url).pathname` is of one that the URL parser wrote, as
 * every `Request` has it. Asked several times for each request, so nothing is parsed again.
 */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start === -1) return '/';
  for (let end = start; end < url.length; end += 1) {
    const code = url.charCodeAt(end);
    // A question mark or a number sign.
    if (code === 0x3f || code === 0x23) return url.slice(start, end);
  }
  return url.slice(start);
}

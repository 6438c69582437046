/**
 * Whether a browser opens this URL: a GET or HEAD that names HTML among what it accepts. Programs name
 * JSON, a wildcard or nothing.
 */
export function wantsPage({ headers, method }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const ranges = (headers.get('accept') ?? '').toLowerCase().split(',');
  return ranges.some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    return type === 'text/html' && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each));
  });
}

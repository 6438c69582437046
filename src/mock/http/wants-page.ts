/**
 * Whether a browser opens this URL: a GET or HEAD that names HTML among what it accepts, or a form that it sends,
 * which a browser alone marks as a navigation (Fetch Metadata §2.2). Programs name JSON, a wildcard or nothing.
 */
export function wantsPage({ headers, method }: Request): boolean {
  const isOpened = method === 'GET' || method === 'HEAD';
  if (!isOpened && headers.get('sec-fetch-mode') !== 'navigate') return false;
  const ranges = (headers.get('accept') ?? '').toLowerCase().split(',');
  return ranges.some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    return type === 'text/html' && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each));
  });
}

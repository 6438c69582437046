/** An address with every query value masked: a link may carry a token in its query. */
export function redactAddress(address: string): string {
  if (!URL.canParse(address)) return '(not an address)';
  const url = new URL(address);
  url.username = '';
  url.password = '';
  const names = [...url.searchParams.keys()];
  const query = names.map((name) => `${encodeURIComponent(name)}=***`).join('&');
  return url.origin + url.pathname + (query === '' ? '' : `?${query}`);
}

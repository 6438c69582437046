/** What a browser says about where a request comes from. */
export interface RequestSource {
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which no script can set. */
  readonly fetchSite: string | undefined;
  readonly isJson: boolean;
}

/**
 * Whether a request that changes something comes from our own pages (wire contract §5). With an `Origin`, it
 * must be ours; `null` passes when the browser confirms it (`Sec-Fetch-Site`). Without one, JSON passes, because a
 * page of another site cannot send it unasked; a form passes only when the browser confirms it,
 * since a browser that sends neither header could have been led here from anywhere.
 */
export function isFromOwnPage(source: RequestSource, own: string): boolean {
  const { origin, fetchSite, isJson } = source;
  const isConfirmed = fetchSite === 'same-origin';
  if (origin === own) return true;
  if (origin === 'null') return isConfirmed;
  if (origin !== undefined) return false;
  return isConfirmed || (isJson && fetchSite === undefined);
}

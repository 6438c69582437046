import { wrongOption } from '../../mock/config/wrong-option.ts';
import { urlProblem, withoutFinalSlash } from '../../protocol/urls.ts';
import type { Audience, KnownAudience } from './config.ts';

/** The services that ID-JAGs are minted for. */
export interface Audiences {
  /** `undefined` when ID-JAGs are not minted for that issuer. */
  find(issuer: string): KnownAudience | undefined;
  /** Whether a URL is of the origin of an audience that was listed. */
  isListed(url: string): boolean;
  /** Whether any other than the listed ones is found, too. */
  readonly areOpen: boolean;
}

const MAX_ISSUER_LENGTH = 512;
const ANY = 'any';

/**
 * @param own the provider's issuer, which is no audience of its own.
 * @throws TypeError for an audience that is not an issuer.
 */
export function readAudiences(
  own: string,
  given: readonly (string | Audience)[] | typeof ANY,
): Audiences {
  const all = [given].flat();
  const areOpen = all.includes(ANY);
  const listed = all.filter((each) => each !== ANY);
  const known = new Map(listed.map(entryOf));
  const origins = new Set([...known.keys()].map((issuer) => new URL(issuer).origin));
  return {
    areOpen,
    isListed: (url) => origins.has(new URL(url).origin),
    find: (issuer) => {
      const found = known.get(issuer) ?? known.get(otherSpelling(issuer));
      if (found !== undefined || !areOpen) return found;
      // Its own issuer is no audience: an ID-JAG is never exchanged where it was minted (IDJ-14).
      return withoutFinalSlash(issuer) !== own && isIssuer(issuer)
        ? { issuer, name: new URL(issuer).host }
        : undefined;
    },
  };
}

/** The issuer without its final slash, or with one where it has none. */
function otherSpelling(issuer: string): string {
  return issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
}

function entryOf(given: string | Audience): [string, KnownAudience] {
  const audience = typeof given === 'string' ? { issuer: given } : given;
  const { issuer } = audience;
  if (!isIssuer(issuer)) {
    throw wrongOption('audiences', issuer, 'Use an https URL without a query.');
  }
  return [issuer, { ...audience, name: audience.name ?? new URL(issuer).host }];
}

/** RFC 8414 §2: no query, no fragment. Plain http is for loopback alone. */
function isIssuer(url: string): boolean {
  return (
    url.length <= MAX_ISSUER_LENGTH &&
    urlProblem(url) === undefined &&
    !url.includes('?') &&
    // One spelling alone: a user is not shown a URL that another parser could read differently.
    [url, `${url}/`].includes(new URL(url).href)
  );
}

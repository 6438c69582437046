import type { Answer } from '../http/answer.ts';
import type { HeaderList } from '../http/http-client.ts';
import type { PageForm } from './forms.ts';
import type { CookieContext, Visitor } from './visitor.ts';

/** The headers by which a browser says where a form came from. */
export const FROM = {
  ownPage: (action: string): HeaderList => [
    ['origin', new URL(action).origin],
    ['sec-fetch-site', 'same-origin'],
  ],
  /** A page of another site, at this host. */
  foreignPage: (host: string): HeaderList => [
    ['origin', `https://${host}`],
    ['sec-fetch-site', 'cross-site'],
  ],
  /** A sandboxed frame, or a page behind a redirect. */
  hiddenOrigin: (): HeaderList => [
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
  ],
  /** A page at another port of the same host: same-site by `SameSite`. */
  sibling: (action: string): HeaderList => [
    ['origin', siblingOf(action)],
    ['sec-fetch-site', 'same-site'],
  ],
  /** A sibling whose referrer policy hides its origin. */
  hiddenSibling: (): HeaderList => [
    ['origin', 'null'],
    ['sec-fetch-site', 'same-site'],
  ],
} as const;

function siblingOf(action: string): string {
  const { hostname, port, protocol } = new URL(action);
  return `${protocol}//${hostname}:${Number(port || 443) === 8443 ? 9443 : 8443}`;
}

/** A browser holds `SameSite` cookies back from what another site posts. */
function contextOf(from: HeaderList): CookieContext {
  const isForeign = from.some(
    ([name, value]) => name === 'sec-fetch-site' && value === 'cross-site',
  );
  return isForeign ? 'foreign-form' : 'same-site';
}

type Values = Readonly<Record<string, string>>;

/**
 * Posts a form as a page would, with the cookies of the visitor that a browser would send along; those of another
 * context where one is named.
 */
export const postForm = posting('application/x-www-form-urlencoded', (values) =>
  new URLSearchParams(values).toString(),
);

/** The same as JSON in text/plain: what a foreign page can send without a preflight. */
export const postJsonAsText = posting('text/plain', (values) => JSON.stringify(values));

function posting(mediaType: string, write: (values: Values) => string) {
  return (
    visitor: Visitor,
    action: string,
    values: Values,
    from: HeaderList,
    context = contextOf(from),
  ): Promise<Answer> => {
    const headers: HeaderList = [['content-type', mediaType], ...from];
    return visitor.exchange(action, { method: 'POST', headers, body: write(values) }, context);
  };
}

/** What a visitor gets who follows a link of another site. */
export function followForeignLink(visitor: Visitor, url: string, method = 'GET'): Promise<Answer> {
  return visitor.exchange(url, { method }, 'foreign-link');
}

/** A URL with the values of a form in its query. */
export function asUrl(action: string, values: Values): string {
  const url = new URL(action);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Names of the hidden fields, whatever they are called, that hold a token of the session: in two sessions of a
 * page they differ. Those of the query of its action likewise.
 */
export function tokenNames(one: PageForm, another: PageForm): readonly string[] {
  const hidden = one.fields
    .filter(({ name, type, value }) => type === 'hidden' && another.values[name] !== value)
    .map(({ name }) => name);
  const elsewhere = new URL(another.action).searchParams;
  const query = [...new URL(one.action).searchParams]
    .filter(([name, value]) => elsewhere.get(name) !== value)
    .map(([name]) => name);
  return [...new Set([...hidden, ...query])];
}

/** The action of a form as another site knows it: without the tokens of the session. */
export function bareAction(action: string, tokens: readonly string[]): string {
  const url = new URL(action);
  const held = tokens.filter((name) => url.searchParams.has(name));
  for (const name of held) url.searchParams.delete(name);
  return held.length === 0 ? action : url.href;
}

export function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

/** The values with these names. */
export function only(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

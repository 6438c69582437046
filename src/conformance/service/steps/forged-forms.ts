import type { Answer } from '../../http/answer.ts';
import type { HeaderList } from '../../http/http-client.ts';
import type { PageForm } from '../../pages/forms.ts';
import type { CookieContext, Visitor } from '../../pages/visitor.ts';

/** What a browser says of where a form came from. */
export const FROM = {
  ownPage: (action: string): HeaderList => [
    ['origin', new URL(action).origin],
    ['sec-fetch-site', 'same-origin'],
  ],
  /** @param host of whoever made the page. */
  foreignPage: (host: string): HeaderList => [
    ['origin', `https://${host}`],
    ['sec-fetch-site', 'cross-site'],
  ],
  /** A sandboxed frame, or a page behind a redirect. */
  nowhere: (): HeaderList => [
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
  ],
  /** A page at another port of the same host: to `SameSite` it is no foreigner. */
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

/** A browser keeps `SameSite` cookies back from what another site posts, and from nobody else. */
function contextOf(from: HeaderList): CookieContext {
  const isForeign = from.some(
    ([name, value]) => name === 'sec-fetch-site' && value === 'cross-site',
  );
  return isForeign ? 'foreign-form' : 'same-site';
}

type Values = Readonly<Record<string, string>>;

/** Posts values as a page would, with the cookies of the visitor that a browser would send along. */
export function post(
  visitor: Visitor,
  action: string,
  values: Values,
  from: HeaderList,
): Promise<Answer> {
  const sending = {
    method: 'POST',
    headers: [['content-type', 'application/x-www-form-urlencoded'], ...from],
    body: new URLSearchParams(values).toString(),
  } as const;
  return visitor.exchange(action, sending, contextOf(from));
}

/** The same as JSON in a text: what a page of another site can send without asking first. */
export function postAsText(
  visitor: Visitor,
  action: string,
  values: Values,
  from: HeaderList,
): Promise<Answer> {
  const sending = {
    method: 'POST',
    headers: [['content-type', 'text/plain'], ...from],
    body: JSON.stringify(values),
  } as const;
  return visitor.exchange(action, sending, contextOf(from));
}

/** What a link of another site leads to. */
export function led(visitor: Visitor, address: string, method = 'GET'): Promise<Answer> {
  return visitor.exchange(address, { method }, 'foreign-link');
}

/** The same in the address. */
export function asUrl(action: string, values: Values): string {
  const url = new URL(action);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

/** Names of hidden values that belong to the session: in two sessions of one page they differ. */
export function tokenNames(one: PageForm, another: PageForm): readonly string[] {
  return one.fields
    .filter(({ name, type, value }) => type === 'hidden' && another.values[name] !== value)
    .map(({ name }) => name);
}

export function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

/** Those values of another form that stand for the session. */
export function only(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

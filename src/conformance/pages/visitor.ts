import { CookieJar, Cookie as JarCookie } from 'tough-cookie';
import type { Answer } from '../http/answer.ts';
import type { HeaderList, Sending } from '../http/http-client.ts';
import { type PageForm, readForms } from './forms.ts';

/** A cookie as a browser keeps it. */
export interface Cookie {
  readonly key: string;
  readonly value: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite?: string | undefined;
  /** The cookie as a `Set-Cookie` line. */
  toString(): string;
}

/** An answer and its URL, after redirects. */
export interface Page {
  readonly url: string;
  /** What was opened; undefined after a form. */
  readonly asked?: string;
  readonly answer: Answer;
  readonly forms: readonly PageForm[];
}

/** A page of this site (a sibling, too), a link of another site, or a form of another site. */
export type CookieContext = 'same-site' | 'foreign-link' | 'foreign-form';

/** Why a cookie is never sent back: it is `Secure` and its page plain http, or it names another host. */
export type Withheld = 'secure' | 'domain';

const CONTEXTS = { 'same-site': 'strict', 'foreign-link': 'lax', 'foreign-form': 'none' } as const;

const MAX_REDIRECTS = 10;

/** A browser's cookies, redirects, forms and `Origin`, without a browser. */
export class Visitor {
  readonly #jar = new CookieJar(undefined, { looseMode: true });
  readonly #send: (url: string, sending: Sending) => Promise<Answer>;
  readonly #withheld = new Map<string, Withheld>();
  #wasGivenCookies = false;

  constructor(send: (url: string, sending: Sending) => Promise<Answer>) {
    this.#send = send;
  }

  /**
   * Makes one exchange, with the cookies of its URL; redirects are not followed.
   * @param from Where it begins, which decides about `SameSite` cookies (RFC 6265bis §5.2).
   */
  async exchange(
    url: string,
    sending: Sending = {},
    from: CookieContext = 'same-site',
  ): Promise<Answer> {
    const cookie = await this.#jar.getCookieString(url, { sameSiteContext: CONTEXTS[from] });
    const cookies: HeaderList = cookie === '' ? [] : [['cookie', cookie]];
    const answer = await this.#send(url, {
      ...sending,
      headers: [...cookies, ...(sending.headers ?? [])],
    });
    for (const line of answer.headerLines('set-cookie')) {
      await this.#jar.setCookie(line, url, { ignoreError: true });
      await this.#notice(line, url);
    }
    return answer;
  }

  /** Cookies that were set and are never sent back, by their names. */
  get withheld(): ReadonlyMap<string, Withheld> {
    return this.#withheld;
  }

  /** Whether any answer has set a cookie. */
  get wasGivenCookies(): boolean {
    return this.#wasGivenCookies;
  }

  async #notice(line: string, url: string): Promise<void> {
    const cookie = JarCookie.parse(line, { loose: true });
    if (cookie === undefined || cookie.TTL() <= 0) return;
    this.#wasGivenCookies = true;
    // This machine's own pages count as secure, as they do in a browser.
    const sent = await this.#jar.getCookies(url, { allPaths: true });
    if (sent.some(({ key }) => key === cookie.key)) this.#withheld.delete(cookie.key);
    else if (cookie.secure && url.startsWith('http:')) this.#withheld.set(cookie.key, 'secure');
    else if (cookie.domain !== null) this.#withheld.set(cookie.key, 'domain');
  }

  /** The cookies that would be sent to a URL. */
  async cookies(url: string): Promise<readonly Cookie[]> {
    return this.#jar.getCookies(url);
  }

  /** Adds cookies as though a URL had set them, with other values or their own. */
  async plant(
    url: string,
    cookies: readonly Cookie[],
    value = (own: string): string => own,
  ): Promise<void> {
    for (const cookie of cookies) {
      const copy = JarCookie.parse(cookie.toString(), { loose: true });
      if (copy === undefined) continue;
      copy.value = value(cookie.value);
      await this.#jar.setCookie(copy, url, { ignoreError: true });
    }
  }

  /** Opens a URL and follows redirects, as long as they are http or https. */
  async open(url: string): Promise<Page> {
    const page = await this.#follow(url, await this.exchange(url, { headers: BROWSER }));
    return Object.assign(page, { asked: url });
  }

  /** Submits a form of a page. */
  async submit(
    page: Page,
    form: PageForm,
    values: Readonly<Record<string, string>>,
  ): Promise<Page> {
    const fields = new URLSearchParams({ ...form.values, ...values });
    if (form.method === 'GET') {
      const target = new URL(form.action);
      target.search = fields.toString();
      return this.open(target.href);
    }
    const answer = await this.exchange(form.action, {
      method: 'POST',
      headers: [
        ...BROWSER,
        ['content-type', 'application/x-www-form-urlencoded'],
        ['origin', new URL(page.url).origin],
        ['sec-fetch-site', 'same-origin'],
      ],
      body: fields.toString(),
    });
    return this.#follow(form.action, answer);
  }

  async #follow(from: string, first: Answer): Promise<Page> {
    let [url, answer] = [from, first];
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const location = answer.header('location');
      if (answer.status < 300 || answer.status >= 400 || location === undefined) break;
      if (!URL.canParse(location, url)) break;
      url = new URL(location, url).href;
      answer = await this.exchange(url, { headers: BROWSER });
    }
    let forms: readonly PageForm[] | undefined;
    return {
      url,
      answer,
      // Many pages are only opened.
      get forms() {
        forms ??= readForms(answer, url);
        return forms;
      },
    };
  }
}

const BROWSER: HeaderList = [['accept', 'text/html,application/xhtml+xml']];

/** A value of the same length and characters that no session has. */
export function madeUp(value: string): string {
  return value.replace(/[A-Ya-y0-8]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 1),
  );
}

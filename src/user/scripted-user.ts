import type { Fetch } from '../runtime/index.ts';
import { type Page, type PageForm, readPage } from './page.ts';

const MAX_REDIRECTS = 10;

/**
 * A user with a browser, as far as forms go: keeps cookies, follows redirects, fills in what the page
 * asks for and presses the button. It relies on the names of fields, never on URLs.
 */
export class ScriptedUser {
  readonly #fetch: Fetch;
  /** Cookies by origin, as `name → value`. */
  readonly #jars = new Map<string, Map<string, string>>();

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  open(url: string): Promise<Page> {
    return this.#visit(url, 'GET', undefined);
  }

  /** Fills in the form of `page` that has all the named controls, and sends it. */
  submit(page: Page, values: Readonly<Record<string, string>>): Promise<Page> {
    const names = Object.keys(values);
    const form = page.forms.find(({ controls }) => names.every((name) => controls.includes(name)));
    if (form === undefined) {
      throw new Error(
        `The page "${page.heading}" (${page.status}) has no form for ${names.join(', ')}.`,
      );
    }
    return this.#send(form, { ...form.fields, ...values });
  }

  #send(form: PageForm, values: Readonly<Record<string, string>>): Promise<Page> {
    const body = new URLSearchParams(values).toString();
    if (form.method === 'POST') return this.#visit(form.action, 'POST', body);
    const url = new URL(form.action);
    url.search = body;
    return this.#visit(url.href, 'GET', undefined);
  }

  async #visit(start: string, firstMethod: string, firstBody: string | undefined): Promise<Page> {
    let url = start;
    let method = firstMethod;
    let body = firstBody;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const response = await this.#fetch(url, {
        method,
        headers: this.#headers(url, method),
        ...(body !== undefined && { body }),
      });
      this.#keepCookies(url, response);
      const html = await response.text();
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) {
        return readPage(url, response.status, html);
      }
      url = new URL(location, url).href;
      method = 'GET';
      body = undefined;
    }
    throw new Error(`More than ${MAX_REDIRECTS} redirects from ${new URL(start).origin}.`);
  }

  #headers(url: string, method: string): Record<string, string> {
    const { origin } = new URL(url);
    const cookies = [...(this.#jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`);
    return {
      accept: 'text/html',
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      ...(method === 'POST' && {
        'content-type': 'application/x-www-form-urlencoded',
        origin,
        'sec-fetch-site': 'same-origin',
      }),
    };
  }

  #keepCookies(url: string, response: Response): void {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, at).trim();
      const value = pair.slice(at + 1).trim();
      const over = attributes.some((attribute) =>
        /^\s*max-age\s*=\s*(0|-\d+)\s*$/i.test(attribute),
      );
      if (over || value === '') jar.delete(name);
      else jar.set(name, value);
    }
  }
}

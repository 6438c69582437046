import { type HTMLElement, parse } from 'node-html-parser';

export type FetchHandler = (request: Request) => Promise<Response>;

export interface Page {
  readonly url: string;
  readonly response: Response;
  readonly document: HTMLElement;
  /** What a reader sees, white space folded. */
  readonly text: string;
}

/** Somebody at a browser: keeps cookies, follows redirects of its own origin, fills in forms as they are. */
export class TestUser {
  readonly cookies = new Map<string, string>();
  readonly #fetch: FetchHandler;

  constructor(fetch: FetchHandler) {
    this.#fetch = fetch;
  }

  async open(url: string): Promise<Page> {
    return this.#follow(url, { headers: { accept: 'text/html', 'sec-fetch-site': 'none' } });
  }

  /** Submits the form with this action, as the page has it, with `values` filled in. */
  async submit(
    page: Page,
    action: string,
    values: Readonly<Record<string, string>>,
  ): Promise<Page> {
    const form = page.document
      .querySelectorAll('form')
      .find((candidate) => candidate.getAttribute('action') === action);
    if (form === undefined) throw new Error(`No form for ${action} on the page: ${page.text}`);
    const fields = new URLSearchParams();
    for (const input of form.querySelectorAll('input')) {
      const name = input.getAttribute('name');
      if (name !== undefined) fields.set(name, input.getAttribute('value') ?? '');
    }
    for (const [name, value] of Object.entries(values)) fields.set(name, value);
    return this.#follow(new URL(action, page.url).href, {
      method: 'POST',
      body: fields.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: new URL(page.url).origin,
        'sec-fetch-site': 'same-origin',
      },
    });
  }

  /** Opens a link, signs in where it asks for it, and returns the page behind. */
  async openSignedIn(url: string, email: string): Promise<Page> {
    const page = await this.open(url);
    return page.url.includes('/login') ? this.submit(page, '/login', { email }) : page;
  }

  /** A request with this user's cookies, its answer as it is. */
  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0) {
      headers.set(
        'cookie',
        [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      );
    }
    const response = await this.#fetch(new Request(url, { ...init, headers, redirect: 'manual' }));
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      const value = pair.slice(at + 1);
      if (value === '' || /max-age=0/i.test(cookie)) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), value);
    }
    return response;
  }

  async #follow(url: string, init: RequestInit): Promise<Page> {
    let response = await this.request(url, init);
    let at = url;
    for (let hops = 0; response.status === 303 && hops < 5; hops += 1) {
      const next = new URL(response.headers.get('location') ?? '', at);
      if (next.origin !== new URL(at).origin) throw new Error(`A redirect leads to ${next.origin}`);
      at = next.href;
      response = await this.request(at);
    }
    const document = parse(await response.text());
    const text = document.structuredText.replace(/\s+/g, ' ').trim();
    return { url: at, response, document, text };
  }
}

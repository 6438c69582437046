import { type HTMLElement, parse } from 'node-html-parser';

export interface Visit {
  readonly url: string;
  readonly response: Response;
  readonly text: string;
}

/** A user of the pages: keeps cookies, follows redirects, fills in forms. */
export class TestVisitor {
  readonly #cookies = new Map<string, string>();

  async open(url: string, init: RequestInit = {}): Promise<Visit> {
    const headers = new Headers(init.headers);
    headers.set('Cookie', [...this.#cookies].map((pair) => pair.join('=')).join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) return this.open(new URL(location, url).href);
    return { url, response, text: await response.text() };
  }

  /** Sends the first form that has a field or button like this. */
  submit(visit: Visit, values: Readonly<Record<string, string>>): Promise<Visit> {
    const form = parse(visit.text).querySelector('form');
    if (form === null) throw new Error(`no form at ${visit.url}: ${visit.response.status}`);
    const body = new URLSearchParams(fieldsOf(form));
    for (const [name, value] of Object.entries(values)) body.set(name, value);
    const action = new URL(form.getAttribute('action') ?? '', visit.url).href;
    return this.open(action, { method: 'POST', body });
  }

  /** Signs in, in as many steps as that needs, until the page behind the sign-in is there. */
  async signIn(url: string, email: string): Promise<Visit> {
    let visit = await this.open(url);
    for (let step = 0; step < 3 && !visit.text.includes('user_code'); step += 1) {
      const input = parse(visit.text).querySelector('input[type=email]');
      if (parse(visit.text).querySelector('form') === null) return visit;
      const name = input?.getAttribute('name');
      visit = await this.submit(visit, name === undefined ? {} : { [name]: email });
    }
    return visit;
  }
}

/** What a browser would send: the fields, and the first button if it has a name. */
function fieldsOf(form: HTMLElement): [string, string][] {
  return [...form.querySelectorAll('input'), ...form.querySelectorAll('button').slice(0, 1)]
    .map((field) => [field.getAttribute('name') ?? '', field.getAttribute('value') ?? ''] as const)
    .filter(([name]) => name !== '')
    .map(([name, value]) => [name, value]);
}

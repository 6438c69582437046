/** Text for HTML, made harmless by `html`. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes whatever is put in, except markup made by itself. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Markup)[]): Markup {
  const escaped = values.map((value) =>
    value instanceof Markup ? value.text : value.replace(/[&<>"']/g, (c) => ESCAPES[c] ?? c),
  );
  return new Markup(String.raw({ raw: parts }, ...escaped));
}

/**
 * A page that cannot be framed, cached, or made to load anything. `same-origin`, because under
 * `no-referrer` a browser sends `Origin: null` with the page's own forms.
 */
export function page(
  status: number,
  title: string,
  body: Markup,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const content = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><main><h1>${title}</h1>${body}</main></body></html>
`;
  return new Response(content.text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
      ...headers,
    },
  });
}

export function seeOther(location: string, headers: Readonly<Record<string, string>> = {}) {
  return new Response(null, {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', ...headers },
  });
}

/** False for a form that another site submitted. */
export function isFromHere(request: Request, origin: string): boolean {
  const sender = request.headers.get('origin');
  if (sender !== null && sender !== origin) return false;
  const site = request.headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none';
}

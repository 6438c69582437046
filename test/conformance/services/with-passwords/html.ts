import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

/** Markup that is safe as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes every value that is no Html. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const escaped = values.map((value) =>
    value instanceof Html
      ? value.text
      : value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign),
  );
  return new Html(parts.map((part, index) => part + (escaped[index] ?? '')).join(''));
}

export function page(
  c: Context,
  status: ContentfulStatusCode,
  title: string,
  body: Html,
): Response {
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1>${body}</body></html>`;
  return c.html(document.text, status, HEADERS);
}

/** What an anti-CSRF token is sent in: the field, or the header for scripts. */
export function csrfField(token: string): Html {
  return html`<input type="hidden" name="_csrf" value="${token}">`;
}

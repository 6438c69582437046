import type { Response } from 'express';

export const esc = (value: unknown): string =>
  String(value ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function show(
  response: Response,
  status: number,
  title: string,
  ...body: readonly string[]
): void {
  response
    .status(status)
    .set({
      'Content-Security-Policy':
        "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    .type('html')
    .send(
      `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${esc(title)}</title></head>` +
        `<body><main><h1>${esc(title)}</h1>${body.join('\n')}</main></body></html>`,
    );
}

export const hidden = (name: string, value: unknown): string =>
  `<input type="hidden" name="${esc(name)}" value="${esc(value)}">`;

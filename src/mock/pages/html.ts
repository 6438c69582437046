import * as hono from 'hono/html';

/** Text that is HTML already: what is put into {@link html} as it is. */
type Html = string & { readonly isEscaped: true };

/** What {@link html} makes: escaped text, at once or once its values are there. */
export type View = Html | Promise<Html>;

/** HTML from a template; every value in it is escaped, unless it is {@link Html}. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => View = hono.html;

/** Takes a text for HTML. */
export const raw: (text: string) => Html = hono.raw;

import { NO_STORE } from '../http/response.ts';
import { FAVICON_PATH, markView } from './favicon.ts';
import { html, type View } from './html.ts';
import { type Site, START_PATH } from './site.ts';
import { STYLE_PATH } from './style.ts';

export interface PageContent {
  readonly title: string;
  readonly body: View;
  readonly status?: number;
  /** Names in lower case, for example of a session cookie. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where redirects take a browser that sends the form of the page: browsers ask the policy for each of them. */
  readonly leadsTo?: URL | undefined;
}

/** No script at all, no frame, nothing from elsewhere (BCP-02, A-30). */
function contentPolicy(leadsTo: URL | undefined): string {
  // An app's own scheme has no origin (RFC 8252 §7.1).
  const target = leadsTo?.origin === 'null' ? leadsTo.protocol : leadsTo?.origin;
  const forms = ["'self'", ...(target === undefined ? [] : [target])].join(' ');
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`;
}

/** The headers of every page; nothing of it is kept. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  ...NO_STORE,
} as const;

const MOCK = html`<strong>Mock sign-in:</strong> any email, no password. For tests only.`;

/** What no user may take for the real thing says so on each page. */
const BANNERS: Readonly<Record<Site['role'], View>> = {
  'Mock service': MOCK,
  'Mock provider': MOCK,
  Replay: html`<strong>Replay:</strong> a recorded service. Nothing here is real. For tests only.`,
};

/** A whole page around a view. */
export async function page(
  site: Site,
  { title, body, status = 200, headers, leadsTo }: PageContent,
): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · ${site.name}</title>
  <link rel="icon" href="${FAVICON_PATH}" type="image/svg+xml">
  <link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body class="${site.role === 'Mock provider' ? 'provider' : 'service'}">
  <header>
    <p class="banner">${BANNERS[site.role]}</p>
    <p class="site"><a href="${START_PATH}">${markView(site)}<span>${site.name}</span></a>
      <span class="role">${site.role}</span></p>
  </header>
  <main>
${body}
  </main>
</body>
</html>
`;
  const policy = { 'content-security-policy': contentPolicy(leadsTo) };
  return new Response(text.toString(), {
    status,
    headers: { ...PAGE_HEADERS, ...policy, ...headers },
  });
}

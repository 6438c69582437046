import {
  on,
  type Tamper,
  withHeader,
  withoutHeaders,
  withStatus,
  withText,
} from '../../mock/index.ts';
import { PATHS } from '../config/paths.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const PAGES: readonly string[] = [PATHS.login, PATHS.claimPage, PATHS.complete];

const isPage = (path: string, response: Response) =>
  PAGES.includes(path) && (response.headers.get('content-type') ?? '').startsWith('text/html');

/** With a changed value of one header. */
function withChanged(name: string, change: (value: string) => string): Tamper {
  return (response) => {
    const value = response.headers.get(name);
    if (value !== null) response.headers.set(name, change(value));
    return response;
  };
}

const framable = withoutHeaders('x-frame-options');

/** Faults: what it answers wrongly on its pages. */
export const PAGE_ANSWER_FAULTS = {
  wrongRedirectStatus307: {
    description: 'redirects after a sign-in with 307 (RFC 9700 §4.12)',
    answers: on((path, { status }) => path === PATHS.login && status === 303, withStatus(307)),
    breaks: ['BCP-03', 'W5-06'],
    fails: { 'sign-in-redirects': ['not-resent', 'see-other'] },
  },
  wrongRedirectStatus302: {
    description: 'redirects after a sign-in with 302',
    answers: on((path, { status }) => path === PATHS.login && status === 303, withStatus(302)),
    breaks: ['W5-06'],
    fails: { 'sign-in-redirects': ['see-other'] },
  },
  unescapedReturnTo: {
    description: 'writes return_to into a header with its line breaks (attack A-28)',
    answers: on(
      (path, _response, { url }) => path === PATHS.login && lineBreak(url) !== undefined,
      (response, { url }) => {
        const [name = '', value = ''] = lineBreak(url)?.split(':') ?? [];
        response.headers.set(name.trim(), value.trim());
        return response;
      },
    ),
    breaks: ['A-28.service'],
    fails: { 'sign-in-redirects': ['no-header'] },
  },
  exposedSessionToScripts: {
    description: 'lets scripts read its session cookie (attack A-45)',
    answers: on(
      () => true,
      withChanged('set-cookie', (value) => value.replace('; HttpOnly', '')),
    ),
    breaks: ['A-45.service', 'W5-03'],
    fails: { 'session-ids': ['hidden-from-scripts'] },
  },
  exposedSessionToSites: {
    description: 'lets other sites send its session cookie (attack A-45)',
    answers: on(
      () => true,
      withChanged('set-cookie', (value) => value.replace('SameSite=Lax', 'SameSite=None')),
    ),
    breaks: ['A-45-OTHERS', 'W5-03'],
    fails: { 'session-ids': ['hidden-from-others'] },
  },
  missingFrameProtection: {
    description: 'lets its pages be framed (RFC 9700 §4.16)',
    answers: on(isPage, (response, request) =>
      withChanged('content-security-policy', (policy) =>
        policy.replace("frame-ancestors 'none'; ", ''),
      )(framable(response, request) as Response, request),
    ),
    breaks: ['A-15.service', 'BCP-02'],
    fails: { 'page-headers': ['not-framed'] },
  },
  missingFrameOptions: {
    description: 'keeps its pages out of frames by frame-ancestors alone, without X-Frame-Options',
    answers: on(isPage, framable),
    breaks: ['W5-11'],
    fails: { 'page-headers': ['not-framed-twice'] },
  },
  wrongPageCacheControl: {
    description: 'lets its pages be cached',
    answers: on(isPage, withHeader('cache-control', 'private, max-age=60')),
    breaks: ['W5-12'],
    fails: { 'page-headers': ['not-kept'] },
  },
  exposedReferrer: {
    description: 'lets other origins see the URLs of its pages (RFC 9700 §4.2)',
    answers: on(isPage, withHeader('referrer-policy', 'unsafe-url')),
    breaks: ['BCP-04'],
    fails: { 'page-headers': ['referrer-policy'] },
  },
  extraForeignStyleSheet: {
    description: 'loads a style sheet of another origin on its pages (RFC 9700 §4.2)',
    answers: on(
      isPage,
      withText((text) =>
        text.replace('</head>', '<link rel="stylesheet" href="https://cdn.example/x.css"></head>'),
      ),
    ),
    breaks: ['BCP-04'],
    fails: { 'page-headers': ['own-content'] },
  },
  exposedPagesToOrigins: {
    description: 'lets every origin read its pages (RFC 9700 §2.6)',
    answers: on(isPage, withHeader('access-control-allow-origin', '*')),
    breaks: ['BCP-08'],
    fails: { 'page-headers': ['not-readable'] },
  },
  noDenial: {
    description: 'lets a user approve, but not deny (RFC 8628 §3.3)',
    answers: on(
      isPage,
      withText((text) => text.replace(/<button name="decision" value="deny".*?<\/button>/s, '')),
    ),
    breaks: ['W5-16'],
    fails: { 'claim-page': ['deny-offered'] },
  },
  unescapedQuery: {
    description: 'writes the query of its URL into its pages unescaped (attack A-30)',
    answers: on(
      isPage,
      withText((text, { url }) =>
        text.replace(
          '</main>',
          () => `<p>${[...new URL(url).searchParams.values()].join(' ')}</p></main>`,
        ),
      ),
    ),
    breaks: ['A-30.service'],
    fails: { 'page-injection': ['link'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;

/** The line that follows a line break in `return_to`. */
function lineBreak(url: string): string | undefined {
  const [, line] =
    /\r\n([^\r\n]+:[^\r\n]+)/.exec(new URL(url).searchParams.get('return_to') ?? '') ?? [];
  return line;
}

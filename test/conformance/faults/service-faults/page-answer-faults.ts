import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import { framable, isPage, withChanged } from '../../../../src/mock-service/faults/page-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

const { on, withHeader, withStatus, withText } = rewire;

/** Faults: what it answers wrongly on its pages. */
export const PAGE_ANSWER_FAULTS = {
  wrongRedirectStatus302: {
    description: 'redirects after a sign-in with 302',
    answers: on((path, { status }) => path === PATHS.login && status === 303, withStatus(302)),
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
    fails: { 'sign-in-redirects': ['no-header'] },
  },
  exposedSessionToScripts: {
    description: 'lets scripts read its session cookie (attack A-45)',
    answers: on(
      () => true,
      withChanged('set-cookie', (value) => value.replace('; HttpOnly', '')),
    ),
    fails: { 'session-ids': ['hidden-from-scripts'] },
  },
  exposedSessionToSites: {
    description: 'lets other sites send its session cookie (attack A-45)',
    answers: on(
      () => true,
      withChanged('set-cookie', (value) => value.replace('SameSite=Lax', 'SameSite=None')),
    ),
    fails: { 'session-ids': ['hidden-from-others'] },
  },
  missingFrameOptions: {
    description: 'keeps its pages out of frames by frame-ancestors alone, without X-Frame-Options',
    answers: on(isPage, framable),
    fails: { 'page-headers': ['not-framed-twice'] },
  },
  wrongPageCacheControl: {
    description: 'lets its pages be cached',
    answers: on(isPage, withHeader('cache-control', 'private, max-age=60')),
    fails: { 'page-headers': ['not-kept'] },
  },
  exposedReferrer: {
    description: 'lets other origins see the URLs of its pages (RFC 9700 §4.2)',
    answers: on(isPage, withHeader('referrer-policy', 'unsafe-url')),
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
    fails: { 'page-headers': ['own-content'] },
  },
  exposedPagesToOrigins: {
    description: 'lets every origin read its pages (RFC 9700 §2.6)',
    answers: on(isPage, withHeader('access-control-allow-origin', '*')),
    fails: { 'page-headers': ['not-readable'] },
  },
  noDenial: {
    description: 'lets a user approve, but not deny (RFC 8628 §3.3)',
    answers: on(
      isPage,
      withText((text) => text.replace(/<button name="decision" value="deny".*?<\/button>/s, '')),
    ),
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
    fails: { 'page-injection': ['link'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

/** The line that follows a line break in `return_to`. */
function lineBreak(url: string): string | undefined {
  const [, line] =
    /\r\n([^\r\n]+:[^\r\n]+)/.exec(new URL(url).searchParams.get('return_to') ?? '') ?? [];
  return line;
}

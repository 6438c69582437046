import {
  type AnswerFault,
  SESSION_FAULTS,
  type Spoil,
  withHeader,
  withoutHeaders,
  withStatus,
  withText,
} from '../../mock/index.ts';
import { PATHS } from '../metadata.ts';

/** What the mock service can be told to decide wrongly on its pages. */
export const PAGES_FAULTS = {
  ...SESSION_FAULTS,
  codeByAddress: 'completes a claim by a code in the address of its page (RFC 9110 §9.2.1)',
  lookingCounts: 'counts each look at a link as a wrong code (RFC 9110 §9.2.1)',
  finishedLinkAsks: 'asks for a code when the claim is completed already',
  accountHidden: 'does not show on its claim page who is signed in',
  scopesHidden: 'does not show on its claim page what an agent will be able to do (RFC 8628 §5.4)',
  adviceMissing: 'does not say that an agent or a provider is the first one of an account',
  providerHidden: 'does not say on its claim page which provider asks (RFC 8628 §5.4)',
  nameFromToken: 'shows as name of a provider what an ID-JAG says (attack A-16)',
  nameFromTokenRaw: 'shows it unescaped, too (attack A-30)',
  platformFromToken: 'shows as name of a provider the platform that an ID-JAG says',
  linkUnreviewed: 'does not ask at the first sign-in whether to keep the link of a provider',
  linkReviewedAgain: 'asks at every sign-in whether to keep the link of a provider',
  keepingEnds: 'ends the link of a provider that its user wants to keep',
  reviewIgnored: 'keeps the link of a provider that its user wants to end',
  codeEchoed: 'writes the code that was typed into its page unescaped (attack A-30)',
  hintEchoed:
    'writes the address of a claim into the page for another account unescaped (attack A-30)',
  connectionsHidden: 'does not list who has access',
  endUnchecked: 'ends a registration for any page (attack A-13)',
  endsOthers: 'ends the registration of any account',
  endIgnored: 'answers that access is ended, and leaves it',
  endsAll: 'ends every registration of an account at once',
  endToldAsExpiry: 'tells the agent of an ended registration that its time was over (wire.md §8)',
  revokedReopens: 'opens a claim attempt for a registration that was ended',
} as const satisfies Readonly<Record<string, string>>;

const PAGES: readonly string[] = [PATHS.login, PATHS.claimPage, PATHS.complete];

const isPage = (path: string, response: Response) =>
  PAGES.includes(path) && (response.headers.get('content-type') ?? '').startsWith('text/html');

/** With a changed value of one header. */
function withChanged(name: string, change: (value: string) => string): Spoil {
  return (response) => {
    const value = response.headers.get(name);
    if (value !== null) response.headers.set(name, change(value));
    return response;
  };
}

const framable = withoutHeaders('x-frame-options');

/** What it can be told to answer wrongly on its pages. */
export const PAGES_ANSWER_FAULTS = {
  redirectKeepsMethod: {
    says: 'redirects after a sign-in with 307 (RFC 9700 §4.12)',
    at: (path, { status }) => path === PATHS.login && status === 303,
    spoil: withStatus(307),
  },
  redirectFound: {
    says: 'redirects after a sign-in with 302',
    at: (path, { status }) => path === PATHS.login && status === 303,
    spoil: withStatus(302),
  },
  headerFromAddress: {
    says: 'lets return_to end the header that it is written to (attack A-28)',
    at: (path, _response, { url }) => path === PATHS.login && lineBreak(url) !== undefined,
    spoil: (response, { url }) => {
      const [name = '', value = ''] = lineBreak(url)?.split(':') ?? [];
      response.headers.set(name.trim(), value.trim());
      return response;
    },
  },
  refusalUnauthorized: {
    says: 'answers a forged form with 401',
    at: (path, { status }) => path === PATHS.complete && status === 403,
    spoil: withStatus(401),
  },
  scriptsSeeSession: {
    says: 'lets scripts read its session cookie (attack A-45)',
    at: () => true,
    spoil: withChanged('set-cookie', (value) => value.replace('; HttpOnly', '')),
  },
  sessionSentAcross: {
    says: 'lets other sites send its session cookie (attack A-45)',
    at: () => true,
    spoil: withChanged('set-cookie', (value) => value.replace('SameSite=Lax', 'SameSite=None')),
  },
  framable: {
    says: 'lets its pages be framed (RFC 9700 §4.16)',
    at: isPage,
    spoil: (response, request) =>
      withChanged('content-security-policy', (policy) =>
        policy.replace("frame-ancestors 'none'; ", ''),
      )(framable(response, request) as Response, request),
  },
  noFrameOptions: {
    says: 'keeps its pages from being framed by frame-ancestors alone',
    at: isPage,
    spoil: framable,
  },
  inlineScripts: {
    says: 'lets inline scripts run on its pages',
    at: isPage,
    spoil: withChanged(
      'content-security-policy',
      (policy) => `${policy}; script-src 'unsafe-inline'`,
    ),
  },
  pagesKept: {
    says: 'lets its pages be cached',
    at: isPage,
    spoil: withHeader('cache-control', 'private, max-age=60'),
  },
  referrerTold: {
    says: 'lets other origins see the addresses of its pages (RFC 9700 §4.2)',
    at: isPage,
    spoil: withHeader('referrer-policy', 'unsafe-url'),
  },
  foreignContent: {
    says: 'loads a style sheet of another origin on its pages (RFC 9700 §4.2)',
    at: isPage,
    spoil: withText((text) =>
      text.replace('</head>', '<link rel="stylesheet" href="https://cdn.example/x.css"></head>'),
    ),
  },
  pagesReadable: {
    says: 'lets every origin read its pages (RFC 9700 §2.6)',
    at: isPage,
    spoil: withHeader('access-control-allow-origin', '*'),
  },
  noDenial: {
    says: 'lets a user approve only (RFC 8628 §3.3)',
    at: isPage,
    spoil: withText((text) =>
      text.replace(/<button name="decision" value="deny".*?<\/button>/s, ''),
    ),
  },
  noSignOut: {
    says: 'does not offer to sign out where another account is needed',
    at: (path, response) => isPage(path, response) && response.status === 403,
    spoil: withText((text) => text.replace(/<form.*?<\/form>/gs, '')),
  },
  addressEchoed: {
    says: 'writes its own address into its pages unescaped (attack A-30)',
    at: isPage,
    spoil: withText((text, { url }) =>
      text.replace(
        '</main>',
        () => `<p>${[...new URL(url).searchParams.values()].join(' ')}</p></main>`,
      ),
    ),
  },
} as const satisfies Readonly<Record<string, AnswerFault>>;

/** The line that follows a line break in `return_to`. */
function lineBreak(url: string): string | undefined {
  const [, line] =
    /\r\n([^\r\n]+:[^\r\n]+)/.exec(new URL(url).searchParams.get('return_to') ?? '') ?? [];
  return line;
}

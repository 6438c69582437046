import type { UrlProblem } from '../../protocol/index.ts';

/** Why a URL cannot be used, to follow a colon. */
export const URL_PROBLEMS: Readonly<Record<UrlProblem, string>> = {
  not_a_url: 'it is not a URL',
  not_http: 'it begins with neither https:// nor http://',
  not_https: 'http is allowed for this machine only; use https',
  has_userinfo: 'it contains a user name or a password',
  has_fragment: 'it contains a fragment (#)',
};

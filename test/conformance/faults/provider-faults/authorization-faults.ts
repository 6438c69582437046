import type { Context } from '../../../../src/mock/http/request.ts';
import type { Tamper } from '../../../../src/mock/http/tamper.ts';
import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import { isMetadata } from '../../../../src/mock-provider/faults/document-faults.ts';
import type { Rewired } from '../../../../src/mock-provider/faults/rewiring.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { discard } from '../../../../src/mock-provider/outbox/receive-answer.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';

const { atHandler, on, withMembers } = rewire;

/** An authorization request is read as though it said something else. */
function asking(change: (query: URLSearchParams) => void): Rewired {
  return (mock) =>
    atHandler(mock, { path: PATHS.authorize }, (_mock, right) => (c) => {
      const url = new URL(c.req.url);
      change(url.searchParams);
      return right(at(c, url));
    });
}

function at({ req }: Context, url: URL): Context {
  const { method, raw } = req;
  return {
    req: {
      raw,
      method,
      url: url.href,
      header: (name) => req.header(name),
      query: (name) => url.searchParams.get(name) ?? undefined,
      param: (name) => req.param(name),
    },
  };
}

/** An error in place of a code. */
const withoutCode: Tamper = (response) => {
  const url = new URL(response.headers.get('location') ?? '');
  url.searchParams.delete('code');
  url.searchParams.set('error', 'server_error');
  response.headers.set('location', url.href);
  return response;
};

/** Faults: what it does wrong when a client sends its user, and in what it says to clients beforehand. */
export const AUTHORIZATION_FAULTS = {
  unescapedRequestParameter: {
    description: 'writes parameters of a wrong request into its page unescaped (RFC 6749 §10.14)',
    answers: on(
      (path, { status }) => path === PATHS.authorize && status >= 400,
      (response, request) => {
        const asked = [...new URL(request.url).searchParams.values()].join(' ');
        const headers = { 'content-type': 'text/html; charset=utf-8' };
        return new Response(`<p>This is wrong: ${asked}</p>`, { status: response.status, headers });
      },
    ),
    fails: { 'idp-authorization': ['shown-as-text'] },
  },
  trustedRequestUri: {
    description: 'fetches the request_uri of whoever asks (OpenID Connect Core §6.2)',
    parts: (mock) =>
      atHandler(mock, { path: PATHS.authorize }, ({ fetch }, right) => async (c) => {
        const at = new URL(c.req.url).searchParams.get('request_uri');
        if (at !== null) await fetch(at).then(discard);
        return right(c);
      }),
    fails: { 'idp-authorization': ['request-uri'] },
  },
  extraIssuerSlash: {
    description: 'ends the issuer of its metadata with a slash (RFC 8414 §3.3)',
    answers: on(isMetadata, (response, request) =>
      withMembers({ issuer: `${new URL(request.url).origin}/` })(response, request),
    ),
    fails: { 'idp-metadata': ['issuer'] },
  },
  missingSubjectTypes: {
    description: 'leaves subject_types_supported out (OpenID Connect Discovery §3)',
    answers: on(isMetadata, withMembers({ subject_types_supported: undefined })),
    fails: { 'idp-metadata': ['complete'] },
  },
  wrongRequestedTokenTypes: {
    description: 'lists another type than the ID-JAG in its metadata (ID-JAG §7.1)',
    answers: on(
      isMetadata,
      withMembers({
        identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:jwt'],
      }),
    ),
    fails: { 'idp-metadata': ['id-jag-listed'] },
  },
  extraPlainChallenges: {
    description: 'lists plain as a method of code challenges (RFC 7636 §4.2)',
    answers: on(isMetadata, withMembers({ code_challenge_methods_supported: ['S256', 'plain'] })),
    fails: { 'idp-metadata': ['challenges'] },
  },
  refusedAuthorization: {
    description: 'answers authorization requests with an error (RFC 6749 §4.1.2)',
    answers: on(
      (path, { headers }) =>
        path === PATHS.authorize && /[?&]code=/.test(headers.get('location') ?? ''),
      withoutCode,
    ),
    fails: { 'idp-authorization': ['code'] },
  },
  uncheckedRedirectUri: {
    description: 'redirects to any loopback address (RFC 9700 §4.1.3)',
    config: (right) => ({
      ...right,
      clients: right.clients.map(({ redirectUris: _, ...client }) => client),
    }),
    fails: { 'idp-authorization': ['redirect-uri'] },
  },
  acceptedUnknownRedirect: {
    description: 'redirects for a client that it does not know (RFC 6749 §4.1.2.1)',
    parts: (mock) =>
      atHandler(mock, { path: PATHS.authorize }, ({ config }, right) => async (c) => {
        const id = c.req.query('client_id');
        const isKnown = id === config.clientId || config.clients.some((each) => each.id === id);
        if (isKnown) return right(c);
        const location = `${c.req.query('redirect_uri')}?error=unauthorized_client`;
        return new Response(null, { status: 303, headers: { location } });
      }),
    fails: { 'idp-authorization': ['unknown-client'] },
  },
  acceptedPlainChallenge: {
    description: 'takes a code challenge by plain (RFC 7636 §4.3)',
    parts: asking((query) => {
      if (query.has('code_challenge')) query.set('code_challenge_method', 'S256');
    }),
    fails: { 'idp-authorization': ['plain'] },
  },
  acceptedMissingChallenge: {
    description: 'gives a public client a code without a challenge (RFC 9700 §2.1.1)',
    parts: asking((query) => {
      if (query.has('code_challenge')) return;
      query.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
      query.set('code_challenge_method', 'S256');
    }),
    fails: { 'idp-authorization': ['challenge-required'] },
  },
  ignoredMaxAge: {
    description:
      'gives a code for an old sign-in, whatever max_age is (OpenID Connect Core §3.1.2.1)',
    parts: asking((query) => query.delete('max_age')),
    fails: { 'idp-fresh-sign-in': ['max-age'] },
  },
  ignoredPromptLogin: {
    description: 'gives a code for an old sign-in with prompt=login (OpenID Connect Core §3.1.2.1)',
    parts: asking((query) => query.delete('prompt')),
    fails: { 'idp-fresh-sign-in': ['prompt-login'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;

import type { Exchange } from '../../../traffic/index.ts';
import type { PassiveRule } from '../passive-rule.ts';
import { bearerOf, eachMember, fingerprintOf, fingerprintsIn, originOf } from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';

export const secretsInUrls: PassiveRule = {
  id: 'secrets-in-urls',
  requirements: [
    { id: 'BRR-03', level: 'must', by: 'agent' },
    { id: 'A-18.agent', level: 'must', by: 'agent' },
  ],
  finds: 'sends a token, an assertion or a claim token in a URL',
  spares: 'links that the service itself handed out, and secrets whose issue was not seen',
  sees: ({ exchange, from }, { secrets }) => {
    if (from !== 'agent') return [];
    const sent = fingerprintsIn(exchange.url).filter((each) => !secrets.isInLink(each));
    if (sent.some((each) => secrets.isOnly(each, 'claim_token'))) {
      const message = 'A claim token stands in the URL of the request; it belongs in the body.';
      return [{ requirement: 'A-18.agent', message }];
    }
    const isToken = (each: string) =>
      secrets.isOnly(
        each,
        'access_token',
        'identity_assertion',
        'id_jag',
        'id_token',
        'refresh_token',
      );
    if (!sent.some(isToken)) return [];
    const message =
      'A token stands in the URL of the request, where logs and histories keep it; it belongs in the header or the body.';
    return [{ requirement: 'BRR-03', message }];
  },
};

interface Redirect {
  readonly origin: string;
  readonly secrets: ReadonlySet<string>;
}

export const redirectedSecrets: PassiveRule = {
  id: 'redirected-secrets',
  requirements: [{ id: 'A-46', level: 'must', by: 'agent' }],
  finds: 'follows a redirect to another origin with the secrets of its request',
  spares: 'redirects within one origin, and users at their browsers',
  watch: () => {
    /** Redirects by the URL that they lead to. */
    const redirects = new RecentMap<string, Redirect>();
    return ({ exchange, from }) => {
      if (from !== 'agent') return [];
      const { response, status, url } = exchange;
      const origin = originOf(url);
      const redirect = redirects.get(url);
      const secrets = secretsOf(exchange);
      const { location } = response.headers;
      const isRedirect = status !== null && [301, 302, 303, 307, 308].includes(status);
      if (isRedirect && location !== undefined && origin !== undefined && secrets.size > 0) {
        const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
        if (target !== undefined && target.origin !== origin) {
          redirects.set(target.href, { origin, secrets });
        }
      }
      if (redirect === undefined || redirect.origin === origin) return [];
      if (![...secrets].some((each) => redirect.secrets.has(each))) return [];
      const message =
        'A redirect to another origin was followed with the secrets of the request. Follow none with a token.';
      return [{ requirement: 'A-46', message }];
    };
  },
};

function secretsOf(exchange: Exchange): ReadonlySet<string> {
  const bearer = bearerOf(exchange);
  const sent = [...eachMember(exchange.request.body)].flatMap(
    ([, value]) => fingerprintOf(value) ?? [],
  );
  return new Set([...(bearer === undefined ? [] : [bearer]), ...sent]);
}

export const resentCredentials: PassiveRule = {
  id: 'resent-credentials',
  requirements: [{ id: 'BCP-03', level: 'must', by: 'service' }],
  finds:
    'redirects with 307 after a sign-in, or another POST with a secret, which the browser then sends again',
  spares: '',
  sees: ({ exchange, step }) => {
    const { method, request, status, to } = exchange;
    if (to !== 'service' || method !== 'POST' || status !== 307) return [];
    const secret = [...eachMember(request.body)].some(([name, value]) => {
      return !/csrf|xsrf/i.test(name) && fingerprintOf(value) !== undefined;
    });
    if (!secret && step !== 'sign_in') return [];
    const message =
      'A POST with a secret was redirected with 307: the secret is sent on. Use 303 (RFC 9110 §15.4.4).';
    return [{ requirement: 'BCP-03', message }];
  },
};

export const skillCredentials: PassiveRule = {
  id: 'skill-credentials',
  requirements: [{ id: 'W2-31', level: 'must', by: 'agent' }],
  finds: 'fetches the skill file with its token',
  spares: '',
  sees: ({ exchange, from, step }, { secrets }) => {
    const token = bearerOf(exchange);
    if (from !== 'agent' || step !== 'skill' || token === undefined) return [];
    if (!secrets.isOnly(token, 'access_token', 'identity_assertion', 'claim_token')) return [];
    const message = 'The skill file was fetched with a token. It is public: send no credentials.';
    return [{ requirement: 'W2-31', message }];
  },
};

export const foreignOrigin: PassiveRule = {
  id: 'foreign-origin',
  requirements: [{ id: 'PRM-14.agent', level: 'should', by: 'agent' }],
  finds: 'sends an access token to another origin than its resource',
  spares:
    'origins that a document, or a request for a token, connects with the authorization server, and those of which no metadata was seen',
  sees: ({ exchange, from }, { documents, secrets }) => {
    const token = bearerOf(exchange);
    if (from !== 'agent' || token === undefined || !secrets.isOnly(token, 'access_token')) {
      return [];
    }
    const issuer = secrets.issuerOf(token);
    const at = originOf(exchange.url);
    if (issuer === undefined || at === undefined || at === issuer) return [];
    const servers = documents.serversOf(at);
    if (servers === undefined || servers.has(issuer)) return [];
    if (documents.wasAskedFor(issuer, at)) return [];
    const message =
      'An access token was sent to an origin whose metadata names other authorization servers than the one that issued it.';
    return [{ requirement: 'PRM-14.agent', message }];
  },
};

import type { Exchange } from '../../../traffic/index.ts';
import type { PassiveRule } from '../passive-rule.ts';
import { bearerOf, eachMember, fingerprintOf, originOf } from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';

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
    /** By the URL that they lead to. */
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

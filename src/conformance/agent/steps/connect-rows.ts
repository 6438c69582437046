import { ofKind, type Secret, secretsIn } from '../agent-world.ts';
import type { ReceivedRequest } from '../received-request.ts';
import { type CrossApp, mcpOf } from './cross-app.ts';
import { without } from './rows.ts';
import { goodCall, holds, listed } from './traffic.ts';

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

type Traffic = readonly ReceivedRequest[];
type Both = Omit<CrossApp, 'world'>;

/** Whether a request authenticates with these credentials, in whatever form (RFC 6749 §2.3.1). */
export function carries({ body, headers, url }: ReceivedRequest, secret: string): boolean {
  const [, basic = ''] = /^basic +(.+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  const decoded = Buffer.from(basic, 'base64').toString();
  return [body, decoded, url.href].some((text) => holds(text, secret));
}

/** What was issued, and what the agent authenticates with. */
export function secretsOf({ atProvider, atService }: Both, traffic: Traffic): readonly Secret[] {
  const own = [atProvider, atService].map(({ client_secret: value }) => value);
  return [...secretsIn(traffic), ...own.map((value) => ({ name: 'client_secret', value }))];
}

/** The way to an MCP server by cross-app access. @param ended how it ended, for a finding: `exit 0`. */
export function connectRows(both: Both, traffic: Traffic, ended: string) {
  const { provider, service, atProvider, atService } = both;
  const [asked] = ofKind(traffic, 'authorize');
  const query = asked?.url.searchParams;
  const given = ['response_type', 'code_challenge_method', 'code_challenge', 'state', 'nonce'];
  const [coded] = ofKind(traffic, 'code');
  const verifier = coded?.form.get('code_verifier') ?? '';
  const leaking = traffic.find(({ url }) => verifier !== '' && holds(url.href, verifier));
  const [minted] = ofKind(traffic, 'mint');
  const named = ['audience', 'resource', 'requested_token_type'].map(
    (name) => `${name}=${minted?.form.get(name) ?? ''}`,
  );
  const idJag = minted?.answered?.['access_token'];
  const redeemed = ofKind(traffic, 'exchange').find(({ to }) => to === service.name);
  const crossed = traffic.find((each) =>
    each.to === provider.name
      ? carries(each, atService.client_secret)
      : carries(each, atProvider.client_secret),
  );
  const idTokens = traffic.map(({ answered }) => answered?.['id_token']);
  const borne = traffic.find(
    ({ bearer, kind }) =>
      kind === 'resource' && bearer !== undefined && [idJag, ...idTokens].includes(bearer),
  );
  const calls = ofKind(traffic, 'resource');
  return {
    'signs-in': {
      ok:
        query?.get('response_type') === 'code' &&
        query.get('code_challenge_method') === 'S256' &&
        given.every((name) => (query.get(name) ?? '') !== ''),
      seen: asked === undefined ? `${listed(traffic)} (${ended})` : asked.url.search,
      exchange: asked?.number,
    },
    'verifier-kept': coded && {
      ok: verifier !== '' && leaking === undefined,
      seen: verifier === '' ? 'no code_verifier' : 'in a URL',
      exchange: (leaking ?? coded).number,
    },
    mints: {
      ok:
        minted?.form.get('audience') === service.origin &&
        minted.form.get('resource') === mcpOf(both) &&
        minted.form.get('requested_token_type') === ID_JAG,
      seen: minted === undefined ? `no exchange (${ended})` : named.join(' '),
      exchange: minted?.number,
    },
    redeems: {
      ok: redeemed?.form.get('assertion') === idJag && redeemed?.answer?.status === 200,
      seen: redeemed === undefined ? `no redemption (${ended})` : answerOf(redeemed),
      exchange: redeemed?.number,
    },
    'own-credentials': without(crossed, `credentials of the other server at ${crossed?.to}`),
    'not-to-resource': without(borne, 'as a bearer token'),
    calls: {
      ok: goodCall(traffic) !== undefined,
      seen: `${listed(calls)} (${ended})`,
      exchange: calls.at(-1)?.number,
    },
  };
}

function answerOf({ answer, answered }: ReceivedRequest): string {
  return `${answer?.status ?? 'no answer'} ${String(answered?.['error'] ?? '')}`.trim();
}

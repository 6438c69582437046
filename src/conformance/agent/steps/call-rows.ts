import type { Row } from '../../engine/judge.ts';
import { ofKind } from '../agent-world.ts';
import type { Rule } from '../peer.ts';
import type { ReceivedRequest } from '../received-request.ts';
import type { ServicePeer } from '../service-peer.ts';
import { fetchedDocuments } from './publish-discovery.ts';
import { none, without } from './rows.ts';
import { goodCall, goodExchange, holds, listed, registrations } from './traffic.ts';

const FORM = 'application/x-www-form-urlencoded';

/** What was seen of an agent that registered and called. */
interface CallSeen {
  readonly service: ServicePeer;
  readonly traffic: readonly ReceivedRequest[];
  /** A scope that the metadata lists and the registration does not offer. */
  readonly needless: string;
  /** How the run ended, for a finding: `exit 0`. */
  readonly ended: string;
}

type Rows<Name extends string> = Readonly<
  Record<Name, Row<readonly ReceivedRequest[]> | undefined>
>;

/** How an agent gets from a protected URL to a registration. */
export function discoveryRows({
  service,
  traffic,
  ended,
}: Omit<CallSeen, 'needless'>): Rows<'by-get' | 'two-hops'> {
  const [registered] = registrations(traffic);
  const [challenged] = ofKind(traffic, 'resource');
  const [document] = fetchedDocuments(service, 'resource').filter(wasAnswered);
  const [server] = fetchedDocuments(service, 'server').filter(wasAnswered);
  const order = [challenged, document, server, registered].map((each) => each?.number ?? 0);
  const metadata = [
    ...fetchedDocuments(service, 'resource'),
    ...ofKind(traffic, 'server_metadata'),
  ];
  const posted = metadata.find(({ method }) => method !== 'GET');
  // Whoever gave up after the metadata has shown nothing right by it.
  const isJudged = posted !== undefined || (metadata.length > 0 && registered !== undefined);
  return {
    'by-get': isJudged ? without(posted, `${posted?.method} of metadata`) : undefined,
    'two-hops': {
      ok: order.every((each, index) => each > (order[index - 1] ?? 0)),
      seen: `${listed(traffic)} (${ended})`,
      exchange: challenged?.number,
    },
  };
}

/** An anonymous registration. */
export function registrationRows({
  traffic,
  ended,
}: Pick<CallSeen, 'traffic' | 'ended'>): Rows<'registers' | 'skill-unread'> {
  const [registered] = registrations(traffic);
  return {
    registers: {
      ok: registered?.json?.['type'] === 'anonymous' && isJson(registered.headers),
      seen: registered?.body.slice(0, 100) ?? `no registration (${ended})`,
      exchange: registered?.number,
    },
    'skill-unread': registered && none(ofKind(traffic, 'skill')),
  };
}

/** What is judged from the assertion of a registration to a call. */
export function tokenRows({
  traffic,
  needless,
  ended,
}: Omit<CallSeen, 'service'>): Rows<'exchanges' | 'calls' | 'least-scope' | 'one-method'> {
  // A claim brings both, too.
  const claims = ofKind(traffic, 'poll').filter(wasAnswered);
  const assertions = [...registrations(traffic), ...claims].map(
    (each) => each.answered?.['identity_assertion'],
  );
  const exchanges = ofKind(traffic, 'exchange');
  const exchanged = goodExchange(traffic);
  const type = exchanged?.headers.get('content-type')?.toLowerCase() ?? '';
  const greedy = exchanges.find(({ form }) =>
    (form.get('scope') ?? '').split(' ').includes(needless),
  );
  const call = goodCall(traffic);
  const calls = ofKind(traffic, 'resource');
  const tokens = [...exchanges, ...claims].flatMap(({ answered }) => {
    const token = answered?.['access_token'];
    return typeof token === 'string' ? [token] : [];
  });
  return {
    exchanges: {
      ok: type.startsWith(FORM) && assertions.includes(exchanged?.form.get('assertion')),
      seen: exchanged ? `a body of type ${type}` : `no exchange that was answered 200 (${ended})`,
      exchange: exchanged?.number ?? exchanges[0]?.number,
    },
    'least-scope':
      exchanges.length === 0
        ? undefined
        : without(greedy, `scope ${greedy?.form.get('scope') ?? ''}`),
    calls: {
      ok: call?.bearer !== undefined && tokens.includes(call.bearer),
      seen: `${listed(calls)} (${ended})`,
      exchange: calls.at(-1)?.number,
    },
    'one-method': tokens.length > 0 ? inTheHeaderOnly(traffic, tokens) : undefined,
  };
}

function inTheHeaderOnly(traffic: readonly ReceivedRequest[], tokens: readonly string[]) {
  // Its end is another thing: the token goes into the body there (RFC 7009 §2.1).
  const leaking = traffic.find(({ kind, url, body }) =>
    tokens.some((token) => holds(url.href, token) || (kind !== 'revoke' && holds(body, token))),
  );
  return without(leaking, 'The token is in a URL or a body as well.');
}

/** The mock refuses scopes that are not for everybody; a server may also grant less (RFC 6749 §3.3). */
export const grantingLess: Rule = ({ body }, next) => {
  const form = new URLSearchParams(body);
  if (!form.has('scope')) return next();
  form.delete('scope');
  return next({ body: form.toString() });
};

function wasAnswered({ answer }: ReceivedRequest): boolean {
  return answer?.status === 200;
}

function isJson(headers: Headers): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '');
}

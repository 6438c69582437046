import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { changeJson, changeMembers, ending, ofKind, refusal } from '../../agent-world.ts';
import { publishDiscovery } from '../../steps/publish-discovery.ts';
import { called, none, noneEarlier, some, without } from '../../steps/rows.ts';
import {
  goodCall,
  goodExchange,
  holds,
  listed,
  needTraffic,
  registrations,
} from '../../steps/traffic.ts';

const FORM = 'application/x-www-form-urlencoded';

export const callFlow = agentScenario({
  id: 'agent-call',
  title: 'The agent registers without a user and calls a protected resource',
  checks: {
    'two-hops':
      'The agent goes from the challenge to the resource metadata, to the server metadata, then registers.',
    'by-get': 'The agent fetches metadata by GET, from the URL in the challenge.',
    'unknown-members': 'The agent ignores members that it does not know.',
    registers: 'The agent posts `type` `anonymous` as JSON to the identity endpoint.',
    exchanges: 'The agent exchanges the identity_assertion by the JWT-bearer grant, form-encoded.',
    calls:
      'The agent calls with its access token as a bearer credential in the Authorization header.',
    'one-method': 'The agent sends its access token in the header only, never in a URL or a body.',
    'least-scope': 'The agent requests no scope that its registration does not offer.',
    'skill-unread': 'The agent fetches the skill file only when asked to.',
  },
  async run(judge, world) {
    const { invented } = world;
    const odd = {
      [invented.member()]: { [invented.word()]: [1, { [invented.word()]: null }] },
      [invented.member()]: invented.word(),
    };
    const needless = invented.scope();
    const service = publishDiscovery(await world.service(), {
      resource: { ...odd, scopes_supported: ['api.read', 'api.write', needless] },
      server: { ...odd, scopes_supported: ['api.read', 'api.write', needless] },
      agentAuth: odd,
    });
    service.on(
      ['identity', 'exchange'],
      changeJson((body) => ({ ...odd, ...body })),
    );
    const run = await world.run('call', { service });
    needTraffic(run);
    const [registered] = registrations(run.traffic);
    const [challenged] = ofKind(run.traffic, 'resource');
    const document = run.traffic.find(({ url }) => url.pathname === service.places.metadata);
    const server = ofKind(run.traffic, 'server_metadata').find(
      ({ answer }) => answer?.status === 200,
    );
    const order = [challenged, document, server, registered].map((each) => each?.number ?? 0);
    const metadata = run.traffic.filter(
      ({ url, kind }) => kind === 'server_metadata' || url.pathname === service.places.metadata,
    );
    const posted = metadata.find(({ method }) => method !== 'GET');
    const assertion = registered?.answered?.['identity_assertion'];
    const exchanged = goodExchange(run.traffic);
    const contentType = exchanged?.headers.get('content-type')?.toLowerCase() ?? '';
    const exchanges = ofKind(run.traffic, 'exchange');
    const greedy = exchanges.find(({ form }) =>
      (form.get('scope') ?? '').split(' ').includes(needless),
    );
    const call = goodCall(run.traffic);
    const token = exchanged?.answered?.['access_token'];
    judge.table(run.traffic, {
      'two-hops': {
        ok: order.every((each, index) => each > (order[index - 1] ?? 0)),
        seen: listed(run.traffic),
      },
      'by-get': {
        ok: document !== undefined && posted === undefined,
        seen: listed(metadata),
        exchange: posted?.number,
      },
      'unknown-members': { ...called(run), seen: `${listed(run.traffic)} (${ending(run)})` },
      registers: {
        ok: registered?.json?.['type'] === 'anonymous' && isJson(registered.headers),
        seen: registered?.body.slice(0, 100) ?? 'no registration',
        exchange: registered?.number,
      },
      exchanges: {
        ok: contentType.startsWith(FORM) && exchanged?.form.get('assertion') === assertion,
        seen: exchanged ? `a body of type ${contentType}` : 'no exchange that was answered 200',
        exchange: exchanged?.number ?? exchanges[0]?.number,
      },
      'least-scope': without(greedy, `scope ${greedy?.form.get('scope') ?? ''}`),
      calls: { ...called(run), ok: call !== undefined && call.bearer === token },
      'skill-unread': none(ofKind(run.traffic, 'skill')),
    });
    if (typeof token !== 'string') return;
    const leaking = run.traffic.find(
      ({ url, body }) => holds(url.href, token) || holds(body, token),
    );
    judge.table(run.traffic, {
      'one-method': without(leaking, 'The token is in a URL or a body as well.'),
    });
  },
});

function isJson(headers: Headers): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '');
}

export const oddTokens = agentScenario({
  id: 'agent-odd-tokens',
  title: 'The token endpoint answers with unusual tokens',
  checks: {
    opaque: 'The agent sends an access token unchanged, whatever its format.',
    'case-free': 'The agent reads `token_type` in any case.',
    'unknown-type': 'The agent uses no token of an unknown `token_type`.',
    'header-whole': 'No line break in a token adds a header to a request.',
  },
  async run(judge, world) {
    const long = `~._-+/${`${world.invented.word()}Z9`.repeat(270)}==`;
    const cases = [
      ['opaque', { access_token: long }, (token: string) => token === long],
      ['case-free', { token_type: 'bEARER' }, (token: string) => token !== ''],
    ] as const;
    const callWith = async (members: Readonly<Record<string, string>>) => {
      const service = await world.service();
      service.on('exchange', changeMembers(members));
      return world.run('call', { service });
    };
    for (const [check, members, fits] of cases) {
      const run = await callWith(members);
      needTraffic(run);
      const call = ofKind(run.traffic, 'resource').find(({ bearer }) => bearer !== undefined);
      judge.expect(
        check,
        call !== undefined && fits(call.bearer ?? ''),
        call === undefined ? `no call with a token (${ending(run)})` : 'another token',
        { exchange: call?.number },
      );
    }
    const type = world.invented.word();
    const untyped = await callWith({ token_type: type });
    const used = ofKind(untyped.traffic, 'resource').find(({ headers }) =>
      headers.has('authorization'),
    );
    judge.table(untyped.traffic, {
      'unknown-type': without(used, `a call with a token of the type ${type}`),
    });
    const header = world.invented.header();
    const split = await callWith({ access_token: `at_${world.invented.word()}\r\n${header}: yes` });
    const added = split.traffic.find(({ headers }) => headers.has(header));
    judge.table(split.traffic, { 'header-whole': without(added, `${header}: yes`) });
  },
});

export const leaving = agentScenario({
  id: 'agent-leave',
  title: 'The agent revokes its token and forgets the registration',
  checks: {
    revokes: 'The agent posts its token to the revocation endpoint, form-encoded.',
    'named-endpoint': 'The agent revokes at the `revocation_endpoint` of the metadata.',
    'says-truly': 'The agent reports a revocation that failed.',
    waits:
      'After a 503 the agent keeps the token and waits for `Retry-After` before it tries again.',
  },
  async run(judge, world) {
    const moved = `/${world.invented.word()}/${world.invented.word()}`;
    const service = await world.service();
    service.on(
      'server_metadata',
      changeJson((body) => ({ ...body, revocation_endpoint: service.origin + moved })),
    );
    service.on('other', ({ url }, next) =>
      next(url.pathname === moved ? { path: '/oauth2/revoke' } : {}),
    );
    const before = await world.mustRun('call', { service });
    const token = goodCall(before.traffic)?.bearer;
    if (token === undefined) throw new CannotTest('The agent did not call.');
    const run = await world.run('leave', { service });
    const posted = run.traffic.filter(
      ({ method, kind }) => method === 'POST' && (kind === 'revoke' || kind === 'other'),
    );
    const atEndpoint = posted.filter(({ url }) => url.pathname === moved);
    judge.table(run.traffic, {
      revokes: some(
        posted.filter(({ form }) => form.get('token') === token),
        run.traffic,
        { exchange: posted[0]?.number },
      ),
      'named-endpoint': some(atEndpoint, posted, { case: `revocation_endpoint ${moved}` }),
    });

    const busy = await world.service();
    await world.mustRun('call', { service: busy });
    busy.on('revoke', () =>
      refusal(503, { error: 'temporarily_unavailable' }, { 'retry-after': '2' }),
    );
    const failed = await world.run('leave', { service: busy, limit: 30_000 });
    const tries = busy.requests('revoke');
    if (tries.length === 0) throw new CannotTest('The agent did not try to revoke.');
    const isSilent = failed.ok && withoutNames(failed.output) === withoutNames(run.output);
    judge.table(failed, {
      'says-truly': {
        ok: !isSilent,
        seen: 'the same output and exit code as after a revocation',
        exchange: tries.at(-1)?.number,
      },
      waits: noneEarlier(tries, 2000),
    });
  },
});

/** The words of an output: ids, URLs and times differ from run to run. */
function withoutNames(output: string): string {
  return output.replace(/\S*[\d_/:]\S*/g, '').replace(/\s+/g, ' ');
}

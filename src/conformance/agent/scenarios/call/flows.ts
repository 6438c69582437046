import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { changeJson, ending, ofKind, refusal } from '../../agent-world.ts';
import { publishDiscovery } from '../../steps/publish-discovery.ts';
import {
  gaps,
  goodCall,
  goodExchange,
  holds,
  listed,
  needTraffic,
  registrations,
  seconds,
  TOLERANCE,
} from '../../steps/traffic.ts';

const FORM = 'application/x-www-form-urlencoded';

export const callFlow = agentScenario({
  id: 'agent-call',
  title: 'The agent registers without a user and calls a protected resource',
  checks: {
    'two-hops':
      'The agent goes from the challenge to the metadata of the resource, then to that of its server.',
    'by-get': 'The agent asks for metadata by GET, at the address that the challenge names.',
    'unknown-members': 'The agent ignores members that it does not know.',
    registers: 'The agent posts `type` as JSON to the identity endpoint.',
    exchanges: 'The agent trades the identity_assertion by the JWT-bearer grant, form-encoded.',
    calls:
      'The agent calls with its access token as a bearer credential in the Authorization header.',
    'one-method': 'The agent sends its access token by one method, and never in an address.',
    'least-scope': 'The agent asks for no scope that it does not need.',
    'skill-unread': 'The agent fetches the skill file only when it is asked to.',
  },
  async run(judge, world) {
    const { invented } = world;
    const odd = {
      [invented.member()]: { [invented.word()]: [1, { [invented.word()]: null }] },
      [invented.member()]: invented.word(),
    };
    // Supported, and of no use to anybody here.
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
    judge.expect(
      'two-hops',
      order.every((each, index) => each > (order[index - 1] ?? 0)),
      listed(run.traffic),
    );
    const metadata = run.traffic.filter(
      ({ url, kind }) => kind === 'server_metadata' || url.pathname === service.places.metadata,
    );
    judge.expect(
      'by-get',
      document !== undefined && metadata.every(({ method }) => method === 'GET'),
      listed(metadata),
      { exchange: metadata.find(({ method }) => method !== 'GET')?.number },
    );
    judge.expect(
      'unknown-members',
      goodCall(run.traffic) !== undefined,
      `${listed(run.traffic)} (${ending(run)})`,
    );
    judge.expect(
      'registers',
      registered?.json?.['type'] === 'anonymous' && isJson(registered.headers),
      registered === undefined ? 'no registration' : registered.body.slice(0, 100),
      { exchange: registered?.number },
    );
    const assertion = registered?.answered?.['identity_assertion'];
    const exchanged = goodExchange(run.traffic);
    const type = exchanged?.headers.get('content-type')?.toLowerCase() ?? '';
    judge.expect(
      'exchanges',
      type.startsWith(FORM) && exchanged?.form.get('assertion') === assertion,
      exchanged === undefined ? 'no exchange that was answered well' : `a body of type ${type}`,
      { exchange: exchanged?.number ?? ofKind(run.traffic, 'exchange').at(0)?.number },
    );
    const greedy = ofKind(run.traffic, 'exchange').find(({ form }) =>
      (form.get('scope') ?? '').split(' ').includes(needless),
    );
    judge.expect('least-scope', greedy === undefined, greedy?.form.get('scope') ?? '', {
      expected: `no request for ${needless}, which the registration does not offer`,
      exchange: greedy?.number,
    });
    const called = goodCall(run.traffic);
    const token = exchanged?.answered?.['access_token'];
    judge.expect(
      'calls',
      called !== undefined && called.bearer === token,
      `${listed(ofKind(run.traffic, 'resource'))} (${ending(run)})`,
      { exchange: called?.number },
    );
    if (typeof token === 'string') {
      const elsewhere = run.traffic.find(
        ({ url, body }) => holds(url.href, token) || holds(body, token),
      );
      judge.expect('one-method', elsewhere === undefined, 'It is in an address or a body, too.', {
        exchange: elsewhere?.number,
      });
    }
    const skill = ofKind(run.traffic, 'skill');
    judge.expect('skill-unread', skill.length === 0, listed(skill), {
      exchange: skill.at(0)?.number,
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
    opaque: 'The agent sends an access token as it came, however it looks.',
    'case-free': 'The agent reads `token_type` in any case.',
    'unknown-type': 'The agent uses no token of a type that it does not know.',
    'header-whole': 'No value of an answer splits or adds a header.',
  },
  async run(judge, world) {
    const long = `~._-+/${`${world.invented.word()}Z9`.repeat(270)}==`;
    const cases = [
      ['opaque', { access_token: long }, (token: string) => token === long],
      ['case-free', { token_type: 'bEARER' }, (token: string) => token !== ''],
    ] as const;
    for (const [check, members, fits] of cases) {
      const service = await world.service();
      service.on(
        'exchange',
        changeJson((body) => ({ ...body, ...members })),
      );
      const run = await world.run('call', { service });
      needTraffic(run);
      const [call] = ofKind(run.traffic, 'resource').filter(({ bearer }) => bearer !== undefined);
      judge.expect(
        check,
        call !== undefined && fits(call.bearer ?? ''),
        call === undefined ? `no call with a token (${ending(run)})` : 'another token',
        {
          expected: `a call with the token of an answer with ${Object.keys(members).join()} changed`,
          exchange: call?.number,
        },
      );
    }
    const service = await world.service();
    const kind = world.invented.word();
    service.on(
      'exchange',
      changeJson((body) => ({ ...body, token_type: kind })),
    );
    const run = await world.run('call', { service });
    const used = ofKind(run.traffic, 'resource').find(({ headers }) =>
      headers.has('authorization'),
    );
    judge.expect('unknown-type', used === undefined, 'It was sent.', {
      expected: `no call with a token of the type ${kind}`,
      exchange: used?.number,
    });
    const split = await world.service();
    const header = world.invented.header();
    const token = `at_${world.invented.word()}\r\n${header}: yes`;
    split.on(
      'exchange',
      changeJson((body) => ({ ...body, access_token: token })),
    );
    const last = await world.run('call', { service: split });
    const added = last.traffic.find(({ headers }) => headers.has(header));
    judge.expect('header-whole', added === undefined, `${header}: yes`, {
      exchange: added?.number,
    });
  },
});

export const leaving = agentScenario({
  id: 'agent-leave',
  title: 'The agent revokes its token and forgets the registration',
  checks: {
    revokes: 'The agent posts its token to the revocation endpoint, form-encoded.',
    'named-endpoint': 'The agent revokes at the endpoint that the metadata names.',
    'says-truly': 'The agent says so when the revocation failed.',
    waits: 'After a 503 the agent takes the token for alive and waits as `Retry-After` says.',
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
    judge.expect(
      'revokes',
      posted.some(({ form }) => form.get('token') === token),
      listed(run.traffic),
      { exchange: posted.at(0)?.number },
    );
    judge.expect(
      'named-endpoint',
      posted.some(({ url }) => url.pathname === moved),
      listed(posted),
      { expected: `POST ${moved}`, exchange: posted.at(0)?.number },
    );

    const busy = await world.service();
    await world.mustRun('call', { service: busy });
    busy.on('revoke', () =>
      refusal(503, { error: 'temporarily_unavailable' }, { 'retry-after': '2' }),
    );
    const failed = await world.run('leave', { service: busy, limit: 30_000 });
    const tries = busy.requests('revoke');
    if (tries.length === 0) throw new CannotTest('The agent did not try to revoke.');
    const isSilent = failed.ok && withoutNames(failed.output) === withoutNames(run.output);
    judge.expect('says-truly', !isSilent, 'The same as after a revocation.', {
      exchange: tries.at(-1)?.number,
    });
    const early = gaps(tries).find(({ ms }) => ms < 2000 - TOLERANCE);
    judge.expect(
      'waits',
      early === undefined,
      early === undefined ? '' : `after ${seconds(early.ms)}`,
      { exchange: early?.next.number },
    );
  },
});

/** Words alone: ids, addresses and times differ from run to run. */
function withoutNames(output: string): string {
  return output.replace(/\S*[\d_/:]\S*/g, '').replace(/\s+/g, ' ');
}

import {
  agentScenario,
  changeJson,
  changeMembers,
  ending,
  type ObservedRun,
  ofKind,
  refusal,
} from '../../agent-world.ts';
import { discoveryRows, grantingLess, registrationRows, tokenRows } from '../../steps/call-rows.ts';
import { filesWith } from '../../steps/files-with.ts';
import { publishDiscovery } from '../../steps/publish-discovery.ts';
import { called, noneEarlier, some, without, wordsOf } from '../../steps/rows.ts';
import { goodCall, goodExchange, listed, need, needTraffic } from '../../steps/traffic.ts';

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
  },
  resting: {
    'agent-call.two-hops': ['by-get', 'registers'],
    'agent-call.registers': ['exchanges'],
    'agent-call.exchanges': ['calls', 'least-scope'],
    'agent-call.calls': ['unknown-members', 'one-method'],
  },
  async run(judge, world) {
    const { invented } = world;
    const needless = invented.scope();
    const scopes = { scopes_supported: ['api.read', 'api.write', needless] };
    const service = await world.service();
    // Issuers with a path have a scenario of their own.
    service.move('origin');
    publishDiscovery(service, { resource: scopes, server: scopes });
    service.on('exchange', grantingLess);
    const run = await world.run('call', { service });
    needTraffic(run);
    const seen = { service, traffic: run.traffic, needless, ended: ending(run) };
    judge.table(run.traffic, {
      ...discoveryRows(seen),
      ...registrationRows(seen),
      ...tokenRows(seen),
    });

    await world.harness.forget();
    const odd = {
      [invented.member()]: { [invented.word()]: [1, { [invented.word()]: null }] },
      [invented.member()]: invented.word(),
    };
    const strange = await world.service();
    strange.move('origin');
    publishDiscovery(strange, { resource: odd, server: odd, agentAuth: odd });
    strange.on('exchange', grantingLess);
    strange.on(
      ['identity', 'exchange'],
      changeJson((body) => ({ ...odd, ...body })),
    );
    const again = await world.run('call', { service: strange });
    judge.table(again, {
      'unknown-members': {
        ...called(again),
        seen: `${listed(again.traffic)} (${ending(again)})`,
      },
    });
    need(false, 'The agent did not get as far', run);
  },
});

export const oddTokens = agentScenario({
  id: 'agent-odd-tokens',
  title: 'The token endpoint answers with unusual tokens',
  checks: {
    opaque: 'The agent sends an access token unchanged, whatever its format.',
    'case-free': 'The agent reads `token_type` in any case.',
    'unknown-type': 'The agent uses no token of an unknown `token_type`.',
    'header-whole': 'No line break in a token adds a header to a request.',
  },
  resting: { 'agent-call.calls': ['opaque', 'case-free'] },
  blockedBy: ['agent-call.calls'],
  async run(judge, world) {
    const long = `~._-+/${`${world.invented.word()}Z9`.repeat(270)}==`;
    const cases = [
      ['opaque', { access_token: long }, (token: string) => token === long],
      ['case-free', { token_type: 'bEARER' }, (token: string) => token !== ''],
    ] as const;
    const callWith = async (members: Readonly<Record<string, string>>) => {
      await world.harness.forget();
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
    await world.controls.need('discovery at well-known', 'call');
    const type = world.invented.word();
    const untyped = await callWith({ token_type: type });
    needTokens(untyped);
    const used = ofKind(untyped.traffic, 'resource').find(({ headers }) =>
      headers.has('authorization'),
    );
    judge.table(untyped.traffic, {
      'unknown-type': without(used, `a call with a token of the type ${type}`),
    });
    const header = world.invented.header();
    const split = await callWith({ access_token: `at_${world.invented.word()}\r\n${header}: yes` });
    needTokens(split);
    const added = split.traffic.find(({ headers }) => headers.has(header));
    judge.table(split.traffic, { 'header-whole': without(added, `${header}: yes`) });
  },
});

/** @throws CannotTest when the agent got no token, and so had none to refuse. */
function needTokens(run: ObservedRun): void {
  need(goodExchange(run.traffic), 'The agent got no token', run);
}

const REVOKED = 'The token was revoked, so nobody can use it.';

export const leaving = agentScenario({
  id: 'agent-leave',
  title: 'The agent revokes its token and forgets the registration',
  checks: {
    revokes: 'The agent posts its token to the revocation endpoint, form-encoded.',
    'named-endpoint': 'The agent revokes at the `revocation_endpoint` of the metadata.',
    forgets: 'After it left, the agent keeps no secret of the registration in a file.',
    'says-truly': 'The agent reports a revocation that failed.',
    waits:
      'After a 503 the agent keeps the token and waits for `Retry-After` before it tries again.',
  },
  resting: { 'agent-leave.revokes': ['named-endpoint'] },
  blockedBy: ['agent-call.calls'],
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
    need(token, 'The agent did not call', before);
    const known = world.secrets();
    const kept = await filesWith(world, known);
    if (kept.length === 0) judge.skip('forgets', 'The agent keeps no secret in a file.');
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
    if (run.ok && kept.length > 0) {
      const left = await filesWith(world, known);
      const isAlive = left.some(({ names }) => names.some((name) => name !== 'access_token'));
      judge.table(run, {
        forgets: {
          ok: left.length === 0,
          seen: left.map(({ path, names }) => `${names.join(', ')} in ${path}`).join('; '),
          reading: isAlive ? undefined : REVOKED,
        },
      });
    }

    await world.harness.forget();
    const busy = await world.service();
    await world.mustRun('call', { service: busy });
    busy.on('revoke', () =>
      refusal(503, { error: 'temporarily_unavailable' }, { 'retry-after': '2' }),
    );
    const failed = await world.run('leave', { service: busy, limit: 30_000 });
    const tries = busy.requests('revoke');
    need(tries[0], 'The agent did not try to revoke', failed);
    const isSilent = failed.ok && wordsOf(failed.output) === wordsOf(run.output);
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

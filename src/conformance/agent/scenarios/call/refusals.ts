import { CannotTest } from '../../../engine/judge.ts';
import type { AgentTask } from '../../agent-task.ts';
import {
  type AgentWorld,
  agentScenario,
  changeJson,
  ending,
  type ObservedRun,
  ofKind,
  refusal,
} from '../../agent-world.ts';
import type { ReceivedRequest, RequestKind } from '../../received-request.ts';
import type { ServicePeer } from '../../service-peer.ts';
import { PROTECTED_RESOURCE } from '../../service-peer.ts';
import { invalidToken, mustCall } from '../../steps/ended-access.ts';
import { atMost, none, noneEarlier, once, without } from '../../steps/rows.ts';
import { gaps, listed, need, needTraffic, registrations, repeated } from '../../steps/traffic.ts';

export const refusedToken = agentScenario({
  id: 'agent-refused-token',
  title: 'The resource refuses every token',
  checks: {
    'one-exchange': 'After a 401 the agent exchanges once more, repeats the call, and stops.',
    'same-identity': 'The agent does not register again without asking its user.',
    'as-loop':
      'The agent does not start discovery again on a 401 of the identity or the token endpoint.',
  },
  blockedBy: ['agent-call.calls'],
  async run(judge, world) {
    const service = await world.service();
    await mustCall(world, service);
    service.onCall(() => invalidToken(service));
    const run = await world.run('call', { service, limit: 30_000 });
    needTraffic(run);
    const calls = needCalls(run);
    const refused = calls.find(({ answer }) => answer?.status === 401)?.number ?? 0;
    const exchanges = ofKind(run.traffic, 'exchange').filter(({ number }) => number > refused);
    judge.table(run.traffic, {
      'one-exchange': [
        run.killed ? atMost(1, 'exchange', exchanges, run) : once('exchange', exchanges),
        atMost(3, 'call', calls, run),
      ],
      'same-identity': none(registrations(run.traffic)),
    });

    await world.harness.forget();
    const closed = await world.service();
    const challenge = `Bearer resource_metadata="${closed.origin}${PROTECTED_RESOURCE}"`;
    closed.on(['identity', 'exchange'], () =>
      refusal(401, { error: 'invalid_client' }, { 'www-authenticate': challenge }),
    );
    const again = await world.run('call', { service: closed, limit: 30_000 });
    const tries = needTries(again);
    judge.table(again.traffic, { 'as-loop': atMost(1, 'registration', tries, again) });
  },
});

export const narrowToken = agentScenario({
  id: 'agent-narrow-token',
  title: 'The resource asks for more scope than the token has',
  checks: {
    'not-repeated':
      'After insufficient_scope the agent does not repeat the call with the same token.',
  },
  blockedBy: ['agent-call.calls'],
  async run(judge, world) {
    const service = await world.service();
    const challenge = 'Bearer error="insufficient_scope", scope="api.write"';
    // As many resource servers refuse: without a body.
    const headers = { 'www-authenticate': challenge };
    service.onCall(() => new Response(null, { status: 403, headers }));
    const run = await world.run('call', { service, limit: 30_000 });
    const calls = needCalls(run);
    const twice = repeated(calls, ({ bearer }) => bearer);
    judge.table(calls, { 'not-repeated': without(twice, `${calls.length} calls`) });
  },
});

export const busyService = agentScenario({
  id: 'agent-busy-service',
  title: 'The identity endpoint is busy, or refuses the request',
  checks: {
    waits: 'The agent waits for `Retry-After` before it tries again.',
    'backs-off': 'After a 500 the agent waits before it tries again.',
    'not-repeated': 'The agent does not send a body again that was refused with 400.',
  },
  blockedBy: ['agent-call.registers'],
  costly: true,
  async run(judge, world) {
    for (const status of [503, 429]) {
      await world.harness.forget();
      const service = await world.service();
      const error = status === 429 ? 'rate_limited' : 'temporarily_unavailable';
      service.on('identity', ({ nth }, next) =>
        nth === 1 ? refusal(status, { error }, { 'retry-after': '2' }) : next(),
      );
      const run = await world.run('call', { service, limit: 30_000 });
      const tries = needTries(run).slice(0, 2);
      const answer = `${status} with Retry-After: 2`;
      judge.table(tries, { waits: noneEarlier(tries, 2000) }, { case: answer });
    }
    await world.harness.forget();
    const broken = await world.service();
    broken.on('identity', ({ nth }, next) =>
      nth <= 2 ? new Response(null, { status: 500 }) : next(),
    );
    const run = await world.run('call', { service: broken, limit: 30_000 });
    const fast = gaps(needTries(run)).find(({ ms }) => ms < 200)?.next;
    judge.table(run.traffic, { 'backs-off': without(fast, 'no pause') });
    await world.harness.forget();
    const refusing = await world.service();
    refusing.on('identity', () => refusal(400, { error: 'invalid_request' }));
    const refused = await world.run('call', { service: refusing, limit: 30_000 });
    const sent = needTries(refused);
    const again = repeated(sent, ({ body }) => body);
    judge.table(refused.traffic, { 'not-repeated': without(again, `${sent.length} requests`) });
  },
});

/** 307 and 308 keep method and body; a client may keep them with the others (RFC 9110 §15.4). */
const REDIRECTS: readonly (readonly [
  kind: RequestKind,
  status: number,
  tasks: readonly AgentTask[],
])[] = [
  ['resource', 302, ['call']],
  ['resource', 307, ['call']],
  ['identity', 307, ['call']],
  ['exchange', 308, ['call']],
  ['claim', 307, ['begin']],
  ['poll', 307, ['claim']],
  ['revoke', 308, ['call', 'leave']],
];

export const redirectedCall = agentScenario({
  id: 'agent-redirected-call',
  title: 'Endpoints answer with a redirect to another server',
  checks: {
    'token-stays': 'The agent sends no token to another origin on a redirect.',
    'body-stays': 'The agent posts no body to another origin on a redirect.',
  },
  blockedBy: ['agent-call.calls'],
  run(judge, world) {
    return world.eachBeside(REDIRECTS, async (beside, [kind, status, tasks]) => {
      const otherServer = await beside.otherServer(`other-server-${kind}-${status}`);
      const service = await beside.service();
      const location = `${otherServer.origin}/${beside.invented.word()}`;
      service.on(kind, ({ received }, next) =>
        kind === 'resource' && received.bearer === undefined
          ? next()
          : new Response(null, { status, headers: { location } }),
      );
      const run = await runAll(beside, tasks, service);
      if (run === undefined) return;
      needTraffic(run);
      const reached = service.requests(kind).some(({ answer }) => answer?.status === status);
      need(reached, `The agent did not reach the redirect of the ${kind} request`, run);
      const taken = otherServer
        .requests()
        .find(({ headers, body }) => headers.has('authorization') || body !== '');
      const check = kind === 'resource' ? 'token-stays' : 'body-stays';
      const row = without(taken, listed(otherServer.requests()));
      judge.table(taken, { [check]: { ...row, case: `${status} of the ${kind} request` } });
    });
  },
});

/** Runs one task after another; undefined when the adapter declines one. */
async function runAll(
  world: AgentWorld,
  tasks: readonly AgentTask[],
  service: ServicePeer,
): Promise<ObservedRun | undefined> {
  let last: ObservedRun | undefined;
  for (const task of tasks) {
    last = await world.runIfKnown(task, { service, limit: 30_000 });
    if (last === undefined) return undefined;
  }
  return last;
}

export const secondService = agentScenario({
  id: 'agent-second-service',
  title: 'The agent works with one service, and then with another',
  checks: {
    'id-jag-stays': 'The agent sends no service an ID-JAG that was minted for another.',
    'token-stays': 'The agent sends no service a token or an assertion of another.',
  },
  blockedBy: ['agent-id-jag.calls'],
  async run(judge, world) {
    const provider = await world.provider();
    const trust = [provider.issuer];
    const first = await world.service({ name: 'service', trust });
    const second = await world.service({ name: 'second-service', trust });
    const facts = { type: 'identity_assertion', provider: provider.issuer, agrees: true } as const;
    await world.mustRun('call', { service: first, ...facts });
    const run = await world.run('call', { service: second, ...facts });
    needTraffic(run);
    const [made] = registrations(run.traffic);
    need(made, 'The agent did not register at the second service', run);
    const given = first.requests('identity').flatMap((each) => each.member('assertion') ?? []);
    if (given.length === 0) {
      throw new CannotTest('The agent sent the first service no ID-JAG that it could send again.');
    }
    const shown = second.requests().find(({ body }) => given.some((idJag) => body.includes(idJag)));
    const secrets = first
      .requests()
      .flatMap(({ answered }) =>
        ['access_token', 'identity_assertion'].map((name) => answered?.[name]),
      )
      .filter((value) => typeof value === 'string');
    const leaked = second
      .requests()
      .find(({ body, headers }) =>
        secrets.some(
          (secret) =>
            body.includes(secret) || (headers.get('authorization') ?? '').includes(secret),
        ),
      );
    judge.table(run.traffic, {
      'id-jag-stays': without(shown, 'The ID-JAG of the first service was sent.'),
      'token-stays': without(leaked, 'A token or an assertion of the first service was sent.'),
    });
  },
});

/** The registrations that were tried. @throws CannotTest when there is none. */
function needTries(run: ObservedRun): readonly ReceivedRequest[] {
  const tries = registrations(run.traffic);
  need(tries[0], 'The agent did not try to register', run);
  return tries;
}

/** The calls with a token. @throws CannotTest when there is none. */
function needCalls(run: ObservedRun): readonly ReceivedRequest[] {
  const calls = ofKind(run.traffic, 'resource').filter(({ bearer }) => bearer !== undefined);
  need(calls[0], 'The agent made no call with a token', run);
  return calls;
}

export const directory = agentScenario({
  id: 'agent-directory',
  title: 'A directory holds nulls, wrong types and unknown members',
  checks: {
    reads: 'The agent reads a directory whose values are null, of the wrong type or missing.',
  },
  blockedBy: ['agent-call.two-hops'],
  async run(judge, world) {
    const right = await world.service();
    const resource = `${right.origin}/api/services.json`;
    const facts = { agrees: true } as const;
    needDirectory(await world.mustRun('directory', { service: right, resource, ...facts }));
    const odd = await world.service();
    const strange = world.invented.member();
    odd.on(
      'directory',
      changeJson((body) => {
        const { version: _left, ...meta } = (body['meta'] ?? {}) as Record<string, unknown>;
        const data = ((body['data'] ?? []) as Record<string, unknown>[]).map((row, index) =>
          index % 2 === 0
            ? { ...Object.fromEntries(Object.keys(row).map((name) => [name, null])), [strange]: {} }
            : { ...row, method_id: '7', [strange]: [1] },
        );
        return { ...body, meta: { ...meta, method: [] }, data, [strange]: null };
      }),
    );
    const run = await world.run('directory', {
      service: odd,
      resource: `${odd.origin}/api/services.json`,
      ...facts,
    });
    needDirectory(run);
    judge.expect('reads', run.ok, ending(run));
  },
});

/** @throws CannotTest when the agent did not read the directory. */
function needDirectory(run: ObservedRun): void {
  need(ofKind(run.traffic, 'directory')[0], 'The agent asked for no directory', run);
}

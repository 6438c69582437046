import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { ending, ofKind, refusal } from '../../agent-world.ts';
import { listed, needTraffic, registrations, seconds, TOLERANCE } from '../../steps/traffic.ts';

const INVALID = { 'www-authenticate': 'Bearer error="invalid_token"' };

export const refusedToken = agentScenario({
  id: 'agent-refused-token',
  title: 'The resource refuses every token',
  checks: {
    'one-exchange': 'After a 401 the agent exchanges once and does not loop.',
    'same-identity': 'The agent takes on no new identity without a word to its user.',
    'as-loop': 'The agent takes no 401 of the server for a challenge to discover again.',
  },
  async run(judge, world) {
    const service = await world.service();
    await world.mustRun('call', { service });
    service.on('resource', ({ received }, next) =>
      received.bearer === undefined
        ? next()
        : new Response(null, { status: 401, headers: INVALID }),
    );
    const run = await world.run('call', { service, limit: 30_000 });
    needTraffic(run);
    const exchanges = ofKind(run.traffic, 'exchange');
    const calls = ofKind(run.traffic, 'resource').filter(({ bearer }) => bearer !== undefined);
    if (calls.length === 0) throw new CannotTest(`The agent made no call (${ending(run)}).`);
    judge.expect(
      'one-exchange',
      exchanges.length <= 1 && calls.length <= 3 && !run.killed,
      `${exchanges.length} exchanges, ${calls.length} calls`,
      { exchange: exchanges.at(1)?.number ?? calls.at(3)?.number },
    );
    const made = registrations(run.traffic);
    judge.expect('same-identity', made.length === 0, listed(made), {
      exchange: made.at(0)?.number,
    });

    const closed = await world.service();
    closed.on(['identity', 'exchange'], () =>
      refusal(
        401,
        { error: 'invalid_client' },
        {
          'www-authenticate': `Bearer resource_metadata="${closed.origin}/.well-known/oauth-protected-resource"`,
        },
      ),
    );
    const again = await world.run('call', { service: closed, limit: 30_000 });
    const tries = registrations(again.traffic);
    if (tries.length === 0) throw new CannotTest('The agent did not try to register.');
    judge.expect('as-loop', tries.length === 1 && !again.killed, `${tries.length} tries`, {
      exchange: tries.at(1)?.number,
    });
  },
});

export const narrowToken = agentScenario({
  id: 'agent-narrow-token',
  title: 'The resource asks for more scope than the token has',
  checks: {
    'not-repeated':
      'The agent does not repeat a call with the same token after insufficient_scope.',
  },
  async run(judge, world) {
    const service = await world.service();
    service.on('resource', async ({ received }, next) =>
      received.bearer === undefined
        ? next()
        : new Response(null, {
            status: 403,
            headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="api.write"' },
          }),
    );
    const run = await world.run('call', { service, limit: 30_000 });
    needTraffic(run);
    const calls = ofKind(run.traffic, 'resource').filter(({ bearer }) => bearer !== undefined);
    if (calls.length === 0) throw new CannotTest(`The agent made no call (${ending(run)}).`);
    const tokens = calls.map(({ bearer }) => bearer);
    const twice = calls.find(({ bearer }, index) => tokens.indexOf(bearer) < index);
    judge.expect('not-repeated', twice === undefined, `${calls.length} calls`, {
      exchange: twice?.number,
    });
  },
});

export const busyService = agentScenario({
  id: 'agent-busy-service',
  title: 'The identity endpoint is busy, or refuses what it is sent',
  checks: {
    waits: 'The agent waits as long as `Retry-After` says before it tries again.',
    'backs-off': 'The agent waits before it tries again after a 5xx.',
    'not-repeated': 'The agent never sends a refused body again.',
  },
  async run(judge, world) {
    for (const status of [503, 429]) {
      const service = await world.service();
      const error = status === 429 ? 'rate_limited' : 'temporarily_unavailable';
      service.on('identity', ({ nth }, next) =>
        nth === 1 ? refusal(status, { error }, { 'retry-after': '2' }) : next(),
      );
      const run = await world.run('call', { service, limit: 30_000 });
      const [first, second] = registrations(run.traffic);
      if (first === undefined) throw new CannotTest('The agent did not try to register.');
      const ms = (second?.at ?? Number.POSITIVE_INFINITY) - first.at;
      judge.expect('waits', ms >= 2000 - TOLERANCE, `after ${seconds(ms)}`, {
        expected: `no further try within 2 s of a ${status} with Retry-After: 2`,
        exchange: second?.number,
      });
    }
    const broken = await world.service();
    broken.on('identity', ({ nth }, next) =>
      nth <= 2 ? new Response(null, { status: 500 }) : next(),
    );
    const run = await world.run('call', { service: broken, limit: 30_000 });
    const tries = registrations(run.traffic);
    const fast = tries.find(
      (each, index) => index > 0 && each.at - (tries[index - 1]?.at ?? 0) < 200,
    );
    judge.expect('backs-off', fast === undefined, 'none', { exchange: fast?.number });
    const refusing = await world.service();
    refusing.on('identity', () => refusal(400, { error: 'invalid_request' }));
    const refused = await world.run('call', { service: refusing, limit: 30_000 });
    const bodies = registrations(refused.traffic).map(({ body }) => body);
    const again = registrations(refused.traffic).find(
      ({ body }, index) => bodies.indexOf(body) < index,
    );
    judge.expect(
      'not-repeated',
      again === undefined && bodies.length > 0,
      `${bodies.length} times`,
      { exchange: again?.number },
    );
  },
});

export const redirectedCall = agentScenario({
  id: 'agent-redirected-call',
  title: 'Endpoints answer with a redirect to another server',
  checks: {
    'token-stays': 'The agent takes no token along to another origin.',
    'body-stays': 'The agent posts no body again to another origin.',
  },
  async run(judge, world) {
    for (const kind of ['resource', 'identity', 'exchange'] as const) {
      const otherServer = await world.otherServer(`other-server-${kind}`);
      const service = await world.service();
      const location = `${otherServer.origin}/${world.invented.word()}`;
      service.on(kind, ({ received }, next) =>
        kind === 'resource' && received.bearer === undefined
          ? next()
          : new Response(null, { status: kind === 'resource' ? 302 : 307, headers: { location } }),
      );
      const run = await world.run('call', { service, limit: 30_000 });
      needTraffic(run);
      const reached = service
        .requests(kind)
        .some(({ answer }) => (answer?.status ?? 0) < 400 && (answer?.status ?? 0) >= 300);
      if (!reached) throw new CannotTest(`The agent did not come to the redirect of the ${kind}.`);
      const taken = otherServer
        .requests()
        .find(({ headers, body }) => headers.has('authorization') || body !== '');
      judge.expect(
        kind === 'resource' ? 'token-stays' : 'body-stays',
        taken === undefined,
        listed(otherServer.requests()),
        { expected: `nothing taken along by the redirect of the ${kind}`, exchange: taken?.number },
      );
    }
  },
});

export const secondService = agentScenario({
  id: 'agent-second-service',
  title: 'The agent works with one service, and then with another',
  checks: {
    'id-jag-stays': 'No second service sees the ID-JAG that was minted for the first.',
    'token-stays': 'No second service sees a token or an assertion of the first.',
  },
  async run(judge, world) {
    const provider = await world.provider();
    const trust = [provider.issuer];
    const first = await world.service({ name: 'service', trust });
    const second = await world.service({ name: 'second-service', trust });
    const facts = { type: 'identity_assertion', provider: provider.issuer, agrees: true } as const;
    await world.mustRun('call', { service: first, ...facts });
    const run = await world.run('call', { service: second, ...facts });
    needTraffic(run);
    const given = first.requests('identity').flatMap((each) => each.member('assertion') ?? []);
    const shown = second.requests().find(({ body }) => given.some((idJag) => body.includes(idJag)));
    judge.expect('id-jag-stays', shown === undefined, 'The ID-JAG of the first service was sent.', {
      exchange: shown?.number,
    });
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
    judge.expect(
      'token-stays',
      leaked === undefined,
      'A token or an assertion of the first service was sent.',
      { exchange: leaked?.number },
    );
  },
});

export const directory = agentScenario({
  id: 'agent-directory',
  title: 'A directory holds nulls, odd types and members of tomorrow',
  checks: { reads: 'The agent reads a directory in which values are null, odd or missing.' },
  async run(judge, world) {
    const right = await world.service();
    const resource = `${right.origin}/api/services.json`;
    const facts = { agrees: true } as const;
    await world.mustRun('directory', { service: right, resource, ...facts });
    const odd = await world.service();
    const strange = world.invented.member();
    odd.on('directory', async (_ask, next) => {
      const reply = await next();
      if (!(reply instanceof Response) || !reply.ok) return reply;
      const body = (await reply.json()) as { meta?: object; data?: Record<string, unknown>[] };
      const { version: _left, ...meta } = (body.meta ?? {}) as Record<string, unknown>;
      const data = (body.data ?? []).map((row, index) =>
        index % 2 === 0
          ? { ...Object.fromEntries(Object.keys(row).map((name) => [name, null])), [strange]: {} }
          : { ...row, method_id: '7', [strange]: [1] },
      );
      return Response.json({ ...body, meta: { ...meta, method: [] }, data, [strange]: null });
    });
    const run = await world.run('directory', {
      service: odd,
      resource: `${odd.origin}/api/services.json`,
      ...facts,
    });
    judge.expect('reads', run.ok, ending(run));
  },
});

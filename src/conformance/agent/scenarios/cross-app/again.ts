import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario, ending, ofKind, refusal } from '../../agent-world.ts';
import { crossApp, insufficientScope, runConnect } from '../../steps/cross-app.ts';
import { atMost, none } from '../../steps/rows.ts';
import { need } from '../../steps/traffic.ts';

/** The first try, one after a refresh, one after a sign-in, and one after a refresh of that. */
const MOST_EXCHANGES = 4;
/** MCP, step-up authorization: a few tries. */
const MOST_STEPS = 3;

export const oldSignIn = agentScenario({
  id: 'agent-cross-app-old-sign-in',
  title: 'The provider takes the sign-in no longer',
  checks: {
    renews: 'At invalid_grant of the exchange the agent refreshes, or signs its user in again.',
    'steps-up':
      'At insufficient_user_authentication the agent signs its user in again, with the `max_age` that was asked for.',
    'no-loop': 'Where the sign-in is never taken, the agent stops after a refresh and a sign-in.',
  },
  resting: { 'agent-cross-app-old-sign-in.renews': ['steps-up'] },
  blockedBy: ['agent-cross-app.mints'],
  async run(judge, world) {
    const tried = async (times: number, body: Readonly<Record<string, unknown>>) => {
      await world.harness.forget();
      const both = await crossApp(world);
      both.provider.on('mint', ({ nth }, next) => (nth <= times ? refusal(400, body) : next()));
      const run = await runConnect(both);
      const [first] = ofKind(run.traffic, 'mint');
      need(first, 'No exchange', run);
      const after = run.traffic.filter(({ number }) => number > first.number);
      return { run, first, after };
    };
    const once = await tried(1, { error: 'invalid_grant' });
    const [renewed] = ofKind(once.after, 'authorize', 'refresh');
    judge.table(once.run, {
      renews: {
        ok: renewed !== undefined,
        seen: `no sign-in and no refresh after it (${ending(once.run)})`,
        exchange: once.first.number,
      },
    });
    const age = 60;
    const stronger = { error: 'insufficient_user_authentication', max_age: age };
    const step = await tried(1, stronger);
    const [asked] = ofKind(step.after, 'authorize');
    judge.table(step.run, {
      'steps-up': {
        ok: Number(asked?.url.searchParams.get('max_age') ?? Number.NaN) <= age,
        seen: asked === undefined ? `no sign-in (${ending(step.run)})` : asked.url.search,
        exchange: asked?.number,
      },
    });
    const never = await tried(Number.POSITIVE_INFINITY, { error: 'invalid_grant' });
    const mints = ofKind(never.run.traffic, 'mint');
    judge.table(never.run, { 'no-loop': atMost(MOST_EXCHANGES, 'exchange', mints, never.run) });
  },
});

export const deniedAccess = agentScenario({
  id: 'agent-cross-app-denied',
  title: 'The policy of the provider denies access',
  checks: { ends: 'At access_denied of the exchange the agent stops, and does not ask again.' },
  blockedBy: ['agent-cross-app.mints'],
  async run(judge, world) {
    const both = await crossApp(world);
    both.provider.on('mint', () => refusal(400, { error: 'access_denied' }));
    const run = await runConnect(both);
    const mints = ofKind(run.traffic, 'mint');
    need(mints[0], 'No exchange', run);
    judge.table(run, { ends: atMost(1, 'exchange', mints, run) });
  },
});

export const moreScope = agentScenario({
  id: 'agent-cross-app-scope',
  title: 'A call needs more scope than the access token has',
  checks: {
    union: 'The agent asks for the scopes of the challenge beside those that it had.',
    'few-tries': 'Where the scope never suffices, the agent stops after three tries.',
  },
  blockedBy: ['agent-cross-app.calls'],
  async run(judge, world) {
    const first = await crossApp(world);
    const { service } = first;
    let isRefused = false;
    service.onCall((_ask, next) => {
      if (isRefused) return next();
      isRefused = true;
      return insufficientScope(service, 'api.write');
    });
    const run = await runConnect(first);
    need(isRefused, 'The agent did not call with a token', run);
    const [before, after] = ofKind(run.traffic, 'mint').map(
      ({ form }) => form.get('scope')?.split(' ') ?? [],
    );
    const wanted = [...(before ?? []), 'api.write'];
    judge.table(run, {
      union: {
        ok: wanted.every((scope) => after?.includes(scope)),
        seen: after === undefined ? `no other exchange (${ending(run)})` : after.join(' '),
        exchange: ofKind(run.traffic, 'mint').at(-1)?.number,
      },
    });
    await world.harness.forget();
    const always = await crossApp(world);
    always.service.onCall(() => insufficientScope(always.service, 'api.write'));
    const last = await runConnect(always);
    // The first exchange, and one for each try.
    const mints = ofKind(last.traffic, 'mint');
    judge.table(last, { 'few-tries': atMost(MOST_STEPS + 1, 'exchange', mints, last) });
  },
});

export const plainHttpServer = agentScenario({
  id: 'agent-cross-app-http',
  title: 'The provider is at a plain http URL of another host',
  checks: { refused: 'The agent sends nothing by plain http to another host.' },
  blockedBy: ['agent-cross-app.signs-in'],
  async run(judge, world) {
    await world.controls.need('connect', 'code');
    const host = world.invented.host();
    const secure = await crossApp(world);
    await runConnect(secure, { provider: `https://${host}` });
    if (!world.harness.secureHosts().some((seen) => seen.includes(host))) {
      throw new CannotTest(
        'What this agent sends to other hosts cannot be seen: it was given a provider at an https URL of a host that the suite invented, and no connection to it arrived.',
      );
    }
    await world.harness.forget();
    const elsewhere = await world.elsewhere();
    await runConnect(await crossApp(world), { provider: `http://${world.invented.host()}` });
    judge.table(elsewhere, { refused: none(elsewhere.requests()) });
  },
});

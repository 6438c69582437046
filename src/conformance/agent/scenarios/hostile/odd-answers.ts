import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { type AgentWorld, changeMembers, ending, ofKind, refusal } from '../../agent-world.ts';
import { isResponse, type Rule } from '../../peer.ts';
import type { RequestKind } from '../../received-request.ts';
import { EndlessBody, MEGABYTE, TOO_LARGE } from '../../steps/endless-body.ts';
import { atMost, without } from '../../steps/rows.ts';
import { listed } from '../../steps/traffic.ts';

/** Deep enough to overflow the stack of a recursive reader. */
const DEPTH = 100_000;
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
/** More than thirty years, in seconds. */
const FOR_EVER = 1_000_000_000;

const KINDS = ['identity', 'exchange'] as const;
const LIFETIMES = [0, -1, 1e12, 'soon', null];

export const oddAnswers = agentScenario({
  id: 'agent-odd-answers',
  title: 'The identity and the token endpoint answer with malicious members',
  checks: {
    prototype: 'The agent uses no token from a member named `__proto__`.',
    survives: 'The agent survives deeply nested, doubled and huge members in these answers.',
    endless: 'The agent stops reading such an answer before it has read 64 MB.',
    lifetimes: 'The agent exchanges no token again and again, whatever its `expires_in`.',
    'retry-after': 'The agent ends in time, whatever `Retry-After` it is given.',
  },
  restsOn: { prototype: 'agent-odd-metadata.prototype', survives: 'agent-odd-metadata.survives' },
  blockedBy: ['agent-call.calls'],
  costly: true,
  async run(judge, world) {
    const { invented } = world;
    const token = invented.token();
    const proto = await callAt(
      world,
      'exchange',
      withText(`{"token_type":"Bearer","expires_in":600,"__proto__":{"access_token":"${token}"}}`),
    );
    const used = proto.traffic.find(({ bearer }) => bearer === token);
    judge.table(proto, { prototype: without(used, 'a call with that token') });

    const member = invented.member();
    const texts = [
      ['deep', `"${member}":${DEEP}`],
      ['doubled', `"${member}":1,"${member}":2`],
      ['huge', `"${member}":1e999999,"${invented.word()}":${'9'.repeat(5000)}`],
    ] as const;
    const survives = KINDS.flatMap((kind) =>
      texts.map(
        ([what, text]): Attempt =>
          async (beside) => {
            const run = await callAt(beside, kind, withMember(text));
            const ok = !run.killed && run.exitCode !== null;
            judge.expect('survives', ok, ending(run), { case: `${what} members, ${kind}` });
          },
      ),
    );
    const ends = KINDS.map(
      (kind): Attempt =>
        async (beside) => {
          const endless = new EndlessBody();
          const run = await callAt(beside, kind, () => endless.answer());
          const ok = endless.sent <= TOO_LARGE && !run.killed;
          const seen = `It read ${Math.floor(endless.sent / MEGABYTE)} MB.`;
          judge.expect('endless', ok, seen, { case: kind });
        },
    );
    const lifetimes = LIFETIMES.map(
      (lifetime): Attempt =>
        async (beside) => {
          const run = await callAt(beside, 'exchange', changeMembers({ expires_in: lifetime }));
          const row = atMost(3, 'exchange', ofKind(run.traffic, 'exchange'), run);
          judge.table(run, { lifetimes: row }, { case: `expires_in ${JSON.stringify(lifetime)}` });
        },
    );
    const busy: Attempt = async (beside) => {
      const error = { error: 'temporarily_unavailable' };
      const waited = await callAt(beside, 'identity', () =>
        refusal(503, error, { 'retry-after': String(FOR_EVER) }),
      );
      const ended = { ok: !waited.killed, seen: ending(waited), case: `Retry-After: ${FOR_EVER}` };
      judge.table(waited, { 'retry-after': ended });
    };
    const attempts = [...survives, ...ends, ...lifetimes, busy];
    await world.eachBeside(attempts, (beside, attempt) => attempt(beside));
  },
});

type Attempt = (beside: AgentWorld) => Promise<void>;

/** Runs the agent where a rule changes the answers of one kind. */
async function callAt(world: AgentWorld, kind: RequestKind, rule: Rule) {
  const service = await world.service();
  service.on(kind, rule);
  const run = await world.run('call', { service });
  if (service.requests(kind).length > 0) return run;
  throw new CannotTest(`The agent did not get as far: ${listed(run.traffic)} (${ending(run)}).`);
}

function withText(text: string): Rule {
  return () => new Response(text, { headers: { 'content-type': 'application/json' } });
}

/** Adds a member, as it is written, to a right answer. */
function withMember(member: string): Rule {
  return async (_ask, next) => {
    const reply = await next();
    if (!isResponse(reply) || !reply.ok) return reply;
    const headers = new Headers(reply.headers);
    headers.delete('content-length');
    return new Response(`${(await reply.text()).trimEnd().slice(0, -1)},${member}}`, { headers });
  };
}

import { gzipSync } from 'node:zlib';
import type { Judge } from '../../../engine/judge.ts';
import { type AgentWorld, agentScenario } from '../../agent-world.ts';
import { withUnreadBody } from '../../peer.ts';
import { EndlessBody, MEGABYTE, TOO_LARGE } from '../../steps/odd-bodies.ts';
import { resourceDocument, runAt } from '../../steps/publish-discovery.ts';
import { none } from '../../steps/rows.ts';
import { registrations } from '../../steps/traffic.ts';

export const largeAnswers = agentScenario({
  id: 'agent-large-answers',
  title: 'Metadata is endless, decompresses to 64 MB, or never arrives',
  checks: {
    endless: 'The agent stops reading an answer before it has read 64 MB.',
    packed: 'The agent does not register by metadata that decompresses to 64 MB.',
    silent: 'The agent gives up on a server that never answers.',
  },
  blockedBy: ['agent-call.registers'],
  costly: true,
  waits: true,
  run(judge, world) {
    return world.eachBeside([endless, packed, silent], (beside, attempt) => attempt(judge, beside));
  },
});

type Attempt = (judge: Judge<'endless' | 'packed' | 'silent'>, world: AgentWorld) => Promise<void>;

const fetched = { fetched: 'resource' } as const;

const endless: Attempt = async (judge, world) => {
  const body = new EndlessBody();
  const { run } = await runAt(world, () => ({ answer: () => body.answer() }), fetched);
  judge.table(run, {
    endless: {
      ok: body.sent <= TOO_LARGE && !run.killed,
      seen: `It read ${Math.floor(body.sent / MEGABYTE)} MB.`,
    },
  });
};

const packed: Attempt = async (judge, world) => {
  const { run } = await runAt(
    world,
    (service) => ({
      answer: () => {
        const text = JSON.stringify(resourceDocument(service));
        const packed = gzipSync(text + ' '.repeat(TOO_LARGE), { level: 1 });
        return withUnreadBody(
          new Response(new Uint8Array(packed), {
            headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
          }),
        );
      },
    }),
    fetched,
  );
  judge.table(run, { packed: none(registrations(run.traffic)) });
};

const silent: Attempt = async (judge, world) => {
  const { run } = await runAt(world, () => ({ answer: () => 'silence' }), fetched);
  judge.expect('silent', !run.killed, 'It still waited and had to be killed.');
};

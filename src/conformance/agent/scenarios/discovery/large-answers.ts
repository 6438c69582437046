import { gzipSync } from 'node:zlib';
import { agentScenario } from '../../agent-scenario.ts';
import { withUnreadBody } from '../../peer.ts';
import { resourceDocument } from '../../steps/publish-discovery.ts';
import { none } from '../../steps/rows.ts';
import { runAt } from '../../steps/run-at.ts';
import { registrations } from '../../steps/traffic.ts';

const MEGABYTE = 1024 * 1024;
/** Far more than any metadata needs. Bytes. */
const TOO_LARGE = 64 * MEGABYTE;

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
  async run(judge, world) {
    let sent = 0;
    const endlessly = () => {
      const chunk = new TextEncoder().encode(' '.repeat(MEGABYTE / 4));
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += chunk.length;
          if (sent > TOO_LARGE) controller.close();
          else controller.enqueue(chunk);
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    };
    const fetched = { fetched: 'resource' } as const;
    const endless = await runAt(
      world,
      () => ({ answer: () => withUnreadBody(endlessly()) }),
      fetched,
    );
    judge.table(endless.run, {
      endless: {
        ok: sent <= TOO_LARGE && !endless.run.killed,
        seen: `It read ${Math.floor(sent / MEGABYTE)} MB.`,
      },
    });

    const packed = await runAt(
      world,
      (service) => ({
        answer: () => {
          const text = JSON.stringify(resourceDocument(service));
          const body = gzipSync(text + ' '.repeat(TOO_LARGE), { level: 1 });
          return withUnreadBody(
            new Response(new Uint8Array(body), {
              headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
            }),
          );
        },
      }),
      fetched,
    );
    judge.table(packed.run, { packed: none(registrations(packed.run.traffic)) });

    const silent = await runAt(world, () => ({ answer: () => 'silence' }), fetched);
    judge.expect('silent', !silent.run.killed, 'It still waited and had to be killed.');
  },
});

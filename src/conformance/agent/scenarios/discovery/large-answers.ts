import { gzipSync } from 'node:zlib';
import { agentScenario } from '../../agent-scenario.ts';
import { withUnreadBody } from '../../peer.ts';
import { publishDiscovery, resourceDocument } from '../../steps/publish-discovery.ts';
import { none } from '../../steps/rows.ts';
import { needTraffic, registrations } from '../../steps/traffic.ts';

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
  async run(judge, world) {
    let sent = 0;
    const endless = publishDiscovery(await world.service(), {
      answer: () => withUnreadBody(endlessly()),
    });
    function endlessly(): Response {
      const chunk = new TextEncoder().encode(' '.repeat(MEGABYTE / 4));
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += chunk.length;
          if (sent > TOO_LARGE) controller.close();
          else controller.enqueue(chunk);
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    }
    const first = await world.run('call', { service: endless });
    needTraffic(first);
    judge.table(first, {
      endless: {
        ok: sent <= TOO_LARGE && !first.killed,
        seen: `It read ${Math.floor(sent / MEGABYTE)} MB.`,
      },
    });

    const service = await world.service();
    publishDiscovery(service, {
      answer: () => {
        const text = JSON.stringify(resourceDocument(service));
        const packed = gzipSync(text + ' '.repeat(TOO_LARGE), { level: 1 });
        return withUnreadBody(
          new Response(new Uint8Array(packed), {
            headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
          }),
        );
      },
    });
    const second = await world.run('call', { service });
    needTraffic(second);
    judge.table(second, { packed: none(registrations(second.traffic)) });

    const silent = publishDiscovery(await world.service());
    silent.on('other', () => 'silence');
    const third = await world.run('call', { service: silent });
    needTraffic(third);
    judge.expect('silent', !third.killed, 'It still waited and had to be killed.');
  },
});

import { setImmediate as turn } from 'node:timers/promises';
import { decodeCredentials, encodeCredentials } from '../../../src/agent/credentials/file-codec.ts';
import { createMemoryStore } from '../../../src/agent/credentials/memory-store.ts';
import { type Fetch, SeededRandom } from '../../../src/runtime/index.ts';
import { newMachine, runCli } from '../../cli/support/run-cli.ts';
import type { InProcessAgent, Tools } from './memory-harness.ts';

/** Where the program keeps what it knows between two runs. */
const FILE = 'home/agent-auth/credentials.json';
/** The time limit of a request of the program. Milliseconds. */
const LIMIT = 30_000;

/**
 * Our program as an agent of this process: `conformance perform` without a socket, a file or a real wait. The mode of
 * its file is written here: of the program's own, `conformance-agent.test.ts` says more.
 */
export function ownProgram(): InProcessAgent {
  // One for all runs: none draws what another one has drawn.
  const random = new SeededRandom(3);
  return async (tools) => {
    const known = tools.read(FILE);
    const before = known === undefined ? null : JSON.parse(known);
    const store = createMemoryStore(before === null ? undefined : decodeCredentials(before));
    const machine = { ...newMachine(), clock: tools.clock, store, network: networkOf(tools) };
    let browsing: Promise<void> = Promise.resolve();
    const { code, streams } = await runCli(machine, ['conformance', 'perform'], {
      env: tools.variables,
      random,
      openBrowser: (url) => {
        browsing = tools.open(url).then((led) => {
          if (led !== undefined) machine.loopback.bring(led);
        });
        return browsing;
      },
      // Time goes on when nothing else does: the browser comes back before a wait for it ends.
      sleep: async (ms, signal) => {
        await browsing;
        await turn();
        signal?.throwIfAborted();
        await tools.sleep(ms);
      },
    });
    tools.say(streams.stdout.raw);
    tools.warn(streams.stderr.raw);
    const after = encodeCredentials(await store.read(), before);
    tools.write(FILE, JSON.stringify(after), 0o600, false);
    return code;
  };
}

function networkOf(tools: Tools): Fetch {
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    signal?.throwIfAborted();
    const sent = body === undefined ? {} : { body: Buffer.from(body).toString() };
    return tools.send(url, { method, headers, timeout: LIMIT, ...sent });
  };
}

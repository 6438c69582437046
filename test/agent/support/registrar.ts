/** A process that registers at a service without an account, with the credential file of a folder. */
import { openCredentialFile } from '../../../src/agent/credentials/credential-file.ts';
import { Agent } from '../../../src/agent/index.ts';
import {
  silentLog,
  systemClock,
  systemFetch,
  systemRandom,
  systemSleep,
} from '../../../src/runtime/index.ts';

const [, , folder = '', service = '', lock] = process.argv;
const store = openCredentialFile({ environment: { AGENT_AUTH_HOME: folder } });
if (lock === undefined) {
  const agent = new Agent({
    ...{ store, fetch: systemFetch, log: silentLog },
    ...{ clock: systemClock, random: systemRandom, sleep: systemSleep },
  });
  const outcome = await agent.register({ service, type: 'anonymous', reuse: true });
  process.stdout.write(`${'already' in outcome && outcome.already}`);
} else {
  await store.lock?.(lock);
  process.stdout.write('held');
  // Until it is killed.
  setInterval(() => {}, 60_000);
}

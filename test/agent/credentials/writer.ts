/** A process that registers in the credential file of a folder, and says so once each is stored. */
import { openCredentialFile } from '../../../src/agent/credentials/credential-file.ts';
import { add } from './some-credentials.ts';

const [, , folder = '', prefix = '', count = '5'] = process.argv;
const store = openCredentialFile({ environment: { AGENT_AUTH_HOME: folder } });
for (let n = 0; n < Number(count); n += 1) {
  await add(store, `${prefix}${n}`);
  process.stdout.write(`${prefix}${n}\n`);
}

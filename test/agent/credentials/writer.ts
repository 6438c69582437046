/** A process that registers five times in the credential file of a folder. */
import { openCredentialFile } from '../../../src/agent/index.ts';
import { add } from './some-credentials.ts';

const [, , folder = '', prefix = ''] = process.argv;
const store = openCredentialFile({ environment: { AGENT_AUTH_HOME: folder } });
for (let n = 0; n < 5; n += 1) await add(store, `${prefix}${n}`);

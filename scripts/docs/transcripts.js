import { importSource } from './import-source.js';

/**
 * What the agent and the mock service say to each other, in each flow that each dialect has. Each is a real run on a
 * clock that stands still; in place of secrets it has names. The tests of the dialects hold the same runs byte for byte.
 *
 * @param {string} root of the project
 * @returns {Promise<readonly { name: string, value: unknown }[]>} `flat-claimed-afterwards` and its like
 */
export async function transcripts(root) {
  const { recordedFlows } = /** @type {typeof import('../../test/dialects/recorded-flows.ts')} */ (
    await importSource(root, 'test/dialects/recorded-flows.ts')
  );
  return recordedFlows();
}

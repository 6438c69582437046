import { expect, it } from 'vitest';
import { readClients } from '../../../src/cli/conformance/cross-app-options.ts';
import type { Context } from '../../../src/cli/shell/context.ts';

it.each([
  ['a secret of a client in the arguments', ['a'], ['s3cret'], 'secret_in_arguments'],
  ['a secret without its client', ['a'], ['@a', '@b'], 'options_clash'],
  ['two secrets from stdin', ['a', 'b'], ['-', '-'], 'options_clash'],
  ['a third client', ['a', 'b', 'c'], [], 'options_clash'],
])('refuses %s before anything is read or sent', async (_what, clientId, clientSecret, code) => {
  await expect(readClients({} as Context, { clientId, clientSecret })).rejects.toMatchObject({
    code,
  });
});

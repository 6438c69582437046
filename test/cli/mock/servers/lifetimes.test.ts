import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMockOptions } from '../../../../src/cli/mock/servers/config/read-mock-options.ts';
import {
  type MockOptions,
  pickLifetimes,
  readLifetimes,
} from '../../../../src/cli/mock/servers/mock-options.ts';
import { DEFAULT_PROVIDER_LIFETIMES } from '../../../../src/mock-provider/index.ts';
import { resolveOptions as resolveProvider } from '../../../../src/mock-provider/options.ts';
import { DEFAULT_LIFETIMES } from '../../../../src/mock-service/index.ts';
import { resolveOptions as resolveService } from '../../../../src/mock-service/options.ts';
import { mockDefaults } from '../../../../src/testing/mock-defaults.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a command line and a file make of the lifetimes of a mock. */
async function typed<T extends object>(
  part: 'service' | 'provider',
  defaults: T,
  flags: MockOptions,
) {
  const options = await readMockOptions(flags, part, new AbortController().signal);
  const names = Object.keys(defaults);
  return pickLifetimes(readLifetimes(options.lifetime, names), defaults);
}

const ports = mockDefaults('https://mock.example', {});
const MOCKS = [
  {
    part: 'service',
    defaults: DEFAULT_LIFETIMES,
    resolve: (lifetimes: object) => resolveService({ ...ports, lifetimes }).lifetimes,
  },
  {
    part: 'provider',
    defaults: DEFAULT_PROVIDER_LIFETIMES,
    resolve: (lifetimes: object) => resolveProvider({ ...ports, lifetimes }).lifetimes,
  },
] as const;

describe.each(MOCKS)('of the $part', ({ part, defaults, resolve }) => {
  it.each(Object.keys(defaults))('%s is set by the library, a flag and the file', async (name) => {
    const expected = { ...defaults, [name]: 77_000 };
    expect(resolve({ [name]: 77_000 })).toEqual(expected);

    const flag = await typed(part, defaults, { lifetime: [`${name}=77s`] });
    expect(resolve(flag)).toEqual(expected);

    const config = join(folder, `${part}-${name}.yaml`);
    writeFileSync(config, `lifetimes: { ${name}: 77s }`);
    expect(resolve(await typed(part, defaults, { config }))).toEqual(expected);

    writeFileSync(config, `lifetimes:\n  ${name}: 99999d\n`);
    await expect(typed(part, defaults, { config })).rejects.toThrow(
      `2:${name.length + 5}  lifetimes.${name}: expected a duration`,
    );
  });
});

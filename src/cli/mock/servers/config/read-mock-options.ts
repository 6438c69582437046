import { dirname, resolve } from 'node:path';
import { isDatabaseUrl } from '../../../../mock/store/pg-url.ts';
import { metadataOptions } from '../metadata.ts';
import { type FileOptions, type MockOptions, SINGULAR } from '../mock-options.ts';
import type { Config, ConfigPart } from './config-schema.ts';
import { renamed } from './renamed.ts';

/** Where a service container has its configuration: its command and its files are not to be chosen. */
const VARIABLE = 'AGENT_AUTH_MOCK_CONFIG';

/**
 * The options of a `mock` command: those of the command line, and below them those of `--config`, or without
 * it those of AGENT_AUTH_MOCK_CONFIG.
 * @param mockConfig the value of that variable
 * @throws CliError (usage) for a configuration with a mistake.
 */
export async function readMockOptions(
  flags: MockOptions,
  part: ConfigPart,
  signal: AbortSignal,
  mockConfig?: string,
): Promise<MockOptions> {
  const { config } = flags;
  if (config === undefined && mockConfig === undefined) return flags;
  const { readConfigFile, readConfigText } = await import('./config-file.ts');
  const file =
    config === undefined
      ? optionsOf(readConfigText(mockConfig ?? '', VARIABLE, part), '.')
      : optionsOf(await readConfigFile(config, part, signal), dirname(config));
  return {
    ...file,
    ...flags,
    // An option sets one lifetime, not all of them.
    lifetime: [...(file.lifetime ?? []), ...(flags.lifetime ?? [])],
    ...((file.metadata ?? flags.metadata) && {
      metadata: [...(file.metadata ?? []), ...(flags.metadata ?? [])],
    }),
    control: flags.control !== false && file.control !== false,
    live: flags.live !== false && file.live !== false,
    // A kind of certificate on the line replaces the other kind in the file.
    ...(flags.tls && { tlsCert: undefined, tlsKey: undefined }),
    ...(flags.tlsCert !== undefined && { tls: false }),
  };
}

/** The file's values under the names of the options; paths are relative to the file. */
function optionsOf(config: Config, folder: string): MockOptions {
  const { db, lifetimes = {}, metadata, tls_cert: tlsCert, tls_key: tlsKey, ...others } = config;
  const path = (name: string) => resolve(folder, name);
  return {
    ...(renamed(others, SINGULAR) as Omit<FileOptions, 'metadata'>),
    ...(db !== undefined && { db: isDatabaseUrl(db) ? db : path(db) }),
    ...(tlsCert !== undefined && { tlsCert: path(tlsCert) }),
    ...(tlsKey !== undefined && { tlsKey: path(tlsKey) }),
    ...(metadata && { metadata: metadataOptions(metadata) }),
    lifetime: Object.entries(lifetimes).map(([name, value]) => `${name}=${value}`),
  };
}

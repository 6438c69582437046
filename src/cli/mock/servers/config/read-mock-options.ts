import { dirname, resolve } from 'node:path';
import { isDatabaseUrl } from '../../../../mock/store/pg-url.ts';
import { isJsonObject } from '../../../../protocol/json.ts';
import { metadataOptions } from '../metadata.ts';
import type { MockOptions } from '../mock-options.ts';
import type { Config, ConfigPart } from './config-schema.ts';

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

/** Options that are given once for each member of a list of the file. */
const SINGULAR = {
  allow_hosts: 'allowHost',
  types: 'type',
  quirks: 'quirk',
  clients: 'client',
  audiences: 'audience',
  faults: 'fault',
} as const;

/** The file's values under the names of the options; paths are relative to the file. */
function optionsOf(config: Config, folder: string): MockOptions {
  const { db, lifetimes = {}, metadata, tls_cert: tlsCert, tls_key: tlsKey, ...others } = config;
  const path = (name: string) => resolve(folder, name);
  return {
    ...(renamed(others, SINGULAR) as Named),
    ...(db !== undefined && { db: isDatabaseUrl(db) ? db : path(db) }),
    ...(tlsCert !== undefined && { tlsCert: path(tlsCert) }),
    ...(tlsKey !== undefined && { tlsKey: path(tlsKey) }),
    ...(metadata && { metadata: metadataOptions(metadata) }),
    lifetime: Object.entries(lifetimes).map(([name, value]) => `${name}=${value}`),
  };
}

/** Members in camelCase, also those of what a list holds; what was left out is absent. */
function renamed(object: object, names: Readonly<Record<string, string>> = {}): object {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      if (value === undefined) return [];
      const name = key.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
      return [[names[key] ?? name, Array.isArray(value) ? value.map(renamedEntry) : value]];
    }),
  );
}

function renamedEntry(entry: unknown): unknown {
  return isJsonObject(entry) ? renamed(entry) : entry;
}

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type Renamed<T> = T extends object
  ? { [K in keyof T as Camel<K & string>]: Exclude<T[K], undefined> }
  : T;

/** What {@link renamed} makes of a configuration: checked against the options. */
type Named = {
  [K in keyof Omit<
    Config,
    'db' | 'lifetimes' | 'metadata' | 'tls_cert' | 'tls_key'
  > as K extends keyof typeof SINGULAR ? (typeof SINGULAR)[K] : Camel<K & string>]: Exclude<
    Config[K],
    undefined
  > extends readonly (infer Entry)[]
    ? readonly Renamed<Entry>[]
    : Exclude<Config[K], undefined>;
};

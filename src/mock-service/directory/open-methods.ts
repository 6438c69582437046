import type { Reader } from '../../mock/index.ts';
import type { Data } from './data.ts';
import { readMethods } from './method-listing.ts';
import { readChangelog, readCodes, readVersions } from './records.ts';
import { serverTime } from './server-time.ts';
import { readServices } from './service-listing.ts';
import type { DirectoryPath } from './url.ts';

/** What an open method answers from. */
export interface Source {
  readonly reader: Reader;
  /** The base URL of the service, without a final slash. */
  readonly base: string;
  /** Milliseconds. */
  readonly now: number;
}

/** A method that needs no API key. */
export interface OpenMethod {
  readonly id: number;
  read(source: Source): Promise<Data>;
}

const LISTING: OpenMethod = { id: 1081, read: ({ reader, base }) => readServices(reader, base) };

/** By path without its format. Everything else that the catalog names needs a token (wire contract §10). */
const OPEN_METHODS: ReadonlyMap<string, OpenMethod> = new Map([
  ['api/services', LISTING],
  ['v2/api/services', LISTING],
  ['v2/api/methods', { id: 1103, read: ({ reader, base }) => readMethods(reader, base) }],
  ['v2/api/versions', { id: 1109, read: ({ reader }) => readVersions(reader) }],
  ['v2/api/changelog', { id: 1117, read: ({ reader }) => readChangelog(reader) }],
  ['v2/server/time', { id: 1087, read: async ({ now }) => serverTime(now) }],
  ['v2/server/codes', { id: 1091, read: ({ reader }) => readCodes(reader) }],
]);

export function findOpenMethod({ segments }: DirectoryPath): OpenMethod | undefined {
  return OPEN_METHODS.get(segments.join('/'));
}

/** The id of the open method that answers at a path without its format. */
export function openMethodId(path: string): number | undefined {
  return OPEN_METHODS.get(path.slice(1))?.id;
}

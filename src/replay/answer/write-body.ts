import type { RecordedTime } from '../../exchanges/index.ts';
import { instant, isJsonObject, type JsonObject } from '../../protocol/index.ts';
import { isJwt } from '../match/index.ts';
import { replaceNames } from '../recording/index.ts';
import type { ReplayKeys } from './replay-keys.ts';

export interface Writing {
  /** What a name stands for; made where there is none yet. */
  readonly valueFor: (name: string) => string;
  /** The JWT that was written for a name before. */
  readonly known: (name: string) => string | undefined;
  readonly keep: (name: string, value: string) => void;
  readonly keys: ReplayKeys;
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly times: Readonly<Record<string, RecordedTime>>;
}

/** A time that is ahead, where the recording does not say how far: in seconds. */
const SOME_TIME = 3_600;
const AHEAD = /exp|until|valid|end/i;

/** A recorded body as it is sent now: each name has its value, each time its distance, each JWT a new signature. */
export function writeBody(
  value: unknown,
  writing: Writing,
  pointer = '',
  isClaim = false,
): Promise<unknown> {
  return write(value, writing, pointer, isClaim);
}

async function write(
  value: unknown,
  writing: Writing,
  pointer: string,
  isClaim: boolean,
): Promise<unknown> {
  if (value === '{time}') return timeAt(writing, pointer, isClaim);
  if (typeof value === 'string') return writeText(value, writing);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, each] of value.entries()) {
      items.push(await write(each, writing, `${pointer}/${index}`, isClaim));
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  if (isJwt(value)) return writeJwt(value.jwt, value.header, value.claims, writing, pointer);
  const members = typeof value['kty'] === 'string' ? writing.keys.published(value) : undefined;
  return members ?? writeMembers(value, writing, pointer, isClaim);
}

async function writeMembers(
  object: JsonObject,
  writing: Writing,
  pointer: string,
  isClaim: boolean,
): Promise<JsonObject> {
  const members: [string, unknown][] = [];
  for (const [name, each] of Object.entries(object)) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    members.push([name, await write(each, writing, at, isClaim)]);
  }
  return Object.fromEntries(members);
}

async function writeJwt(
  name: string,
  header: unknown,
  claims: JsonObject,
  writing: Writing,
  pointer: string,
): Promise<string> {
  const known = writing.known(name);
  if (known !== undefined) return known;
  const written = await writeMembers(claims, writing, `${pointer}/claims`, true);
  const jwt = await writing.keys.sign(isJsonObject(header) ? header : {}, written);
  writing.keep(name, jwt);
  return jwt;
}

/** A text with its names replaced; where a URL stands escaped, its origin is escaped as well. */
export function writeText(
  text: string,
  { now, valueFor }: Pick<Writing, 'now' | 'valueFor'>,
): string {
  const escaped = text.replace(/\{(?:service|provider)\}(?=%[23][\dA-F])/gi, (name) =>
    encodeURIComponent(valueFor(name)),
  );
  return replaceNames(escaped, (name) => (name === '{time}' ? instant(now) : valueFor(name)));
}

function timeAt({ now, times }: Writing, pointer: string, isClaim: boolean): string | number {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const recorded = Object.hasOwn(times, pointer) ? times[pointer] : undefined;
  const after = recorded?.after ?? (AHEAD.test(name) ? SOME_TIME : 0);
  const ms = now + after * 1_000;
  switch (recorded?.as ?? (isClaim ? 'seconds' : 'text')) {
    case 'seconds':
      return Math.floor(ms / 1_000);
    case 'milliseconds':
      return ms;
    default:
      return instant(ms);
  }
}

import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { instant, isJsonObject, type JsonObject } from '../../protocol/index.ts';
import { type Random, randomDigits, randomToken } from '../../runtime/index.ts';
import { ID_KINDS } from '../stable-names.ts';
import type { TranscribedExchange } from '../transcript.ts';
import { isRecordedJwt } from './compare.ts';
import { replaceNames } from './names.ts';

/** What an answer is written with. */
export interface Writing {
  /** What names stand for: values, ids, JWTs. A name that has no value gets one. */
  readonly values: Map<string, string>;
  readonly random: Random;
  readonly key: ReplayKey;
  /** The time, in milliseconds since the epoch. */
  readonly now: number;
}

/** The headers that are this connection's, or of a body that came otherwise; a page of a replay keeps no session. */
const NOT_REPLAYED =
  /^(?:alt-svc|connection|content-encoding|content-length|date|keep-alive|set-cookie|strict-transport-security|trailer|transfer-encoding|upgrade)$/;

export type ReplayKey = Awaited<ReturnType<typeof makeReplayKey>>;

/** The key of a replay, which stands for each that the recorded service had. */
export async function makeReplayKey() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' };
  return {
    published: (kid: string): JsonObject => ({ ...jwk, kid }),
    /** A compact JWS with the recorded header. */
    sign: ({ b64: _b64, crit: _crit, ...header }: JsonObject, claims: unknown) =>
      new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ ...header, alg: 'ES256' })
        .sign(privateKey),
  };
}

/** The recorded answer with the values of this run. `undefined`: the recorded service gave none. */
export async function writeAnswer(
  { response }: TranscribedExchange,
  writing: Writing,
): Promise<Response | undefined> {
  const { body, headers: recorded, status, times = {} } = response;
  if (status === null) return undefined;
  const date = new Date(writing.now).toUTCString();
  const headers = new Headers({ date });
  for (const [name, value] of Object.entries(recorded)) {
    if (NOT_REPLAYED.test(name)) continue;
    headers.set(name, writeText(value.replaceAll('{time}', date), writing));
  }
  if (body === null) return new Response(null, { status, headers });
  const written = await write(body, '', { ...writing, times });
  const type = recorded['content-type'] ?? '';
  let text =
    typeof written === 'string' && !type.includes('json') ? written : JSON.stringify(written);
  if (type.startsWith('text/html') && isJsonObject(written)) text = page(String(written['title']));
  // As bytes: a text would get a media type that was not recorded.
  return new Response(new TextEncoder().encode(text), { status, headers });
}

type Timed = Writing & Pick<Required<TranscribedExchange['response']>, 'times'>;

/** Writes an answer anew: each name has its value, each time its distance, each JWT a new signature. */
async function write(value: unknown, pointer: string, writing: Timed): Promise<unknown> {
  const { key, now, times, values } = writing;
  if (value === '{time}') {
    const { after = 0, as = 'text' } = Object.hasOwn(times, pointer) ? (times[pointer] ?? {}) : {};
    const ms = now + after * 1_000;
    if (as === 'text') return instant(ms);
    return as === 'seconds' ? Math.floor(ms / 1_000) : ms;
  }
  if (typeof value === 'string') return writeText(value, writing);
  if (typeof value !== 'object' || value === null) return value;
  if (isRecordedJwt(value)) {
    const header = await write(value.header, `${pointer}/header`, writing);
    const claims = await write(value.claims, `${pointer}/claims`, writing);
    const jwt = values.get(value.jwt) ?? (await key.sign(header as JsonObject, claims));
    values.set(value.jwt, jwt);
    return jwt;
  }
  if ('kty' in value && 'kid' in value) return key.published(writeText(String(value.kid), writing));
  const members: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value)) {
    const step = name.replaceAll('~', '~0').replaceAll('/', '~1');
    members.push([name, await write(each, `${pointer}/${step}`, writing)]);
  }
  return Array.isArray(value) ? members.map(([, each]) => each) : Object.fromEntries(members);
}

function writeText(text: string, { now, random, values }: Writing): string {
  return replaceNames(text, (name) => {
    if (name === '{time}') return instant(now);
    const value = values.get(name) ?? newValue(name, random);
    values.set(name, value);
    return value;
  });
}

/** A value for a name, of the form that its kind has; another one each time. */
function newValue(name: string, random: Random): string {
  const kind = name.slice(1, -1).replace(/_\d+$/, '');
  // The same in each run: the key set is one.
  if (kind === 'kid') return name.slice(1, -1);
  if (/^(?:user_code|otp|passcode)$/.test(kind)) return randomDigits(random, 6);
  // Nobody listens there.
  if (kind === 'origin' || kind === 'provider') return 'http://127.0.0.1:1';
  const [prefix] = Object.entries(ID_KINDS).find(([, each]) => each === kind) ?? [];
  const before =
    prefix === undefined && kind.endsWith('_id') ? kind.slice(0, -'_id'.length) : prefix;
  for (;;) {
    const drawn = randomToken(random, before === undefined ? '' : `${before}_`);
    // With a digit and a letter of each case nobody takes it for a word.
    if (/[A-Z]/.test(drawn) && /[a-z]/.test(drawn) && /\d/.test(drawn)) return drawn;
  }
}

/** A transcript has the title of a page alone. */
function page(title: string): string {
  const shown = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><meta charset="utf-8"><title>${shown}</title><h1>${shown}</h1>
<p>A replay: there is nothing to do here. What the recorded user did is answered when the agent asks for it.</p>
`;
}

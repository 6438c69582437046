import { isJsonObject } from '../../protocol/index.ts';
import { isJwt, targetOf } from '../match/index.ts';
import { namesIn, type RecordedExchange } from '../recording/index.ts';

/** How one of the recorded agents began: what our own agent is told so that it begins in the same way. */
export interface RecordedStart {
  readonly type: 'anonymous' | 'service_auth' | 'identity_assertion';
  /** Whom the recorded agent named, at once or for the claim; the transcript may have a name in its place. */
  readonly email?: string;
  /** The path of the first GET that its token was good for. */
  readonly call?: string;
}

const EMAIL = /^[^\s@{}]+@[^\s@{}]+$/;
const MAX_DEPTH = 8;

/** More than these nobody reads. */
const MAX_STARTS = 6;

/** Each way in which a recorded agent registered, once, in their order. */
export function recordedStarts(exchanges: readonly RecordedExchange[]): readonly RecordedStart[] {
  const starts = new Map<string, RecordedStart>();
  for (const registered of exchanges) {
    const { from, request, step } = registered;
    if (step !== 'register' || from !== 'agent' || request.method !== 'POST') continue;
    const start = startOf(registered, exchanges);
    const key = `${start.type} ${start.email}`;
    // Of two that differ in the call alone, the one that has it.
    if (starts.get(key)?.call === undefined) starts.set(key, start);
    if (starts.size === MAX_STARTS) break;
  }
  return [...starts.values()];
}

function startOf(
  registered: RecordedExchange,
  exchanges: readonly RecordedExchange[],
): RecordedStart {
  const { group, index } = registered;
  const later = exchanges.filter(
    (each) => each.index > index && each.group === group && each.from === 'agent',
  );
  const called = later.find(({ request, response, step }) => {
    const isDone = response.status !== null && response.status < 300;
    return step === 'call' && request.method === 'GET' && isDone;
  });
  const path = called === undefined ? undefined : targetOf(called.request.url);
  const call = path !== undefined && namesIn(path).length === 0 ? { call: path } : {};
  const own = registered.request.body;
  if (findIn(own, isJwt) !== undefined) return { type: 'identity_assertion', ...call };
  const given = emailIn(own);
  if (given !== undefined) return { type: 'service_auth', email: given, ...call };
  const opened = later.find(({ step }) => step === 'open_claim');
  const email = emailIn(opened?.request.body);
  return { type: 'anonymous', ...(email !== undefined && { email }), ...call };
}

function emailIn(body: unknown): string | undefined {
  const found = findIn(body, (value) => typeof value === 'string' && EMAIL.test(value));
  return typeof found === 'string' ? found : undefined;
}

function findIn(value: unknown, fits: (each: unknown) => boolean, depth = 0): unknown {
  if (fits(value)) return value;
  if (depth > MAX_DEPTH) return undefined;
  const members = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const each of members) {
    const found = findIn(each, fits, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is typed behind `agent-auth connect URL` to begin so. @param provider the URL of one that answers */
export function connectWords(
  { call, email, type }: RecordedStart,
  provider: string,
): readonly string[] {
  const called = call === undefined ? [] : ['--call', call];
  if (type === 'identity_assertion') return ['--provider', provider, ...called];
  if (type === 'service_auth')
    return ['--type', type, ...(email === undefined ? [] : ['--email', email]), ...called];
  if (email !== undefined) return ['--claim', '--email', email, ...called];
  return ['--type', type, ...called];
}

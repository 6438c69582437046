import type { JsonWebKey } from 'node:crypto';
import type { TrustedProvider } from '../support.ts';
import { Refusal } from './http.ts';
import { isSignedBy, type Parsed } from './jwt.ts';
import { MINUTE, SECOND, type State } from './state.ts';

const FRESH = 5 * MINUTE;
/** A key that is not there is asked for again after so long. */
const APART = 30 * SECOND;
const LARGEST_SET = 256 * 1024;

/**
 * Whether the keys of a provider show that it signed this.
 * @throws Refusal 503 when they cannot be had.
 */
export async function isFrom(
  state: State,
  provider: TrustedProvider,
  jwt: Parsed,
): Promise<boolean> {
  const kept = state.keySets.get(provider.issuer);
  const age = kept === undefined ? Number.POSITIVE_INFINITY : state.now() - kept.fetchedAt;
  const isKnown = kept?.keys.some((key) => key['kid'] === jwt.header['kid']) ?? false;
  if (kept !== undefined && ((isKnown && age < FRESH) || age < APART)) {
    return isSignedBy(jwt, kept.keys, state.has);
  }
  const keys = await fetchKeys(provider.jwksUri, state.has('redirected-keys') ? 'follow' : 'error');
  state.keySets.set(provider.issuer, { keys, fetchedAt: state.now() });
  return isSignedBy(jwt, keys, state.has);
}

async function fetchKeys(
  url: string,
  redirect: 'error' | 'follow',
): Promise<readonly JsonWebKey[]> {
  try {
    const response = await fetch(url, {
      redirect,
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(5 * SECOND),
    });
    const text = response.ok ? await textOf(response) : '';
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    if (!Array.isArray(keys)) throw new TypeError('no keys');
    return keys.filter((key): key is JsonWebKey => typeof key === 'object' && key !== null);
  } catch {
    throw new Refusal(
      503,
      'temporarily_unavailable',
      'The keys of the provider cannot be fetched now.',
      {},
      { 'retry-after': '30' },
    );
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > LARGEST_SET) throw new RangeError('too large');
  }
  return text;
}

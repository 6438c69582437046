import type { CredentialStore, Credentials } from '../../agent/index.ts';
import { type Fetch, type FetchInit, Secret } from '../../runtime/index.ts';
import { isCredentialName } from './hide-credentials.ts';
import type { SecretMask } from './secret-mask.ts';

/**
 * The same store; each secret that passes through it is known to the mask from then on.
 * @param sentences gets every id of a registration that a service made of several words.
 */
export function watchStore(
  store: CredentialStore,
  mask: SecretMask,
  sentences: Set<string>,
): CredentialStore {
  const note = (credentials: Credentials) => {
    noteSecrets(credentials, mask);
    for (const { registrations } of credentials.services) {
      for (const { id } of registrations) if (/\s/.test(id)) sentences.add(id);
    }
  };
  return {
    location: store.location,
    probeWritable: () => store.probeWritable(),
    ...(store.lock && { lock: store.lock.bind(store) }),
    read: async () => {
      const credentials = await store.read();
      note(credentials);
      return credentials;
    },
    update: (change) =>
      store.update((current) => {
        note(current);
        const changed = change(current);
        note(changed[0]);
        return changed;
      }),
  };
}

/** What a user types, and what stands in the link that a user opens; a kept answer is nothing that is sent. */
const SHOWN: readonly string[] = ['userCode', 'state', 'nonce', 'body'];

/** Wherever in what is stored they stand. */
function noteSecrets(stored: object, mask: SecretMask): void {
  for (const [name, member] of Object.entries(stored)) {
    if (member instanceof Secret && !SHOWN.includes(name)) mask.add(member.reveal());
    else if (typeof member === 'object' && member !== null) noteSecrets(member, mask);
  }
}

/**
 * A shorter one is a setting, such as a language, and one without a digit is words, which stand elsewhere, too.
 */
const SECRET_COOKIE = /^(?=.*\d)(?!https?:)\S{12,}$/;

/** Cookies are never sent back, and a service may make up as many as it likes: no more are remembered. */
const MOST_COOKIES = 200;

/** The same fetch; what is sent as a credential, and cookies that come, are known to the mask from then on. */
export function watchFetch(fetch: Fetch, mask: SecretMask): Fetch {
  const cookies = new Set<string>();
  return async (url, init = {}) => {
    for (const secret of secretsOf(init)) mask.add(secret);
    const response = await fetch(url, init);
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';', 1);
      const value = pair.slice(pair.indexOf('=') + 1).trim();
      if (cookies.size >= MOST_COOKIES || !SECRET_COOKIE.test(value)) continue;
      cookies.add(value);
      mask.add(value);
    }
    return response;
  };
}

function secretsOf({ headers = {}, body }: FetchInit): readonly string[] {
  const sent = Object.entries(headers).flatMap(([name, value]) => {
    const isCredential = /^(?:proxy-)?authorization$/i.test(name);
    return isCredential ? [value.replace(/^\S+\s+/, '')] : [];
  });
  if (typeof body !== 'string') return sent;
  return [
    ...sent,
    ...membersOf(body).flatMap(([name, value]) => (isSecret(name, value) ? [value] : [])),
  ];
}

/**
 * A secret which may never be stored, such as an ID-JAG. The first versions name a user as an assertion: an email address is no secret, and has to be shown.
 */
function isSecret(name: string, value: unknown): value is string {
  return typeof value === 'string' && isCredentialName(name) && /^[^@\s]{16,}$/.test(value);
}

function membersOf(body: string): readonly (readonly [string, unknown])[] {
  if (!body.startsWith('{')) return [...new URLSearchParams(body)];
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  } catch {
    return [];
  }
}

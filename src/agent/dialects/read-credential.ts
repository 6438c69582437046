import { credentialHeaderName } from '../../discovery/index.ts';
import { displayText } from '../../protocol/index.ts';
import { readEnd } from '../http/read-end.ts';
import { readSecret } from '../http/read-members.ts';
import type { AccessToken, Service } from '../model.ts';
import { requireBearer } from './read-exchange.ts';
import { badAnswer, lenientTime, type Reading, readNames, readTime } from './reading.ts';

/** Members that hold what calls are made with, the first versions' own first. */
const CREDENTIALS = ['credential', 'api_key', 'access_token', 'credential_token'] as const;
/** Members that say when it ends. */
const ENDS = [
  'credential_expires',
  'credential_expires_at',
  'access_token_expires_in',
  'expires_in',
] as const;
/** Members that name the header to send it in; none of them is of any version, services write them. */
const HEADERS = ['credential_header', 'header_name', 'header'] as const;

/**
 * What a registration, or its completed claim, gives to make calls with at once: an API key, or a token that no
 * exchange preceded. `null`: the answer has none.
 * @param isOnce it is given once: an end that is no time is no reason to lose it.
 * @throws AgentError `bad_answer` for one that fits no header, `unknown_token_type` for a token that is none.
 */
export function readCredential(reading: Reading, isOnce = false): AccessToken | null {
  const { answer, who, json, now } = reading;
  const name = CREDENTIALS.find((each) => json[each] !== undefined && json[each] !== null);
  const given = name && json[name];
  if (name === undefined || isNoSecret(given)) return null;
  if (typeof given !== 'string') {
    throw badAnswer(reading, `with an unusable ${name}: it must be text`);
  }
  requireBearer(answer, who, json['token_type'], true);
  const value = readSecret(answer, who, name, given);
  const isTime = (each: string) => lenientTime(json[each], now) !== undefined;
  const end = ENDS.find((each) => json[each] !== undefined && (!isOnce || isTime(each)));
  const loginUrl = webPage(json['login_url']);
  const header = HEADERS.map((each) => credentialHeaderName(json[each])).find(Boolean);
  return {
    value,
    scopes: readNames(json['scopes']) ?? readNames(json['scope']),
    expiresAt:
      end === undefined
        ? // Written for more than credentials: what is no time there is no reason to lose one.
          (lenientTime(json['expires_at'], now) ?? readEnd(answer, { spans: [], value, now }))
        : readTime(reading, end, json[end]),
    direct: true,
    ...(header !== undefined && { header }),
    ...(loginUrl !== undefined && { loginUrl }),
  };
}

/** A direct credential in the header that the service's metadata names, where its own answer named none. */
export function inHeaderOf(
  { credentialHeader }: Pick<Service, 'credentialHeader'>,
  token: AccessToken | null,
): AccessToken | null {
  const header = credentialHeaderName(credentialHeader);
  const isOpen = token?.direct && token.header === undefined && header !== undefined;
  return isOpen ? { ...token, header } : token;
}

/** A page to show, never one to open; `undefined` for whatever is no web page. */
function webPage(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return /^https?:$/.test(protocol) ? displayText(href, 300) : undefined;
}

/** A word that everybody gets opens nothing: a site that answers without a service behind it. */
function isNoSecret(value: unknown): boolean {
  return typeof value === 'string' && /^(anonymous|none|null|public|)$/i.test(value);
}

import type { Faults } from '../../mock/index.ts';
import { type DecodedJwt, decodeJwt, type JsonObject } from '../../protocol/index.ts';
import type { ServiceFault } from '../faults/index.ts';

export interface ReadJwt extends DecodedJwt {
  /** As its signature was made over. */
  readonly token: string;
}

/** Header and claims; a fault may read what is no compact JWT, or not read strictly. */
export function readJwt(token: string, faults: Faults<ServiceFault>): ReadJwt | undefined {
  const decoded = decodeJwt(token);
  if (decoded !== undefined) return { ...decoded, token };
  if (faults.has('jsonSerializationAccepted')) {
    const compact = fromJson(token);
    const flat = compact === undefined ? undefined : decodeJwt(compact);
    if (compact !== undefined && flat !== undefined) return { ...flat, token: compact };
  }
  const isStrict = /^[\w.-]*$/.test(token);
  const repair = !isStrict
    ? faults.has('lenientBase64') && asItIs
    : faults.has('firstMemberWins')
      ? firstMembers
      : faults.has('unstorableTextAccepted') && withoutOddText;
  const [head = '', body = '', ...rest] = token.split('.');
  if (!repair || rest.length !== 1) return undefined;
  const header = readPart(head, repair);
  const payload = readPart(body, repair);
  return header && payload ? { header, payload, token } : undefined;
}

const asItIs = (text: string) => text;

function readPart(part: string, repair: (text: string) => string): JsonObject | undefined {
  try {
    const text = Buffer.from(part, 'base64url').toString('utf8');
    return JSON.parse(repair(text)) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Renames each member that was there before. */
function firstMembers(text: string): string {
  const seen = new Set<string>();
  return text.replace(/"([^"\\]*)"\s*:/g, (all, name: string) => {
    if (seen.has(name)) return `"${name} again":`;
    seen.add(name);
    return all;
  });
}

function withoutOddText(text: string): string {
  // Only that is mended: a member that stands twice stays refused.
  if (/"(\w+)":.*"\1":/s.test(text)) return '';
  return text.replace(/\\u(0000|d[89a-f]..)/gi, '?');
}

/** RFC 7515 §7.2. */
function fromJson(text: string): string | undefined {
  try {
    const { protected: head, payload, signature } = JSON.parse(text) as Record<string, unknown>;
    return `${String(head)}.${String(payload)}.${String(signature)}`;
  } catch {
    return undefined;
  }
}

import { isJsonMediaType, MEDIA_TYPE, mediaTypeOf } from '../protocol/index.ts';
import type { BodyState } from './exchange.ts';
import type { Redactor } from './redactor.ts';
import type { SeenBody } from './seen-body.ts';

interface ShownBody {
  readonly body: unknown;
  readonly bodyState: BodyState;
  readonly bytes: number;
}

/** @param issued whether the mock sent it. */
export function showBody(
  tapped: SeenBody,
  headers: Headers,
  redactor: Redactor,
  issued: boolean,
): ShownBody {
  const { bytes, isWhole } = tapped;
  if (isWhole && bytes === 0) return { body: null, bodyState: 'none', bytes };
  const kept = tapped.beginning();
  const text = decodeText(kept, isWhole && kept.byteLength === bytes);
  const type = mediaTypeOf({ headers });
  if (text === undefined || !isReadable(headers, type)) {
    return { body: null, bodyState: 'binary', bytes };
  }
  if (/\b(?:xhtml|html)\b/.test(type)) {
    const title = /<title>([^<]*)<\/title>/i.exec(text)?.[1] ?? '';
    return { body: { title: redactor.text(title.trim()) }, bodyState: 'page', bytes };
  }
  if (kept.byteLength < bytes || !isWhole) {
    const bodyState = kept.byteLength < bytes ? 'cut' : 'incomplete';
    return { body: redactor.raw(withoutLastWord(text), issued), bodyState, bytes };
  }
  return { body: decode(text, type, redactor, issued), bodyState: 'whole', bytes };
}

function decode(text: string, type: string, redactor: Redactor, issued: boolean): unknown {
  if (type === MEDIA_TYPE.form) return redactor.form(new URLSearchParams(text));
  if (isJsonMediaType(type) || /^\s*[[{]/.test(text)) {
    try {
      return redactor.body(JSON.parse(text), issued);
    } catch {
      return redactor.raw(text, issued);
    }
  }
  // A security event is its own body (RFC 8935 §2).
  return type.endsWith('jwt') ? redactor.secret(text, issued) : redactor.raw(text, issued);
}

/** A body that came packed is none to read, nor is one of several parts, which may be packed each. */
function isReadable(headers: Headers, type: string): boolean {
  const encoding = headers.get('content-encoding') ?? 'identity';
  return encoding.toLowerCase() === 'identity' && !type.startsWith('multipart/');
}

/** UTF-8; its end may lie within a character where more was to come. */
function decodeText(bytes: Uint8Array, isWhole: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A secret that is cut would be known by nobody. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/[\s"'<>&;,]/.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}…`;
}

import type { ShownToken } from './exchange.ts';
import { JWT, type Redactor } from './redact.ts';

/** An exchange with more of them, or a token with more text, shows the first ones, or none. */
const MOST = 4;
const LONGEST = 4096;

/**
 * The JWTs of the texts of an exchange, as their header and claims (RFC 7515 §7.1): what a reader has to see
 * of a token or an event. Their signature is nowhere, so that none of them can be used.
 */
export function shownTokens(texts: readonly string[], redactor: Redactor): readonly ShownToken[] {
  const found = new Set(texts.flatMap((text) => text.match(JWT) ?? []));
  return [...found].slice(0, MOST).flatMap((token) => {
    const [header = '', claims = ''] = token.split('.');
    const shown = {
      mark: redactor.mark(token),
      header: readPart(header, redactor),
      claims: readPart(claims, redactor),
    };
    return shown.header === undefined && shown.claims === undefined ? [] : [shown];
  });
}

function readPart(part: string, redactor: Redactor): Readonly<Record<string, unknown>> | undefined {
  const text = Buffer.from(part, 'base64url').toString('utf8');
  if (text.length > LONGEST) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isRecord ? JSON.parse(redactor.text(JSON.stringify(value))) : undefined;
  } catch {
    return undefined;
  }
}

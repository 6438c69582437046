import { isSecretName } from '../../exchanges/index.ts';
import { displayText, isJsonObject } from '../../protocol/index.ts';
import { namesIn } from './names.ts';
import { TranscriptError } from './transcript-error.ts';

/** Lists of what a server takes; they hold no secret (RFC 8414 §2). */
const PUBLIC = /_supported$/;
/** What stands in a header beside a secret, or in its place. */
const SCHEME = /^(?:bearer|basic|digest|dpop|token|negotiate)$/i;
/** What stands for what was too deep to look at. */
const LEFT_OUT = '…';

/**
 * A replay makes each secret anew, so that a file with one in it can only be a mistake, and nobody's to pass on.
 * @throws TranscriptError where a secret stands as it is, and no name in its place. It does not quote it.
 */
export function checkSecrets(value: unknown, path: string): void {
  const open: (readonly [unknown, string])[] = [[value, path]];
  for (;;) {
    const next = open.pop();
    if (next === undefined) return;
    const [each, at] = next;
    if (Array.isArray(each))
      each.forEach((item, index) => void open.push([item, `${at}[${index}]`]));
    if (!isJsonObject(each)) continue;
    for (const [name, member] of Object.entries(each)) {
      const where = `${at}.${displayText(name, 60)}`;
      if (isSecretName(name) && !PUBLIC.test(name)) refusePlain(member, where);
      if (typeof member === 'object' && member !== null) open.push([member, where]);
    }
  }
}

function refusePlain(value: unknown, path: string): void {
  const texts = Array.isArray(value) ? value : [value];
  for (const text of texts) {
    if (typeof text !== 'string' || text === '' || text === LEFT_OUT || SCHEME.test(text)) continue;
    // Cookies that are deleted are empty.
    if (/^[^=;]+=(?:;|$)/.test(text) || namesIn(text).length > 0) continue;
    throw new TranscriptError(
      path,
      'holds a secret as it is; a transcript has a name there, such as {access_token_1}',
    );
  }
}

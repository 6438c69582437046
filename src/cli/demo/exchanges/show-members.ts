import { isSecretName } from '../../../exchanges/secret-names.ts';
import { isJsonObject } from '../../../protocol/json.ts';
import { maskPath, maskTokens } from '../../../protocol/mask-tokens.ts';
import { displayText } from '../../../protocol/text.ts';
import { Secret } from '../../../runtime/secret.ts';

/** What was sent and answered, secrets reduced to fingerprints. */
export type Shown = Readonly<Record<string, string>>;

/** Deeper members are left out: the meaning sums up metadata in a sentence. */
const MAX_DEPTH = 2;

/** The members of a body, those of inner objects included, safe to print. */
export function showMembers(members: Readonly<Record<string, unknown>>, depth = 1): Shown {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(members)) {
    if (isJsonObject(value)) {
      // What lies in a member that is secret by name is secret whatever it is called.
      if (depth < MAX_DEPTH && !isSecretName(name))
        Object.assign(shown, showMembers(value, depth + 1));
    } else {
      shown[name] = isSecretName(name) ? fingerprint(String(value)) : showValue(value);
    }
  }
  return shown;
}

export function fingerprint(secret: string): string {
  return `#${new Secret(secret).fingerprint}`;
}

function showValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(showValue).join(' ');
  return displayText(showText(String(value)), 120);
}

/** A text that is no secret itself: a link in it carries its token in the query or in the path. */
export function showText(text: string): string {
  return displayText(maskTokens(text.replace(/([?&][^=\s]+=)[^&\s]+/g, '$1…'), '…'));
}

/** The path of a URL, without a token in it. */
export function showPath({ pathname }: URL): string {
  return displayText(maskPath(pathname, '…'));
}

import { type Random, randomDigits, randomToken } from '../../runtime/index.ts';
import { kindOf } from '../recording/index.ts';

/** What values of a kind begin with, as those of the mocks do. */
const PREFIXES: Readonly<Record<string, string>> = {
  access_token: 'at_',
  claim_token: 'clm_',
  claim_attempt_token: 'cat_',
  claim_attempt_id: 'cla_',
  device_code: 'dc_',
  registration_id: 'reg_',
  user_id: 'usr_',
  api_key: 'sk_',
};

const TYPED = /^(?:user_code|otp|passcode)$/;
const CODE_DIGITS = 6;

/** A value for a name, of the form that its kind has; another one each time. */
export function newValue(name: string, random: Random): string {
  const kind = kindOf(name);
  if (TYPED.test(kind)) return randomDigits(random, CODE_DIGITS);
  if (kind === 'uuid') return uuid(random);
  // Nobody listens there.
  if (kind === 'origin') return `http://127.0.0.1:${(numberOf(name) % 1_000) + 1}`;
  if (kind === 'etag') return `"${token(random, '')}"`;
  const [, prefix] = /^([a-z]{2,8})_id$/.exec(kind) ?? [];
  return token(random, PREFIXES[kind] ?? (prefix === undefined ? '' : `${prefix}_`));
}

/** With a digit and a letter of each case: nobody takes it for a word. */
function token(random: Random, prefix: string): string {
  for (;;) {
    const drawn = randomToken(random, '');
    // No dash at either end: it is found again as a whole in any text.
    if (/[A-Z]/.test(drawn) && /[a-z]/.test(drawn) && /\d/.test(drawn) && !/^-|-$/.test(drawn)) {
      return prefix + drawn;
    }
  }
}

function numberOf(name: string): number {
  return Number(/_(\d+)\}$/.exec(name)?.[1] ?? 0);
}

/** RFC 9562 §5.4. */
function uuid(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

import { displayUserCode, normalizeUserCode, USER_CODE_LETTERS } from '../../protocol/user-code.ts';

/** What user codes are made of, and how many characters they have. */
export interface CodeFormat {
  readonly kind: 'digits' | 'letters';
  readonly length: number;
}

export const DEFAULT_CODE_FORMAT: CodeFormat = { kind: 'digits', length: 6 };

/**
 * No code is easier to guess than six digits: with the 20 wrong codes that a registration allows, one
 * chance in 50,000 (RFC 8628 §5.1). None is too long to type.
 */
const LENGTHS: Readonly<
  Record<CodeFormat['kind'], { readonly min: number; readonly max: number }>
> = { digits: { min: 6, max: 12 }, letters: { min: 5, max: 12 } };

/** What may be given, for whoever gave something else. */
export const CODE_FORMATS =
  'digits:6 to digits:12, or letters:5 to letters:12 (shorter codes are easier to guess than six digits)';

/** Reads `digits:6` or `letters:8`; undefined for what is none of {@link CODE_FORMATS}. */
export function readCodeFormat(text: string): CodeFormat | undefined {
  const [, kind, digits] = /^(digits|letters):([1-9]\d?)$/.exec(text) ?? [];
  const length = Number(digits);
  if (kind !== 'digits' && kind !== 'letters') return undefined;
  const { max, min } = LENGTHS[kind];
  return length >= min && length <= max ? { kind, length } : undefined;
}

const NUMBERS = ['five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** `six digits`. */
export function describeCodeFormat({ kind, length }: CodeFormat): string {
  return `${NUMBERS[length - 5] ?? length} ${kind}`;
}

const ALPHABETS: Readonly<Record<CodeFormat['kind'], string>> = {
  digits: '0123456789',
  letters: USER_CODE_LETTERS,
};

/** Codes for placeholders and examples. */
const SAMPLES: Readonly<Record<CodeFormat['kind'], string>> = {
  digits: '123456789012',
  letters: 'WDJBMJHTBCDF',
};

/** The alphabet of a format; every character is equally likely. */
export function codeAlphabet({ kind }: CodeFormat): string {
  return ALPHABETS[kind];
}

/** Whether a text could be a code, with its spaces and dashes. */
export function isUserCode(format: CodeFormat, typed: string): boolean {
  const code = normalizeUserCode(typed);
  return code.length === format.length && new RegExp(`^[${codeAlphabet(format)}]+$`).test(code);
}

/** A code as it is sent: digits without separators, letters as `WDJB-MJHT` (RFC 8628 §6.1). */
export function spellUserCode({ kind }: CodeFormat, code: string): string {
  return kind === 'digits' ? code : displayUserCode(code, '-');
}

/** `123 456`, `WDJB-MJHT`: a code as its user sees it. */
export function sampleUserCode(format: CodeFormat): string {
  return displayUserCode(spellUserCode(format, SAMPLES[format.kind].slice(0, format.length)));
}

import { displayUserCode, normalizeUserCode, USER_CODE_LETTERS } from '../../protocol/user-code.ts';
import type { CodeFormat } from './code-format.ts';

const ALPHABETS: Readonly<Record<CodeFormat['kind'], string>> = {
  digits: '0123456789',
  letters: USER_CODE_LETTERS,
};

/** For placeholders and examples. */
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

/** As it is sent: digits without separators, letters as `WDJB-MJHT` (RFC 8628 §6.1). */
export function spellUserCode({ kind }: CodeFormat, code: string): string {
  return kind === 'digits' ? code : displayUserCode(code, '-');
}

/** `123 456`, `WDJB-MJHT`: a code as its user sees it. */
export function sampleUserCode(format: CodeFormat): string {
  return displayUserCode(spellUserCode(format, SAMPLES[format.kind].slice(0, format.length)));
}

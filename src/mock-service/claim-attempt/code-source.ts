import { hmacSha256 } from '../../runtime/hash.ts';
import type { Random } from '../../runtime/ports.ts';
import { randomCharacters } from '../../runtime/random-token.ts';
import type { CodeFormat } from '../config/code-format.ts';
import { codeAlphabet, spellUserCode } from '../config/user-code.ts';

/** What codes are made from. */
interface CodeParts {
  readonly random: Random;
  /** Known to every process that serves the same store. */
  readonly key: string;
  readonly format: CodeFormat;
}

/** How the code of an attempt is made, by the attempt's id. */
export type CodeSource = (parts: CodeParts) => (attemptId: string) => string;

/** For an agent that is told the code once, and keeps it. */
export const randomCodes: CodeSource =
  ({ format, random }) =>
  () =>
    codeOf(format, random);

/** For a page that shows the code whenever it is loaded: made again each time, stored nowhere. */
export const derivedCodes: CodeSource =
  ({ format, key }) =>
  (attemptId) =>
    codeOf(format, keyedBytes(key, attemptId));

function codeOf(format: CodeFormat, random: Random): string {
  return spellUserCode(format, randomCharacters(random, codeAlphabet(format), format.length));
}

/** HMAC in counter mode (NIST SP 800-108r1 §4.1): as many bytes as are asked for, the same each time. */
function keyedBytes(key: string, attemptId: string): Random {
  let block = 0;
  const next = () => {
    block += 1;
    return Buffer.from(hmacSha256(key, `code ${block} of ${attemptId}`), 'base64url');
  };
  return {
    bytes: (length) => {
      const blocks: Buffer[] = [];
      for (let had = 0; had < length; had += blocks.at(-1)?.length ?? 0) blocks.push(next());
      return Uint8Array.from(Buffer.concat(blocks).subarray(0, length));
    },
  };
}

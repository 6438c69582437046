import * as z from 'zod';
import type { Transcript } from '../transcript.ts';

/** A longer file is refused, in letters. */
export const MAX_TRANSCRIPT = 16 * 1024 * 1024;
/** What is gone through member by member must not be deeper than the stack. */
const MAX_DEPTH = 80;

const HEADERS = z.record(
  z.string().regex(/^[!#$%&'*+.^`|~\w-]{1,256}$/, 'is no name of a header'),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'is no value of a header'),
);
const MESSAGE = z.object({
  headers: HEADERS,
  body: z.unknown().refine(isShallow, `is deeper than ${MAX_DEPTH} levels`),
  body_state: z.enum(['cut', 'incomplete', 'binary']).optional(),
});
const TIME = z.object({
  after: z.number().min(-1e10).max(1e10),
  as: z.enum(['text', 'seconds', 'milliseconds']),
});
const TRANSCRIPT = z.object({
  transcript: z.literal(1, 'must be 1, the version that this program reads'),
  exchanges: z
    .array(
      z.object({
        to: z.enum(['service', 'provider']),
        request: MESSAGE.extend({
          method: z.string().regex(/^[A-Z][A-Z-]{0,31}$/, 'is no HTTP method'),
          // Nothing is ever sent to anybody that the file names.
          url: z
            .string()
            .regex(/^\{(?:service|provider)\}(?:[/?#]|$)/, 'is no URL of {service} or {provider}'),
        }),
        response: MESSAGE.extend({
          status: z.int().min(200).max(599).nullable(),
          times: z.record(z.string(), TIME).optional(),
        }),
      }),
    )
    .max(20_000),
});

/** A file that is no transcript which can be replayed. The message says where, and quotes nothing of it. */
export class TranscriptError extends Error {
  override readonly name = 'TranscriptError';
  /** Where it is wrong, as a JSON path: `$.exchanges[3].request.url`. */
  readonly path: string;

  constructor(path: string, problem: string) {
    super(path === '$' ? `It ${problem}` : `${path}: ${problem}`);
    this.path = path;
  }
}

/**
 * Reads a transcript, as `mock exchanges --transcript` and `proxy --transcript` write them.
 * @throws TranscriptError for anything else, with the place.
 */
export function readTranscript(text: string): Transcript {
  if (text.length > MAX_TRANSCRIPT) throw new TranscriptError('$', 'is longer than 16 MB');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new TranscriptError('$', 'is no JSON');
  }
  const [issue] = TRANSCRIPT.safeParse(document).error?.issues ?? [];
  if (issue === undefined) return document as Transcript;
  if (issue.path.length === 0) throw new TranscriptError('$', 'is no transcript');
  const steps = issue.path.map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${String(step)}`,
  );
  throw new TranscriptError(`$${steps.join('')}`.slice(0, 300), issue.message);
}

function isShallow(body: unknown): boolean {
  let level = [body];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
  return level.length === 0;
}

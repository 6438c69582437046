import { type BodyReader, type FormResult, singleValues } from '../../mock/index.ts';
import { type JsonObject, type JsonResult, MEDIA_TYPE } from '../../protocol/index.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

/** A reader with some of its steps done another way. */
function reading(change: (right: BodyReader) => Partial<BodyReader>): Rewired {
  return ({ reader }) => ({ reader: { ...reader, ...change(reader) } });
}

/** What became of a body that is JSON is judged another way. */
function judging(change: (result: JsonResult, text: string) => JsonResult): Rewired {
  return reading(({ json }) => ({ json: (text) => change(json(text), text) }));
}

/** A body with this problem is read all the same. */
const overlooking = (problem: 'duplicate_member' | 'unstorable_text') =>
  judging((result, text) =>
    !result.ok && result.problem === problem
      ? { ok: true, value: JSON.parse(text) as JsonObject }
      : result,
  );

function breakingOn(problem: 'not_json' | 'too_deep', error: () => Error): Rewired {
  return judging((result) => {
    if (!result.ok && result.problem === problem) throw error();
    return result;
  });
}

/** A form of plain pairs, the last of two winning. */
function formOf(pairs: Iterable<readonly [string, string]>): FormResult {
  const values = new Map(pairs);
  return { ok: true, form: singleValues((name) => values.get(name) || undefined) };
}

function pairsOf(json: string): readonly (readonly [string, string])[] {
  return Object.entries(JSON.parse(json) as JsonObject).map(([name, value]) => [
    name,
    String(value),
  ]);
}

function asJson(form: string): string {
  return JSON.stringify(Object.fromEntries(new URLSearchParams(form)));
}

/** Copied member by member, by which `__proto__` becomes the prototype. */
function assigned(value: JsonObject): JsonObject {
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) copy[name] = member;
  return copy;
}

async function unpacked(request: Request): Promise<string> {
  const packed = request.body ?? new ReadableStream<Uint8Array>();
  const { body } = new Response(packed.pipeThrough(new DecompressionStream('gzip') as never));
  return new Response(body).text();
}

/** Faults of reading the body of a request, whatever its endpoint does. */
export const READING_FAULTS = {
  uncheckedMediaType: {
    description: 'reads a body of any media type (RFC 9110 §15.5.16)',
    parts: reading(() => ({ accepts: () => true })),
    breaks: ['BRR-17', 'TOK-01'],
    fails: { 'media-types': ['json-labels', 'form-alone'] },
  },
  acceptedForm: {
    description: 'reads a form where JSON is required, under either label (RFC 9110 §8.3)',
    parts: reading(({ accepts, json }) => ({
      accepts: (request, type) =>
        accepts(request, type) || (type === MEDIA_TYPE.json && accepts(request, MEDIA_TYPE.form)),
      json: (text) => (text.startsWith('{') ? json(text) : json(asJson(text))),
    })),
    breaks: ['BRR-17'],
    fails: { 'media-types': ['json-labels'] },
  },
  acceptedMislabelledJson: {
    description: 'reads JSON that is labelled as a form (RFC 9110 §8.3)',
    parts: reading(({ form }) => ({
      form: (text) => (text.startsWith('{') ? formOf(pairsOf(text)) : form(text)),
    })),
    breaks: ['BRR-17', 'TOK-01'],
    fails: { 'media-types': ['form-alone'] },
  },
  acceptedJsonForm: {
    description: 'accepts JSON where a form is required (RFC 6749 §3.2)',
    parts: reading(({ accepts, form }) => ({
      accepts: (request, type) =>
        accepts(request, type) || (type === MEDIA_TYPE.form && accepts(request, MEDIA_TYPE.json)),
      form: (text) => (text.startsWith('{') ? formOf(pairsOf(text)) : form(text)),
    })),
    breaks: ['BRR-17', 'TOK-01'],
    fails: { 'media-types': ['form-alone'] },
  },
  refusedMediaTypeParameter: {
    description: 'refuses a media type with a parameter (RFC 9110 §8.3.1)',
    parts: reading(() => ({
      accepts: ({ headers }, type) => headers.get('content-type') === type,
    })),
    breaks: ['BRR-15'],
    fails: { 'media-types': ['spellings'] },
  },
  crashingMalformedBody: {
    description: 'breaks on a body that is not JSON',
    parts: breakingOn('not_json', () => new SyntaxError('Not JSON.')),
    breaks: ['JSON-01'],
    fails: { 'malformed-json': ['refused'] },
  },
  crashingDeepJson: {
    description: 'breaks on deeply nested JSON (attack A-37)',
    parts: breakingOn('too_deep', () => new RangeError('Out of stack.')),
    breaks: ['A-37.service'],
    fails: { 'hostile-json': ['survives'] },
  },
  acceptedRepeatedMember: {
    description: 'reads the last of two JSON members of one name (attack A-37)',
    parts: overlooking('duplicate_member'),
    breaks: ['JSON-01'],
    fails: { 'hostile-json': ['duplicates'] },
  },
  trustedPrototype: {
    description: 'reads members from a prototype that the body brings along (attack A-37)',
    parts: judging((result) => (result.ok ? { ok: true, value: assigned(result.value) } : result)),
    breaks: ['A-37-PROTOTYPE.service'],
    fails: { 'hostile-json': ['prototypes'] },
  },
  acceptedUnstorableText: {
    description: 'accepts text with U+0000 or an unpaired surrogate',
    parts: overlooking('unstorable_text'),
    breaks: ['W3-03'],
    fails: { 'hostile-json': ['unstorable-text'] },
  },
  uncheckedBodySize: {
    description: 'reads a body of any size (attack A-36)',
    parts: reading(() => ({ maxBytes: Number.POSITIVE_INFINITY })),
    breaks: ['A-36.service', 'JWT-13'],
    fails: { oversized: ['bodies', 'chunks'] },
  },
  uncheckedInflatedSize: {
    description: 'decompresses a body to any size (attack A-36)',
    parts: reading(({ text }) => ({
      text: (request, maxBytes) =>
        request.headers.has('content-encoding') ? unpacked(request) : text(request, maxBytes),
    })),
    breaks: ['A-36.service'],
    fails: { oversized: ['packed'] },
  },
  acceptedEmptyParameter: {
    description: 'treats a parameter without a value as one that was sent (RFC 6749 §3.2)',
    parts: reading(({ form }) => ({
      form: (text) => {
        const result = form(text);
        const sent = new URLSearchParams(text);
        return result.ok
          ? { ok: true, form: singleValues((name) => sent.get(name) ?? undefined) }
          : result;
      },
    })),
    breaks: ['TOK-02'],
    fails: { exchange: ['empty-values'] },
  },
  acceptedRepeatedParameter: {
    description: 'reads the last of two parameters of one name (RFC 6749 §3.2)',
    parts: reading(({ form }) => ({
      form: (text) => {
        const result = form(text);
        const isRepeated = !result.ok && result.problem === 'repeated_parameter';
        return isRepeated ? formOf(new URLSearchParams(text)) : result;
      },
    })),
    breaks: ['TOK-02', 'TOK-08', 'W6-02'],
    fails: { 'exchange-refusals': ['refused'], revocation: ['repeated'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;

import {
  breakingOn,
  judging,
  reading,
} from '../../../../src/mock-service/faults/transport-faults.ts';
import { MEDIA_TYPE } from '../../../../src/protocol/constants.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { formOf, pairsOf, singleValues } from '../plain-form.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';

/** A body with this problem is read all the same. */
const overlooking = (problem: 'duplicate_member' | 'unstorable_text') =>
  judging((result, text) =>
    !result.ok && result.problem === problem
      ? { ok: true, value: JSON.parse(text) as JsonObject }
      : result,
  );

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
  ignoredPlus: {
    description: 'leaves a plus in a form as it is, where it is a space (RFC 6749 App. B)',
    parts: reading(({ form }) => ({ form: (text) => form(text.replaceAll('+', '%2B')) })),
    fails: { 'token-scope': ['spaces'] },
  },
  repeatedDecoding: {
    description: 'decodes a form twice, so that an encoded plus is a space (RFC 6749 App. B)',
    parts: reading(({ form }) => ({ form: (text) => form(text.replaceAll('%2B', '+')) })),
    fails: { 'token-scope': ['spaces'] },
  },
  uncheckedMediaType: {
    description: 'reads a body of any media type (RFC 9110 §15.5.16)',
    parts: reading(() => ({ accepts: () => true })),
    fails: { 'media-types': ['json-labels', 'form-alone'] },
  },
  acceptedForm: {
    description: 'reads a form where JSON is required, under either label (RFC 9110 §8.3)',
    parts: reading(({ accepts, json }) => ({
      accepts: (request, type) =>
        accepts(request, type) || (type === MEDIA_TYPE.json && accepts(request, MEDIA_TYPE.form)),
      json: (text) => (text.startsWith('{') ? json(text) : json(asJson(text))),
    })),
    fails: { 'media-types': ['json-labels'] },
  },
  acceptedMislabelledJson: {
    description: 'reads JSON that is labelled as a form (RFC 9110 §8.3)',
    parts: reading(({ form }) => ({
      form: (text) => (text.startsWith('{') ? formOf(pairsOf(text)) : form(text)),
    })),
    fails: { 'media-types': ['form-alone'] },
  },
  acceptedJsonForm: {
    description: 'accepts JSON where a form is required (RFC 6749 §3.2)',
    parts: reading(({ accepts, form }) => ({
      accepts: (request, type) =>
        accepts(request, type) || (type === MEDIA_TYPE.form && accepts(request, MEDIA_TYPE.json)),
      form: (text) => (text.startsWith('{') ? formOf(pairsOf(text)) : form(text)),
    })),
    fails: { 'media-types': ['form-alone'] },
  },
  refusedMediaTypeParameter: {
    description: 'refuses a media type with a parameter (RFC 9110 §8.3.1)',
    parts: reading(() => ({
      accepts: ({ headers }, type) => headers.get('content-type') === type,
    })),
    fails: { 'media-types': ['spellings'] },
  },
  crashingDeepJson: {
    description: 'breaks on deeply nested JSON (attack A-37)',
    parts: breakingOn('too_deep', () => new RangeError('Out of stack.')),
    fails: { 'hostile-json': ['survives'] },
  },
  acceptedRepeatedMember: {
    description: 'reads the last of two JSON members of one name (attack A-37)',
    parts: overlooking('duplicate_member'),
    fails: { 'hostile-json': ['duplicates'] },
  },
  trustedPrototype: {
    description: 'reads members from a prototype that the body brings along (attack A-37)',
    parts: judging((result) => (result.ok ? { ok: true, value: assigned(result.value) } : result)),
    fails: { 'hostile-json': ['prototypes'] },
  },
  acceptedUnstorableText: {
    description: 'accepts text with U+0000 or an unpaired surrogate',
    parts: overlooking('unstorable_text'),
    fails: { 'hostile-json': ['unstorable-text'] },
  },
  uncheckedInflatedSize: {
    description: 'decompresses a body to any size (attack A-36)',
    parts: reading(({ text }) => ({
      text: (request, maxBytes) =>
        request.headers.has('content-encoding') ? unpacked(request) : text(request, maxBytes),
    })),
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
    fails: { 'exchange-refusals': ['refused'], revocation: ['repeated'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

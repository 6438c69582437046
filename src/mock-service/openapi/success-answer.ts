import { sample } from 'openapi-sampler';
import { isJsonObject, type JsonObject } from '../../protocol/index.ts';
import type { ResourceOptions } from '../config/resource.ts';
import { finiteSchema } from './finite-schema.ts';
import { NoSample, type Resolve, refOf } from './references.ts';

/** What of a resource its answer is. */
interface Answer extends Pick<ResourceOptions, 'status' | 'body' | 'contentType'> {
  /** What is otherwise than described: the end of a sentence. */
  readonly remark?: string;
}

/** Characters. */
const LARGEST = 1024 * 1024;

/**
 * The first success of an operation: its status, and its example; where there is none, a sample of its
 * schema. An operation without a success answers as a resource without a body does.
 * @throws NotTaken for a part that cannot be read.
 */
export function successAnswer(operation: JsonObject, resolve: Resolve): Answer {
  const responses = resolve(operation['responses']);
  if (!isJsonObject(responses)) return {};
  // Keys that are numbers come first, in ascending order.
  const keys = Object.keys(responses);
  const key =
    keys.find((each) => /^2\d\d$/.test(each)) ??
    keys.find((each) => /^2xx$/i.test(each)) ??
    (keys.length === 1 && keys[0] === 'default' ? 'default' : undefined);
  if (key === undefined) {
    return keys.length === 0 ? {} : { remark: 'is 200 (it describes no success)' };
  }
  const status = /^\d+$/.test(key) ? Number(key) : 200;
  const response = resolve(responses[key]);
  const content = isJsonObject(response) ? resolve(response['content']) : undefined;
  if (!isJsonObject(content) || Object.keys(content).length === 0) return { status, body: '' };
  const types = Object.keys(content);
  const type = types.find((each) => isJson(each)) ?? types[0] ?? '';
  const media = resolve(content[type]);
  try {
    const value = isJsonObject(media) ? exampleOf(media, type, resolve) : undefined;
    return { status, ...bodyOf(value, type) };
  } catch (error) {
    if (error instanceof NoSample) {
      return { status, remark: `answers without an example (${error.message})` };
    }
    throw error;
  }
}

/** The example of a media type, or a sample of its schema; undefined when it has neither. */
function exampleOf(media: JsonObject, type: string, resolve: Resolve): unknown {
  if (media['example'] !== undefined) return media['example'];
  const examples = resolve(media['examples']);
  for (const each of isJsonObject(examples) ? Object.values(examples) : []) {
    const example = resolve(each);
    if (!isJsonObject(example)) continue;
    // OpenAPI 3.2 §4.19: the data itself, or its text.
    const { dataValue, serializedValue, value } = example;
    if (dataValue !== undefined) return dataValue;
    if (typeof serializedValue === 'string') return new Serialized(serializedValue);
    if (value !== undefined) return value;
  }
  const { schema } = media;
  if (schema !== undefined) return sampleOf(schema, type, resolve);
  if (isJsonObject(examples) && Object.keys(examples).length > 0) {
    throw new NoSample('its examples are elsewhere');
  }
  return undefined;
}

/** A text that is an answer's body as it is. */
class Serialized {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function sampleOf(schema: unknown, type: string, resolve: Resolve): unknown {
  const finite = finiteSchema(schema, resolve);
  const options = { quiet: true, skipWriteOnly: true } as const;
  try {
    if (!/[/+]xml\b/.test(type)) return sample(finite, options);
    const name = refOf(schema)?.split('/').at(-1) ?? 'root';
    const root = { type: 'object', properties: { [name]: finite } } as const;
    return new Serialized(String(sample(root, { ...options, format: 'xml' })));
  } catch {
    throw new NoSample('malformed schema');
  }
}

function bodyOf(value: unknown, type: string): Answer {
  if (value === undefined) {
    // No text of no characters is JSON.
    if (isJson(type)) throw new NoSample('it has neither an example nor a schema');
    return { body: '', contentType: concrete(type, '') };
  }
  if (value instanceof Serialized)
    return { body: value.text, contentType: concrete(type, value.text) };
  if (typeof value === 'string' && (!isJson(type) || isJsonText(value))) {
    return { body: value, contentType: concrete(type, value) };
  }
  if (isLarge(value)) throw new NoSample('larger than 1 MiB');
  return { body: JSON.stringify(value), contentType: concrete(type, value) };
}

/** Ranges name no type to answer with. */
function concrete(type: string, value: unknown): string {
  if (!type.includes('*')) return type;
  if (type.startsWith('text/') || (type === '*/*' && typeof value === 'string')) {
    return 'text/plain; charset=utf-8';
  }
  return /^(?:\*|application)\//.test(type) ? 'application/json' : 'application/octet-stream';
}

function isJson(type: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(type);
}

/** Whether an example of a JSON answer was written as the text of an object or a list. */
function isJsonText(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Ends early, whatever circles and repetitions a value has. */
function isLarge(value: unknown): boolean {
  let left = LARGEST;
  const walk = (each: unknown): boolean => {
    left -= typeof each === 'string' ? each.length + 2 : 4;
    if (left < 0) return true;
    if (typeof each !== 'object' || each === null) return false;
    return Object.entries(each).some(([name, member]) => {
      left -= Array.isArray(each) ? 1 : name.length + 4;
      return walk(member);
    });
  };
  try {
    return walk(value);
  } catch {
    // It holds itself, deeper than the stack goes.
    return true;
  }
}

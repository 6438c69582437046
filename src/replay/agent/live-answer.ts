import { isJsonMediaType, mediaTypeOf } from '../../protocol/index.ts';
import { readBody } from '../../runtime/index.ts';
import { withoutOrigins } from '../match/index.ts';

/** An answer as it is compared with the recorded one. */
export interface LiveAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** JSON where it is some, with the URLs of service and provider as names; otherwise the text. */
  readonly body: unknown;
  /** What it came as. */
  readonly text: string;
}

const MAX_BODY = 4 * 1024 * 1024;

export async function liveAnswer(
  response: Response,
  origins: ReadonlyMap<string, string>,
): Promise<LiveAnswer> {
  const read = await readBody(response, MAX_BODY);
  const text = read.ok ? read.text : '';
  const { headers, status } = response;
  return { status, headers, text, body: decode(withoutOrigins(text, origins), response) };
}

function decode(text: string, response: Response): unknown {
  if (text === '') return null;
  if (!isJsonMediaType(mediaTypeOf(response)) && !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The values of the fields of a page, by their names; read as far as forms without a script go. */
export function fieldsOf(html: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [tag] of html.matchAll(/<input\b[^>]{0,4000}>/gi)) {
    const name = attribute(tag, 'name');
    const value = attribute(tag, 'value');
    if (name !== undefined && value !== undefined && value !== '') fields.set(name, value);
  }
  return fields;
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  const text = value?.[1] ?? value?.[2];
  return text?.replaceAll(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
};

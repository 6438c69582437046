import type { Context } from '../../../../src/mock/http/request.ts';
import type { ServiceContext } from '../../../../src/mock-service/index.ts';
import { type JsonObject, parseJsonObject } from '../../../../src/protocol/json.ts';

/** What a request carries as JSON or as a form, for who looks at it before its endpoint does. */
export async function sentMembers({ req }: Context): Promise<JsonObject> {
  const text = await req.raw.clone().text();
  const read = parseJsonObject(text);
  return read.ok ? read.value : Object.fromEntries(new URLSearchParams(text));
}

/** JSON is read as though it had these members. */
export function readingMembers(
  { reader }: ServiceContext,
  change: (members: JsonObject) => JsonObject,
): Pick<ServiceContext, 'reader'> {
  const json = (text: string) => {
    const read = reader.json(text);
    return read.ok ? { ok: true as const, value: change(read.value) } : read;
  };
  return { reader: { ...reader, json } };
}

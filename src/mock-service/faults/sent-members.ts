import type { Context } from '../../mock/index.ts';
import { type JsonObject, parseJsonObject } from '../../protocol/index.ts';
import type { ServiceContext } from '../context/service-context.ts';

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

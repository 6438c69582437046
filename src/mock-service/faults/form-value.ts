import { type BodyReader, type Context, singleValues } from '../../mock/index.ts';

/** A value of the posted form, for who looks at it before the endpoint does. */
export async function formValue(c: Context, name: string): Promise<string | undefined> {
  return new URLSearchParams(await c.req.raw.clone().text()).get(name) ?? undefined;
}

/** A reader that sees another value in one field of a form. */
export function withFormValue(
  reader: BodyReader,
  field: string,
  change: (value: string | undefined) => string | undefined,
): BodyReader {
  return {
    ...reader,
    form: (text) => {
      const result = reader.form(text);
      if (!result.ok) return result;
      const { get, getAll } = result.form;
      const changed = singleValues((name) => change(get(name)));
      const of = (name: string) => (name === field ? changed : { get, getAll });
      const form = {
        get: (name: string) => of(name).get(name),
        getAll: (name: string) => of(name).getAll(name),
      };
      return { ok: true, form };
    },
  };
}

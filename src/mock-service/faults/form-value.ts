import type { BodyReader, Context } from '../../mock/index.ts';

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
      const { get } = result.form;
      const form = {
        get: (name: string) => (name === field ? change(get(name)) : get(name)),
      };
      return { ok: true, form };
    },
  };
}

import type { Context } from '../../../../src/mock/http/request.ts';

/** A value of the posted form, for who looks at it before the endpoint does. */
export async function formValue(c: Context, name: string): Promise<string | undefined> {
  return new URLSearchParams(await c.req.raw.clone().text()).get(name) ?? undefined;
}

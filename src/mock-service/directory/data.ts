/** What an answer is made of, with the names of the wire. */
export type Data = null | number | string | readonly Data[] | { readonly [member: string]: Data };

/** Whether an answer has nothing in it: then it is not counted (directory specification, What the service does). */
export function isEmpty(data: Data): boolean {
  return Array.isArray(data) && data.length === 0;
}

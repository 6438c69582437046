/** So many letters tell one registration from another. */
const ENOUGH = 10;

/** The beginning of an id, as `reg_aHkE8n…`; a short one as it is. */
export function shortId(id: string): string {
  return id.length > ENOUGH + 2 ? `${id.slice(0, ENOUGH)}…` : id;
}

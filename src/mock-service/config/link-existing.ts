/** What a service does with an ID-JAG whose verified email or phone belongs to an account already. */
export const LINK_EXISTING = ['ask', 'silent'] as const;
/** What happens to an ID-JAG that matches an existing account: its user is asked, or it is linked at once. */
export type LinkExisting = (typeof LINK_EXISTING)[number];

/** @throws TypeError for another word. */
export function readLinkExisting(given: LinkExisting = 'ask'): LinkExisting {
  if (LINK_EXISTING.includes(given)) return given;
  throw new TypeError(`linkExisting cannot be ${JSON.stringify(given)}. Use ask or silent.`);
}

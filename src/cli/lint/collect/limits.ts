/** More than any discovery document needs, in bytes (attack A-36). */
export const DOCUMENT_LIMIT = 1024 * 1024;

/** Far more than instructions need, in bytes. */
export const SKILL_LIMIT = 256 * 1024;

/** The most entries of folders that are looked at. */
export const MOST_ENTRIES = 20_000;

/** The deepest folder that is looked into, from the one that was named. */
export const DEEPEST = 8;

/** The longest that a run may take at a URL, in milliseconds. */
export const LONGEST = 60_000;

/** What can be an email address, or a pattern of some. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/;

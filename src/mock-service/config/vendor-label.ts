/** What a vendor label has to be, as a sentence. */
export const VENDOR_LABEL = 'Use letters, digits and dashes, for example "vendor".';

export function isVendorLabel(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,30}$/i.test(text);
}

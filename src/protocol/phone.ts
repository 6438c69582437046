/** E.164: a plus sign and 7 to 15 digits. */
export function isPhoneNumber(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

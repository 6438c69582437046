/** E.164: a plus sign and 7 to 15 digits. */
export function isPhoneNumber(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

/** `+1•••••67`: the country and the last two digits. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 2)}•••••${phone.slice(-2)}`;
}
